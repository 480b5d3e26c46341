#include "engine/tokenizer/byte_alphabet.h"

#include <array>

#include "base/utf8.h"

namespace mneme::engine {

namespace {

struct Alphabet {
  std::array<char32_t, 256> characters{};
  std::array<int, 512> bytes{};  // by character; -1: not of the alphabet

  Alphabet() {
    bytes.fill(-1);
    char32_t spare = 256;
    for (int byte = 0; byte < 256; ++byte) {
      const bool printable = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
      characters[byte] = printable ? static_cast<char32_t>(byte) : spare++;
      bytes[characters[byte]] = byte;
    }
  }
};

const Alphabet& alphabet() {
  static const Alphabet instance;
  return instance;
}

}  // namespace

std::string byte_character(unsigned char byte) {
  std::string text;
  utf8::append(text, alphabet().characters[byte]);
  return text;
}

std::string bytes_of_token(std::string_view token) {
  std::string bytes;
  size_t at = 0;
  while (at < token.size()) {
    const size_t begin = at;
    const char32_t character = utf8::next(token, at);
    const int byte = character < 512 ? alphabet().bytes[character] : -1;
    if (byte >= 0) {
      bytes += static_cast<char>(byte);
    } else {
      bytes += token.substr(begin, at - begin);
    }
  }
  return bytes;
}

}  // namespace mneme::engine
