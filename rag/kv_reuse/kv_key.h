// What a chunk's KV is stored under: everything that decides what the bytes mean. Threads: pure functions.
#pragma once

#include <span>

#include "base/hash.h"
#include "engine/codec/codec.h"
#include "engine/types.h"

namespace mneme::rag {

// Binds the model (weights, quantisation, RoPE settings, tokenizer), the prefix the chunk was computed behind, its
// tokens, and the codec with level, version and calibration.
Hash128 kv_key(const Hash128& model_identity, std::span<const engine::TokenId> prefix,
               std::span<const engine::TokenId> chunk, const engine::KvCodec& codec, const Hash128& calibration);

}  // namespace mneme::rag
