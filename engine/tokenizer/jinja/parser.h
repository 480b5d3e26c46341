// Tokens to syntax tree: the part of Jinja's grammar that chat templates use. Pure function.
#pragma once

#include <vector>

#include "engine/tokenizer/jinja/lexer.h"
#include "engine/tokenizer/jinja/syntax.h"

namespace mneme::engine::jinja {

// Throws Error for what it does not know, naming it and its line. Nesting is bounded.
Block parse(std::vector<Token> tokens);

}  // namespace mneme::engine::jinja
