// Whether a sequence's KV fits into what memory there is: asked before a long prefill starts. Threads: pure functions.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "engine/backend/backend.h"

namespace mneme::engine {

// Options of a cache for the model's layers with keys and values; what else they say is the caller's.
KvCacheOptions kv_options_of(const ModelConfig& config);

// Of one token over all layers, keys before RoPE included where they are kept.
int64_t kv_bytes_per_token(const KvCacheOptions& options);

// kUnsupported for Q8_0 where the heads of some layer are no multiple of `block` elements, which share a scale.
Status check_kv_type(const KvCacheOptions& options, int block);

// kUnsupported where layers differ in their keys and values: their retrieval is not made for that.
Status check_retrieval_fits(const ModelConfig& config);

// kResource when KV of tokens [0, n_tokens), less what the cache holds already, is more than free_bytes; says how many
// tokens would fit.
Status check_kv_memory(const KvCache& cache, int n_tokens, int64_t free_bytes);

}  // namespace mneme::engine
