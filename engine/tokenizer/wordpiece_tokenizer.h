// WordPiece ("bert"): words are normalised (BERT's basic tokenizer) and cut greedily into the longest known pieces.
// Decoding gives normalised text; round trips are exact only for text that is already normal.
#pragma once

#include <memory>

#include "base/status.h"
#include "engine/tokenizer/tokenizer.h"
#include "engine/tokenizer/vocabulary.h"

namespace mneme::engine {

// kCorruption when the vocabulary has no unknown token.
Result<std::unique_ptr<Tokenizer>> make_wordpiece_tokenizer(Vocabulary vocabulary);

}  // namespace mneme::engine
