// How SentencePiece vocabularies write what is no plain text: bytes as tokens <0x0A>, spaces as U+2581.
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "engine/tokenizer/vocabulary.h"

namespace mneme::engine {

inline constexpr std::string_view kSpaceMark = "\xe2\x96\x81";  // U+2581, the visible space

// The byte that a token stands for; -1: it is none of those.
int byte_value(const Vocabulary& vocabulary, TokenId id);

// The text with spaces for visible ones.
std::string with_plain_spaces(std::string_view text);

}  // namespace mneme::engine
