// Where words begin among the tokens of a passage, so that they are repaired whole: a number of which some digits are
// fresh and others stored says nothing. Threads: pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/tokenizer/tokenizer.h"
#include "engine/types.h"

namespace mneme::engine {

// One number per token, 1 where a word begins: at the first token, at white space, and at a mark behind which another
// word begins (the full stop at the end of a sentence, not the one within a number). Writing without spaces is cut
// into pieces of some tokens.
std::vector<uint8_t> word_starts(const Tokenizer& tokenizer, std::span<const TokenId> ids);
// The same of tokens whose bytes are known.
std::vector<uint8_t> word_starts(std::span<const std::string> tokens);

}  // namespace mneme::engine
