#include "rag/readers/office/utf16_text.h"

#include "base/utf8.h"
#include "rag/readers/office/little_endian.h"

namespace mneme::readers {

std::u16string utf16_units(std::string_view bytes) {
  std::u16string units;
  units.reserve(bytes.size() / 2);
  for (size_t at = 0; at + 2 <= bytes.size(); at += 2) units.push_back(char16_t{u16_at(bytes, at)});
  return units;
}

std::string utf8_of(std::u16string_view units) {
  constexpr char32_t kUnknown = 0xfffd;
  std::string text;
  for (size_t i = 0; i < units.size(); ++i) {
    const char32_t unit = units[i];
    const char32_t next = i + 1 < units.size() ? units[i + 1] : 0;
    if (unit < 0xd800 || unit >= 0xe000) {
      utf8::append(text, unit);
    } else if (unit < 0xdc00 && next >= 0xdc00 && next < 0xe000) {
      utf8::append(text, 0x10000 + ((unit - 0xd800) << 10) + (next - 0xdc00));
      ++i;
    } else {
      utf8::append(text, kUnknown);
    }
  }
  return text;
}

}  // namespace mneme::readers
