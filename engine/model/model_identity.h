// What a KV cache must be bound to: two models with the same identity compute the same KV from the same token ids.
// Threads: pure function.
#pragma once

#include "base/hash.h"
#include "engine/gguf/gguf_file.h"
#include "engine/model/model_config.h"

namespace mneme::engine {

// Hash of all weights (names, types, shapes, bytes), of the architecture's and the tokenizer's metadata, and of the
// rotation frequencies as used. Reads the whole file once. Names and other descriptive metadata do not count.
Hash128 model_identity(const gguf::GgufFile& file, const ModelConfig& config);

}  // namespace mneme::engine
