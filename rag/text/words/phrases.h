// Whether a word is one of several, and whether a text says one of several phrases as whole words. Threads: pure
// functions.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

inline bool one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// folded: folded_text() (words.h) with a space before and after. Phrases are folded, too; in scripts without spaces
// they may stand within a word.
bool says_phrase(std::string_view folded, std::string_view phrase);
bool says_any(std::string_view folded, std::span<const std::string_view> phrases);

// Phrases as people write them (どこ, "какой"), folded once.
class FoldedPhrases {
 public:
  explicit FoldedPhrases(std::span<const std::string_view> phrases);
  bool any_in(std::string_view folded) const;
  bool any_begins(std::string_view folded) const;    // the text begins with one, as a whole word
  bool holds(std::string_view folded_phrase) const;  // whether it is one of them
  std::span<const std::string> all() const { return phrases_; }

 private:
  bool any_at(std::string_view folded, size_t begin) const;

  std::vector<std::string> phrases_;
  std::vector<size_t> by_text_;  // places in phrases_ of those in scripts with spaces, in the order of their bytes
  std::vector<size_t> wide_;     // ... of the others
};

}  // namespace mneme::rag
