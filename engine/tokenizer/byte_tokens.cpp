#include "engine/tokenizer/byte_tokens.h"

namespace mneme::engine {

int byte_value(const Vocabulary& vocabulary, TokenId id) {
  const std::string& text = vocabulary.tokens[id];
  if (vocabulary.kinds[id] != TokenKind::kByte || text.size() != 6 || !text.starts_with("<0x")) return -1;
  const auto digit = [](char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; };
  const int high = digit(text[3]);
  const int low = digit(text[4]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

std::string with_plain_spaces(std::string_view text) {
  std::string plain(text);
  for (size_t at = plain.find(kSpaceMark); at != std::string::npos; at = plain.find(kSpaceMark, at + 1))
    plain.replace(at, kSpaceMark.size(), " ");
  return plain;
}

}  // namespace mneme::engine
