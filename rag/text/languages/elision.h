// "L'assurance", "dell'auto", "d'eau": what French and Italian leave of an article or a preposition before a vowel says
// nothing. Threads: pure functions.
#pragma once

#include <string_view>

#include "base/apostrophe.h"
#include "base/utf8.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

// Whether a word of a text is one or two letters before an apostrophe.
inline bool is_elided(std::string_view text, const Word& word) {
  constexpr size_t kMostLetters = 2;
  if (word.text.size() > kMostLetters || word.byte_end >= text.size()) return false;
  size_t at = word.byte_end;
  return is_apostrophe(utf8::next(text, at)) && at < text.size() && text[at] != ' ';
}

}  // namespace mneme::rag
