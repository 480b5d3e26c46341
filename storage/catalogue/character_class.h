// What a character is to the search terms: its class and what it folds to (case, compatibility forms and diacritics
// removed). Threads: pure functions; the tables behind them are filled lazily and safely.
#pragma once

#include <cstdint>

namespace mneme::storage {

enum class CharClass : uint8_t {
  kSeparator,  // spaces, punctuation, symbols, controls
  kLetter,     // of a script that separates words
  kDigit,
  kGram,    // of a script that does not separate words, or glues particles to them: indexed by character pairs
  kMark,    // a sign on the letter before it that carries meaning (vowels of Indic scripts and Thai)
  kIgnore,  // accents, zero-width signs, tatweel: as if they were not there
};

struct CharInfo {
  CharClass kind = CharClass::kSeparator;
  bool upper = false;       // an upper-case letter: a camelCase border
  uint8_t n_folded = 0;     // 0..kMaxFolded
  char32_t folded[4] = {};  // what it stands for in a term
};
inline constexpr int kMaxFolded = 4;

// Valid for any value; not a character gives kSeparator.
const CharInfo& char_info(char32_t character);

// The one character that two neighbours make together (a kana and its voicing mark, the parts of a Hangul syllable), or
// 0: macOS and half-width text write them apart.
char32_t compose_pair(char32_t first, char32_t second);

}  // namespace mneme::storage
