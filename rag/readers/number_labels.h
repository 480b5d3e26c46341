// Numbers before paragraphs as lists and headings of office documents show them: "3", "(c)", "Article III".
// Internal to rag/readers. Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mneme::readers {

enum class NumberScript : uint8_t {
  kDecimal,
  kTwoDigits,  // "03"
  kOrdinal,    // "3rd"
  kLowerLetter,
  kUpperLetter,
  kLowerRoman,
  kUpperRoman,
  kHan,        // "十二"
  kHanDigits,  // "一二"
  kHanStems,   // "甲", "乙"
  kKorean,     // "가", "나"
  kCircled,    // "①"
  kLowerRussian,
  kUpperRussian,
  kHebrew,  // "א"
  kArabic   // "أ"
};

// What a paragraph is in a list.
struct ListPlace {
  bool is_listed = false;
  int level = 0;       // from 0
  std::string number;  // "3.1", "(a)"; "" where a sign or nothing stands before the paragraph
  bool is_clause =
      false;  // the number names a place of the document ("3.1", "Article 4"), not an item of a list ("4.")

  // The text behind its number, if it says anything.
  std::string before(std::string_view text) const;
};

// "Article", "§": what stands beside a number that names a place.
bool has_word(std::string_view pattern);

// Letters go on with "aa", "bb"; what letters or Roman numerals do not write is written in digits.
std::string written_number(int number, NumberScript script);

}  // namespace mneme::readers
