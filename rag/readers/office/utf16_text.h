// Text in UTF-16, as Microsoft's older files hold it, to UTF-8. Internal to rag/readers. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::readers {

// Little-endian units; an odd byte at the end is none. Halves of characters stand for U+FFFD.
std::u16string utf16_units(std::string_view bytes);
std::string utf8_of(std::u16string_view units);
inline std::string text_in_utf16(std::string_view bytes) {
  return utf8_of(utf16_units(bytes));
}

}  // namespace mneme::readers
