// Cuts a template into text, {{ }}, {% %} and the tokens inside, with Jinja's white space rules as chat templates use
// them (trim_blocks and lstrip_blocks on). Pure function.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace mneme::engine::jinja {

enum class TokenType {
  kText,
  kPrintBegin,
  kPrintEnd,
  kBlockBegin,
  kBlockEnd,
  kName,
  kString,
  kInteger,
  kFloat,
  kOperator,
  kEnd
};

struct Token {
  TokenType type = TokenType::kEnd;
  std::string text;  // of a string: its value; of an operator: its spelling
  int line = 0;
};

// Throws Error (value.h) for what cannot be read. The last token is kEnd.
std::vector<Token> tokenise(std::string_view source);

}  // namespace mneme::engine::jinja
