#include "rag/text/documents/section_numbers.h"

#include "base/ascii.h"

namespace mneme::rag {
namespace {

constexpr int kDeepest = 6;
constexpr size_t kMostDigits = 3;

bool begins_title(char c) {
  return (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
}

}  // namespace

SectionNumber section_number(std::string_view heading) {
  SectionNumber number;
  size_t at = 0;
  while (number.levels < kDeepest) {
    size_t digits = 0;
    int value = 0;
    while (digits < kMostDigits && at + digits < heading.size() && is_digit(heading[at + digits])) {
      value = value * 10 + (heading[at + digits++] - '0');
    }
    if (digits == 0) break;
    if (++number.levels == 1) number.first = value;
    at += digits;
    if (at >= heading.size() || heading[at] != '.') break;
    ++at;
  }
  const size_t title = heading.find_first_not_of(' ', at);
  if (number.levels == 0 || title == at || title == heading.npos || !begins_title(heading[title])) return {};
  number.n_bytes = title;
  return number;
}

std::string_view without_section_number(std::string_view heading) {
  const SectionNumber number = section_number(heading);
  const bool dotted = heading.substr(0, number.n_bytes).find('.') != std::string_view::npos;
  return dotted ? heading.substr(number.n_bytes) : heading;
}

}  // namespace mneme::rag
