// The tokenizer of models that have none (random weights): ids print as numbers, numbers in a text become ids.
// Threads: immutable.
#pragma once

#include <memory>

#include "engine/tokenizer/tokenizer.h"

namespace mneme::engine {

std::unique_ptr<Tokenizer> make_number_tokenizer(int vocab_size);

}  // namespace mneme::engine
