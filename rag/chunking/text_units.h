// The smallest pieces the chunker puts together: sentences, list items, table rows, code lines, headings.
// Internal to rag/chunking. Ownership: units are offsets into the document. Threads: pure functions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "rag/document.h"

namespace mneme::chunking {

// How good a place the beginning of a unit is to begin a chunk. Higher is better; the order is what counts.
namespace strength {
inline constexpr int kForced = 1;        // inside a word or between words
inline constexpr int kAfterHeading = 2;  // would part a heading from its text
inline constexpr int kWord = 3;
inline constexpr int kLine = 8;         // a line break inside a long paragraph
inline constexpr int kAfterColon = 12;  // "as follows:" and what follows
inline constexpr int kCodeLine = 15;
inline constexpr int kSentence = 20;
inline constexpr int kCodeOuterLine = 25;  // not indented
inline constexpr int kGroupStart = 30;     // first item of a list, first row of a table
inline constexpr int kCodeParagraph = 32;  // after a blank line in code
inline constexpr int kTableRow = 35;
inline constexpr int kListItem = 40;
inline constexpr int kBlock = 50;
inline constexpr int kHeading = 60;  // 60 + 5 * (6 - level)
}  // namespace strength

struct TextUnit {
  uint64_t begin = 0;
  uint64_t end = 0;
  uint32_t block = 0;    // index into Document::blocks
  int32_t quarters = 0;  // estimated size in quarter tokens
  int strength = 0;      // of the border before the unit
  int line_begin = 0;
  int line_end = 0;
};

// Estimated size in quarter tokens: one per ASCII byte and byte of small scripts, four per CJK character.
int64_t estimate_quarters(std::string_view text);

// All units of a document in order; none is larger than `largest_quarters` (give or take one character).
std::vector<TextUnit> split_units(const rag::Document& document, int64_t largest_quarters);

// End offsets of the sentences of `text`, the last one being text.size(). Knows the full stops of Latin, CJK,
// Devanagari, Arabic and Ethiopic writing; abbreviations and initials do not end a sentence.
std::vector<size_t> sentence_ends(std::string_view text);

}  // namespace mneme::chunking
