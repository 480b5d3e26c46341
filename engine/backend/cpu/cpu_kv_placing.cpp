// KV that was stored or loaded, placed into a CPU cache: CpuKvCache::place().
#include <algorithm>
#include <cassert>
#include <cstring>

#include "engine/backend/cpu/cpu_kv_cache.h"
#include "engine/backend/cpu/cpu_retrieval.h"
#include "engine/backend/cpu/kv_page_contents.h"
#include "engine/backend/cpu/transpose_halves.h"

namespace mneme::engine::cpu {
namespace {

constexpr int kLineTokens = 32;  // whose keys share cache lines, so that one thread places them
static_assert(kPageTokens % kLineTokens == 0);

}  // namespace

void CpuKvCache::place_value(int layer, TokenPos position, int kv_head, const f16* value) {
  if (is_q8()) {
    float wide[kWidestHead];
    kernels_.to_float(value, at(layer).head_dim, wide);
    return write_value(layer, position, kv_head, wide);
  }
  const KvPage target = page(layer, position / kPageTokens, kv_head);
  std::memcpy(writable(target.values) + value_place(layer, position), value,
              static_cast<size_t>(at(layer).head_dim) * sizeof(f16));
}

void CpuKvCache::place(int layer, TokenPos first, int n_tokens, std::span<const f16> keys, std::span<const f16> values,
                       const RopeConfig* rope) {
  assert(range_is_valid(layer, first, n_tokens, keys.size(), values.size()));
  if (n_tokens == 0) return;
  // For all positions there are: other threads that place behind this one then find their angles prepared.
  const RopeTable* table = rope ? &ropes_.get(*rope, n_reserved_ - 1) : nullptr;
  const Placed placed{layer, first, keys.data(), values.data(), table};
  // By lines of a page, so that no two threads write to the same and each line is written once.
  const int first_line = first / kLineTokens;
  const int n_lines = (first + n_tokens - 1) / kLineTokens - first_line + 1;
  pool_.parallel_for(static_cast<size_t>(n_lines), 1, [&](int, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const int line = (first_line + static_cast<int>(i)) * kLineTokens;
      place_tokens(placed, std::max(line - first, 0), std::min(line + kLineTokens - first, n_tokens));
    }
  });
}

void CpuKvCache::place_tokens(const Placed& placed, int begin, int end) {
  const bool in_columns =
      !is_q8() && !options_.keep_unrotated_keys && !by_token(placed.layer, (placed.first + begin) / kPageTokens);
  for (int head = 0; head < at(placed.layer).n_kv_heads; ++head) {
    if (in_columns) {
      place_columns(placed, begin, end, head);
      place_rows(placed, begin, end, head);
    } else {
      for (int token = begin; token < end; ++token) place_token(placed, token, head);
    }
  }
}

void CpuKvCache::place_token(const Placed& placed, int token, int kv_head) {
  const TokenPos position = placed.first + token;
  const int64_t offset = (int64_t{token} * at(placed.layer).n_kv_heads + kv_head) * at(placed.layer).head_dim;
  const f16* const key = placed.keys + offset;
  place_value(placed.layer, position, kv_head, placed.values + offset);
  if (options_.keep_unrotated_keys) {
    std::memcpy(const_cast<f16*>(unrotated_key(placed.layer, position, kv_head)), key,
                static_cast<size_t>(at(placed.layer).head_dim) * sizeof(f16));
  }
  float wide[kWidestHead];
  kernels_.to_float(key, at(placed.layer).head_dim, wide);
  if (placed.rope) placed.rope->rotate(kernels_, position, wide);
  write_key(placed.layer, position, kv_head, wide);
}

void CpuKvCache::place_rows(const Placed& placed, int begin, int end, int kv_head) {
  const TokenPos position = placed.first + begin;
  const KvPage target = page(placed.layer, position / kPageTokens, kv_head);
  f16* to = writable(target.values) + int64_t{position % kPageTokens} * at(placed.layer).value_stride;
  const f16* from =
      placed.values + (int64_t{begin} * at(placed.layer).n_kv_heads + kv_head) * at(placed.layer).head_dim;
  for (int token = begin; token < end; ++token) {
    std::memcpy(to, from, static_cast<size_t>(at(placed.layer).head_dim) * sizeof(f16));
    to += at(placed.layer).value_stride;
    from += int64_t{at(placed.layer).n_kv_heads} * at(placed.layer).head_dim;
  }
}

void CpuKvCache::place_columns(const Placed& placed, int begin, int end, int kv_head) {
  const int head_dim = at(placed.layer).head_dim;
  float wide[kWidestHead];
  f16 rows[kLineTokens * kWidestHead];
  for (int token = begin; token < end; ++token) {
    kernels_.to_float(placed.keys + (int64_t{token} * at(placed.layer).n_kv_heads + kv_head) * head_dim, head_dim,
                      wide);
    if (placed.rope) placed.rope->rotate(kernels_, placed.first + token, wide);
    kernels_.to_half(wide, head_dim, rows + int64_t{token - begin} * head_dim);
  }
  const TokenPos position = placed.first + begin;
  const KvPage target = page(placed.layer, position / kPageTokens, kv_head);
  transpose_halves(rows, head_dim, end - begin, head_dim, writable(target.keys) + position % kPageTokens, kPageTokens);
}

}  // namespace mneme::engine::cpu
