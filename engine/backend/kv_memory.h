// Whether a sequence's KV fits into what memory there is: asked before a long prefill starts. Threads: pure functions.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "engine/backend/backend.h"

namespace mneme::engine {

// Of one token over all layers, keys before RoPE included where they are kept.
int64_t kv_bytes_per_token(const KvCacheOptions& options);

// kResource when KV of tokens [0, n_tokens), less what the cache holds already, is more than free_bytes; says how many
// tokens would fit.
Status check_kv_memory(const KvCache& cache, int n_tokens, int64_t free_bytes);

}  // namespace mneme::engine
