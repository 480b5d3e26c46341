// The printable characters that byte-level BPE vocabularies write bytes as (GPT-2): 0x20 is U+0120 and so on.
#pragma once

#include <string>
#include <string_view>

namespace mneme::engine {

// The character (UTF-8) that stands for a byte.
std::string byte_character(unsigned char byte);

// The bytes a token of such a vocabulary stands for; characters outside the alphabet stand for themselves.
std::string bytes_of_token(std::string_view token);

}  // namespace mneme::engine
