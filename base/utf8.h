// UTF-8: validation, decoding, and cutting at character borders. Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mneme::utf8 {

// Offset of the first byte that is not part of well-formed UTF-8 (surrogates and overlong forms are malformed), or
// text.size() when all is well.
size_t first_invalid(std::string_view text);
inline bool valid(std::string_view text) {
  return first_invalid(text) == text.size();
}

// Decodes the character at `offset` (< text.size()) and moves offset past it. Malformed bytes give U+FFFD, one byte
// each.
char32_t next(std::string_view text, size_t& offset);

void append(std::string& text, char32_t character);

// Largest offset <= limit that does not split a character.
size_t floor_boundary(std::string_view text, size_t limit);

// Every malformed byte replaced by U+FFFD.
std::string sanitise(std::string_view text);

}  // namespace mneme::utf8
