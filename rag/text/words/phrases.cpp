#include "rag/text/words/phrases.h"

#include <algorithm>

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

FoldedPhrases::FoldedPhrases(std::span<const std::string_view> phrases) {
  phrases_.reserve(phrases.size());
  for (const std::string_view phrase : phrases) phrases_.push_back(folded_text(phrase));
}

// folded has a space before its first word and behind its last one.
bool FoldedPhrases::any_begins(std::string_view folded) const {
  return std::any_of(phrases_.begin(), phrases_.end(), [&](const std::string& phrase) {
    return folded.substr(1).starts_with(phrase) && folded.substr(1 + phrase.size()).starts_with(' ');
  });
}

bool FoldedPhrases::holds(std::string_view folded_phrase) const {
  return std::find(phrases_.begin(), phrases_.end(), folded_phrase) != phrases_.end();
}

bool FoldedPhrases::any_in(std::string_view folded) const {
  return std::any_of(phrases_.begin(), phrases_.end(),
                     [&](const std::string& phrase) { return says_phrase(folded, phrase); });
}

}  // namespace mneme::rag
