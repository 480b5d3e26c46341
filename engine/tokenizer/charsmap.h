// The normaliser that a model brings for SentencePiece: a length, a double array (a trie over UTF-8 bytes, of 32-bit
// units) and the replacements it leads to, each ended by a zero byte. libsentencepiece follows its offsets unchecked,
// so what a hostile file holds there must be looked at first. Threads: pure functions.
#pragma once

#include <string_view>

namespace mneme::engine {

// Whether no text can lead the library outside of `charsmap`: every unit that can be reached lies in the array, every
// replacement is well-formed UTF-8 and ends.
bool is_sound_charsmap(std::string_view charsmap);

}  // namespace mneme::engine
