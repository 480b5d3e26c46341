#include "rag/text/words/phrases.h"

#include <algorithm>
#include <utility>

#include "rag/text/words/words.h"

namespace mneme::rag {

bool says_phrase(std::string_view folded, std::string_view phrase) {
  const bool wide = static_cast<unsigned char>(phrase.front()) >= 0xE0;
  for (size_t at = folded.find(phrase); at != std::string_view::npos; at = folded.find(phrase, at + 1)) {
    const std::string_view behind = folded.substr(at + phrase.size());
    if (wide || (at > 0 && folded[at - 1] == ' ' && behind.starts_with(' '))) return true;
  }
  return false;
}

bool says_any(std::string_view folded, std::span<const std::string_view> phrases) {
  return std::any_of(phrases.begin(), phrases.end(),
                     [&](std::string_view phrase) { return says_phrase(folded, phrase); });
}

namespace {

bool is_wide(std::string_view phrase) {
  return static_cast<unsigned char>(phrase.front()) >= 0xE0;
}

}  // namespace

FoldedPhrases::FoldedPhrases(std::span<const std::string_view> phrases) {
  phrases_.reserve(phrases.size());
  for (const std::string_view phrase : phrases) {
    std::string folded = folded_text(phrase);
    if (folded.empty()) continue;
    (is_wide(folded) ? wide_ : by_text_).push_back(phrases_.size());
    phrases_.push_back(std::move(folded));
  }
  std::sort(by_text_.begin(), by_text_.end(), [&](size_t a, size_t b) { return phrases_[a] < phrases_[b]; });
}

// Whether one stands at the word that begins there. Those of that word alone, and then those with more behind it, come
// first of all that begin with its letters.
bool FoldedPhrases::any_at(std::string_view folded, size_t begin) const {
  const std::string_view rest = folded.substr(begin);
  const std::string_view word = rest.substr(0, rest.find(' '));
  auto at = std::lower_bound(by_text_.begin(), by_text_.end(), word,
                             [&](size_t place, std::string_view text) { return phrases_[place] < text; });
  for (; at != by_text_.end(); ++at) {
    const std::string& phrase = phrases_[*at];
    if (!phrase.starts_with(word) || (phrase.size() > word.size() && phrase[word.size()] != ' ')) return false;
    if (rest.starts_with(phrase) && rest.substr(phrase.size()).starts_with(' ')) return true;
  }
  return false;
}

// folded has a space before its first word and behind its last one.
bool FoldedPhrases::any_begins(std::string_view folded) const {
  return any_at(folded, 1);
}

bool FoldedPhrases::holds(std::string_view folded_phrase) const {
  const auto at = std::lower_bound(by_text_.begin(), by_text_.end(), folded_phrase,
                                   [&](size_t place, std::string_view text) { return phrases_[place] < text; });
  if (at != by_text_.end() && phrases_[*at] == folded_phrase) return true;
  return std::any_of(wide_.begin(), wide_.end(), [&](size_t place) { return phrases_[place] == folded_phrase; });
}

bool FoldedPhrases::any_in(std::string_view folded) const {
  const auto is_said = [&](size_t place) { return folded.find(phrases_[place]) != std::string_view::npos; };
  if (std::any_of(wide_.begin(), wide_.end(), is_said)) return true;
  if (by_text_.empty()) return false;
  for (size_t space = folded.find(' '); space != std::string_view::npos; space = folded.find(' ', space + 1)) {
    if (any_at(folded, space + 1)) return true;
  }
  return false;
}

}  // namespace mneme::rag
