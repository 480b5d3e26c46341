#include "base/utf8.h"

namespace mneme::utf8 {
namespace {

// Length of the well-formed character at `offset` (1-4), or 0. Table 3-7 of the Unicode standard.
size_t character_length(std::string_view text, size_t offset) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[offset + i]); };
  const auto continues = [&](size_t i) { return offset + i < text.size() && (byte(i) & 0xc0) == 0x80; };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return continues(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    if (!continues(1) || !continues(2)) return 0;
    if (first == 0xe0 && byte(1) < 0xa0) return 0;
    if (first == 0xed && byte(1) > 0x9f) return 0;
    return 3;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    if (!continues(1) || !continues(2) || !continues(3)) return 0;
    if (first == 0xf0 && byte(1) < 0x90) return 0;
    if (first == 0xf4 && byte(1) > 0x8f) return 0;
    return 4;
  }
  return 0;
}

}  // namespace

size_t first_invalid(std::string_view text) {
  size_t offset = 0;
  while (offset < text.size()) {
    const size_t length = character_length(text, offset);
    if (length == 0) return offset;
    offset += length;
  }
  return offset;
}

char32_t next(std::string_view text, size_t& offset) {
  const size_t length = character_length(text, offset);
  const auto byte = [&](size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[offset + i])); };
  char32_t character = 0xfffd;
  if (length == 1) character = byte(0);
  if (length == 2) character = ((byte(0) & 0x1f) << 6) | (byte(1) & 0x3f);
  if (length == 3) character = ((byte(0) & 0x0f) << 12) | ((byte(1) & 0x3f) << 6) | (byte(2) & 0x3f);
  if (length == 4) {
    character = ((byte(0) & 0x07) << 18) | ((byte(1) & 0x3f) << 12) | ((byte(2) & 0x3f) << 6) | (byte(3) & 0x3f);
  }
  offset += length == 0 ? 1 : length;
  return character;
}

void append(std::string& text, char32_t c) {
  const auto put = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xc0 | (c >> 6));
    put(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    put(0xe0 | (c >> 12));
    put(0x80 | ((c >> 6) & 0x3f));
    put(0x80 | (c & 0x3f));
  } else {
    put(0xf0 | (c >> 18));
    put(0x80 | ((c >> 12) & 0x3f));
    put(0x80 | ((c >> 6) & 0x3f));
    put(0x80 | (c & 0x3f));
  }
}

size_t floor_boundary(std::string_view text, size_t limit) {
  if (limit >= text.size()) return text.size();
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xc0) == 0x80) --limit;
  return limit;
}

std::string sanitise(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  for (size_t offset = 0; offset < text.size();) append(clean, next(text, offset));
  return clean;
}

}  // namespace mneme::utf8
