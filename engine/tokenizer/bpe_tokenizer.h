// Byte-level BPE ("gpt2"): text is split into words by the model's pre-tokenizer, words into bytes, bytes merged. And
// that of Gemma 4 ("gemma4"): lines into characters, those merged; characters without a token are bytes.
#pragma once

#include <memory>

#include "base/status.h"
#include "engine/tokenizer/tokenizer.h"
#include "engine/tokenizer/vocabulary.h"

namespace mneme::engine {

// kUnsupported for an unknown pre-tokenizer, kCorruption for a vocabulary without merges or single bytes.
Result<std::unique_ptr<Tokenizer>> make_bpe_tokenizer(Vocabulary vocabulary);

}  // namespace mneme::engine
