// One KV head's keys and values in a page of kPageTokens tokens, as the attention kernels see them: f16, or Q8_0 (int8
// codes with an f16 scale per kKvBlock dimensions of a token). Threads: a view; see CpuKvCache.
#pragma once

#include <cstdint>

#include "base/f16.h"

namespace mneme::engine::cpu {

inline constexpr int kPageTokens = 128;
inline constexpr int kWidestHead = 1024;  // elements of a key or value that there may be
inline constexpr int kKvBlock = 32;       // dimensions of a token that share a Q8_0 scale

// Either keys and values, or the four others.
struct KvPage {
  const f16* keys = nullptr;            // (head_dim, kPageTokens): transposed
  const f16* values = nullptr;          // (kPageTokens, value_stride)
  const int8_t* key_codes = nullptr;    // (head_dim, kPageTokens)
  const int8_t* value_codes = nullptr;  // (kPageTokens, value_stride)
  const f16* key_scales = nullptr;      // (head_dim / kKvBlock, kPageTokens)
  const f16* value_scales = nullptr;    // (head_dim / kKvBlock, kPageTokens)
  // Pages whose tokens are retrieved one by one: every token's key and value side by side, token_stride elements from
  // one token's to the next's, keys and values (or their codes) at the first token's.
  bool by_token = false;
  int64_t token_stride = 0;
};

// One token's key and value, wherever they lie: f16 rows, or codes with their first scales, kPageTokens apart.
struct KvRow {
  const void* key = nullptr;        // (head_dim)
  const void* value = nullptr;      // (value_stride)
  const f16* key_scales = nullptr;  // null: f16
  const f16* value_scales = nullptr;
};

}  // namespace mneme::engine::cpu
