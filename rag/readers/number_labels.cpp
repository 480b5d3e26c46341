#include "rag/readers/number_labels.h"

#include <unicode/uchar.h>

#include <array>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "rag/readers/number_scripts.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

std::string in_letters(int number, char first) {
  constexpr int kMostRounds = 5;
  const int round = (number - 1) / 26 + 1;
  if (number < 1 || round > kMostRounds) return std::to_string(number);
  const auto letter = static_cast<char>(first + (number - 1) % 26);
  return std::string(static_cast<size_t>(round), letter);
}

std::string in_roman(int number, bool upper) {
  constexpr int kMost = 3999;
  if (number < 1 || number > kMost) return std::to_string(number);
  constexpr std::array<std::pair<int, std::string_view>, 13> kSigns = {{{1000, "m"},
                                                                        {900, "cm"},
                                                                        {500, "d"},
                                                                        {400, "cd"},
                                                                        {100, "c"},
                                                                        {90, "xc"},
                                                                        {50, "l"},
                                                                        {40, "xl"},
                                                                        {10, "x"},
                                                                        {9, "ix"},
                                                                        {5, "v"},
                                                                        {4, "iv"},
                                                                        {1, "i"}}};
  std::string roman;
  for (const auto& [value, sign] : kSigns) {
    for (; number >= value; number -= value) roman += sign;
  }
  for (char& c : roman) c = upper ? static_cast<char>(c - 'a' + 'A') : c;
  return roman;
}

std::string_view ending_of_ordinal(int number) {
  const int last_two = number % 100;
  if (last_two >= 11 && last_two <= 13) return "th";
  switch (number % 10) {
    case 1: return "st";
    case 2: return "nd";
    case 3: return "rd";
    default: return "th";
  }
}

}  // namespace

std::string ListPlace::before(std::string_view text) const {
  const bool shows = !number.empty() && !trim(text).empty();
  return shows ? std::string(number).append(" ").append(text) : std::string(text);
}

bool has_word(std::string_view pattern) {
  constexpr char32_t kSection = 0xa7;
  for (size_t i = 0; i < pattern.size();) {
    const char32_t c = utf8::next(pattern, i);
    if (c == kSection || u_isalpha(static_cast<UChar32>(c))) return true;
  }
  return false;
}

std::string written_number(int number, NumberScript script) {
  switch (script) {
    case NumberScript::kLowerLetter: return in_letters(number, 'a');
    case NumberScript::kUpperLetter: return in_letters(number, 'A');
    case NumberScript::kLowerRoman: return in_roman(number, false);
    case NumberScript::kUpperRoman: return in_roman(number, true);
    case NumberScript::kOrdinal: return std::to_string(number).append(ending_of_ordinal(number));
    case NumberScript::kTwoDigits: return (number >= 0 && number < 10 ? "0" : "") + std::to_string(number);
    case NumberScript::kDecimal: return std::to_string(number);
    default: return in_other_script(number, script);
  }
}

}  // namespace mneme::readers
