#include "ui/widgets/printable.h"

#include <algorithm>

#include "base/utf8.h"

namespace mneme::ui {
namespace {

bool is_bidi_control(char32_t c) {
  return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  for (size_t offset = 0; offset < text.size();) {
    const char32_t c = utf8::next(text, offset);
    if (c == '\t') {
      clean += "    ";
    } else if (is_bidi_control(c)) {
      utf8::append(clean, 0xfffd);
    } else if (c == '\n' || (c >= 0x20 && c != 0x7f && !(c >= 0x80 && c < 0xa0))) {
      utf8::append(clean, c);
    }
  }
  return clean;
}

std::string one_line(std::string_view text) {
  std::string line = printable(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

}  // namespace mneme::ui
