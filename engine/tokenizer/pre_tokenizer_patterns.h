// The published pre-tokenizer patterns by their name in GGUF files. Data only.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace mneme::engine {

// Patterns apply in turn: each splits the pieces the one before left; what a pattern does not match stays a piece.
struct PreTokenizerRule {
  std::string_view name;
  std::span<const char* const> patterns;
  bool whole_words_first = false;
  bool digits_in_threes = false;  // a last split: runs of digits in groups of three, counted from the right
};

// Null for an unknown name.
const PreTokenizerRule* find_pre_tokenizer_rule(std::string_view name);
// Comma-separated, for messages.
std::string pre_tokenizer_names();

}  // namespace mneme::engine
