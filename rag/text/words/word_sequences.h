// Words, and sequences of several, that are looked for where a run of words begins or ends. Threads: immutable.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "rag/text/words/placed_words.h"

namespace mneme::rag {

class WordSequences {
 public:
  WordSequences() = default;
  // Each part of the list is a sequence of words as people write them; they are folded.
  WordSequences(std::string_view list, std::string_view separator);

  // The word is one of them by itself.
  bool has(std::string_view folded) const { return single_.find(folded) != single_.end(); }
  bool has_any(std::span<const PlacedWord> words) const;
  // How many words of the longest of them the words begin, or end, with; 0: with none.
  size_t at_front(std::span<const PlacedWord> words) const;
  size_t at_back(std::span<const PlacedWord> words) const;
  bool is_within(std::span<const PlacedWord> words) const;  // one stands anywhere among them
  bool is_whole(std::span<const PlacedWord> words) const { return !words.empty() && at_front(words) == words.size(); }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view word) const { return std::hash<std::string_view>{}(word); }
  };
  std::unordered_set<std::string, Hash, std::equal_to<>> single_;
  std::vector<std::vector<std::string>> several_;
};

// Without those that they begin, or end, with.
std::span<const PlacedWord> without_front(std::span<const PlacedWord> words, const WordSequences& these);
std::span<const PlacedWord> without_back(std::span<const PlacedWord> words, const WordSequences& these);

}  // namespace mneme::rag
