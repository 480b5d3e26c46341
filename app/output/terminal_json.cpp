#include "app/output/terminal_json.h"

#include <cstdio>

#include "app/output/terminal_characters.h"
#include "base/utf8.h"

namespace mneme::app {

std::string terminal_json(std::string_view json) {
  std::string safe;
  safe.reserve(json.size());
  for (size_t offset = 0; offset < json.size();) {
    const size_t begin = offset;
    const char32_t c = utf8::next(json, offset);
    if (c < 0x7f || !is_obeyed(c)) {
      safe += json.substr(begin, offset - begin);
      continue;
    }
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c) & 0xffff);
    safe += escaped;
  }
  return safe;
}

}  // namespace mneme::app
