// Which characters a terminal obeys instead of showing them.
#pragma once

namespace mneme::app {

// Control characters but newline and tab, C1 controls, and the bidirectional overrides that make text read as what it
// is not.
constexpr bool is_obeyed(char32_t c) {
  if (c == '\n' || c == '\t') return false;
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

}  // namespace mneme::app
