// Words of any script, folded for comparison: case and diacritics removed, ß as ss, other letters and digits that are
// written in several ways as one (as the index has them); scripts written without spaces (Chinese, Japanese, Thai, ...)
// and Hangul as overlapping pairs of characters. One splitter for embedding, quoting and checking, so that they agree
// on what a word is. Threads: one scanner per thread; the free functions are pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

struct Word {
  std::string_view text;    // folded; valid until the next call of next()
  uint64_t byte_begin = 0;  // span in the scanned text
  uint64_t byte_end = 0;
  bool pair = false;  // of a script without spaces: two characters, or one standing alone
};

struct FoldedCharacter;

class WordScanner {
 public:
  explicit WordScanner(std::string_view text) : text_(text) {}
  bool next(Word& word);

 private:
  void fold(char32_t character);
  bool find_word(FoldedCharacter& first, size_t& after);
  bool take_pair(const FoldedCharacter& first, size_t after, Word& word);
  bool take_word(Word& word);

  std::string_view text_;
  size_t offset_ = 0;
  size_t pair_offset_ = 0;      // where the last character of a run of such a script began
  bool run_continues_ = false;  // the character at pair_offset_ has been given as the second of a pair
  std::string folded_;
};

// Folded words of a text, in order.
std::vector<std::string> words_of(std::string_view text);

// The text folded as words are, everything else a single space: for finding quotations whatever the punctuation.
std::string folded_text(std::string_view text);

// Whether most of its words are pairs of characters: Chinese, Japanese, Thai and the like.
bool written_without_spaces(std::string_view text);

// Whether the first letter is one of Cyrillic script.
bool is_cyrillic(std::string_view word);

// English inflections taken off ("houses" and "housing" meet, "batteries" and "battery", "boxes" and "box", "planned"
// and "plan"), those of Russian in Cyrillic letters, and Arabic articles and endings; words of other scripts are
// returned as they are.
std::string regular_stem_of(std::string_view folded);
// The same, with irregular forms and British spelling undone as in the index: "broken" as "break", "colour" as "color".
std::string stem_of(std::string_view folded);
// Fewer of the English ones, as a piece of the word: what embedders were built with.
std::string_view english_stem_of(std::string_view folded);

}  // namespace mneme::rag
