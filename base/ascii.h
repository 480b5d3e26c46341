// Characters as file formats and mark-up mean them: ASCII alone, whatever the locale says. Bytes of longer UTF-8
// characters are none of these and stay as they are. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme {

inline bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

inline bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

inline std::string lower_ascii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

}  // namespace mneme
