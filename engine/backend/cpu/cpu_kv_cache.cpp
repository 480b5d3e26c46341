#include "engine/backend/cpu/cpu_kv_cache.h"

#include <cassert>
#include <cstring>
#include <string>

namespace mneme::engine::cpu {

CpuKvCache::CpuKvCache(const KvCacheOptions& options, const Kernels& kernels, ThreadPool& pool, RopeTables& ropes,
                       std::shared_ptr<PagePool> memory)
    : KvCache(options),
      kernels_(kernels),
      pool_(pool),
      ropes_(ropes),
      value_stride_((options.head_dim + 15) / 16 * 16),
      memory_(std::move(memory)) {}

int64_t CpuKvCache::page_halves() const {
  const int64_t unrotated =
      options_.keep_unrotated_keys ? int64_t{kPageTokens} * options_.n_kv_heads * options_.head_dim : 0;
  return options_.n_kv_heads * head_halves() + unrotated;
}

Status CpuKvCache::reserve(int n_tokens) {
  if (n_tokens > options_.max_tokens) {
    return resource_error("the sequence would hold " + std::to_string(n_tokens) +
                          " tokens, but was opened for at most " + std::to_string(options_.max_tokens) +
                          "; shorten the input or raise the context size");
  }
  if (n_tokens <= n_reserved_) return {};
  const int n_before = n_reserved_ / kPageTokens;
  const int n_pages = (n_tokens + kPageTokens - 1) / kPageTokens;
  const size_t page_bytes = static_cast<size_t>(options_.n_layers * page_halves()) * sizeof(f16);
  for (int page = n_before; page < n_pages; ++page) {
    auto run = memory_->acquire(page_bytes);
    if (!run.ok()) {
      pages_.resize(static_cast<size_t>(n_before));
      return run.status();
    }
    // The padding of values is read and must be finite; all else is written before it is read, save for keys beyond the
    // last token of a page, whose scores are discarded.
    if (value_stride_ != options_.head_dim) std::memset((*run)->data(), 0, page_bytes);
    pages_.push_back(std::move(*run));
  }
  n_reserved_ = n_pages * kPageTokens;
  return {};
}

void CpuKvCache::write_key(int layer, TokenPos position, int kv_head, const float* key) {
  f16 halves[512];
  assert(options_.head_dim <= 512);
  kernels_.to_half(key, options_.head_dim, halves);
  f16* column = keys(layer, position / kPageTokens, kv_head) + position % kPageTokens;
  for (int d = 0; d < options_.head_dim; ++d) column[int64_t{d} * kPageTokens] = halves[d];
}

void CpuKvCache::write_value(int layer, TokenPos position, int kv_head, const float* value) {
  kernels_.to_half(value, options_.head_dim,
                   values(layer, position / kPageTokens, kv_head) + int64_t{position % kPageTokens} * value_stride_);
}

const f16* CpuKvCache::unrotated_key(int layer, TokenPos position, int kv_head) const {
  const f16* base = layer_page(layer, position / kPageTokens) + options_.n_kv_heads * head_halves();
  return base + (int64_t{position % kPageTokens} * options_.n_kv_heads + kv_head) * options_.head_dim;
}

void CpuKvCache::write_unrotated_key(int layer, TokenPos position, int kv_head, const float* key) {
  kernels_.to_half(key, options_.head_dim, const_cast<f16*>(unrotated_key(layer, position, kv_head)));
}

bool CpuKvCache::range_is_valid(int layer, TokenPos first, int n_tokens, size_t n_keys, size_t n_values) const {
  const size_t expected = static_cast<size_t>(n_tokens) * options_.n_kv_heads * options_.head_dim;
  return layer >= 0 && layer < options_.n_layers && first >= 0 && n_tokens >= 0 && first + n_tokens <= n_reserved_ &&
         n_keys == expected && n_values == expected;
}

void CpuKvCache::place(int layer, TokenPos first, int n_tokens, std::span<const f16> keys, std::span<const f16> values,
                       const RopeConfig* rope) {
  assert(range_is_valid(layer, first, n_tokens, keys.size(), values.size()));
  if (n_tokens == 0) return;
  const RopeTable* table = rope ? &ropes_.get(*rope, first + n_tokens - 1) : nullptr;
  const int head_dim = options_.head_dim;
  pool_.parallel_for(n_tokens, 16, [&](int, size_t begin, size_t end) {
    float wide[512];
    for (size_t token = begin; token < end; ++token) {
      const TokenPos position = first + static_cast<TokenPos>(token);
      for (int head = 0; head < options_.n_kv_heads; ++head) {
        const size_t offset = (token * options_.n_kv_heads + head) * head_dim;
        kernels_.to_float(values.data() + offset, head_dim, wide);
        write_value(layer, position, head, wide);
        kernels_.to_float(keys.data() + offset, head_dim, wide);
        if (options_.keep_unrotated_keys) write_unrotated_key(layer, position, head, wide);
        if (table) table->rotate(position, wide);
        write_key(layer, position, head, wide);
      }
    }
  });
}

Status CpuKvCache::read(int layer, TokenPos first, int n_tokens, bool unrotated, std::span<f16> keys,
                        std::span<f16> values) const {
  if (unrotated && !options_.keep_unrotated_keys)
    return usage_error("this sequence does not keep keys before RoPE; open it with keep_unrotated_keys");
  if (!range_is_valid(layer, first, n_tokens, keys.size(), values.size()))
    return usage_error("KV of layer " + std::to_string(layer) + ", tokens " + std::to_string(first) + " to " +
                       std::to_string(first + n_tokens) + " is not in this sequence");
  const int head_dim = options_.head_dim;
  for (int token = 0; token < n_tokens; ++token) {
    const TokenPos position = first + token;
    for (int head = 0; head < options_.n_kv_heads; ++head) {
      const size_t offset = (static_cast<size_t>(token) * options_.n_kv_heads + head) * head_dim;
      std::memcpy(values.data() + offset,
                  page_values(layer, position / kPageTokens, head) + int64_t{position % kPageTokens} * value_stride_,
                  head_dim * sizeof(f16));
      if (unrotated) {
        std::memcpy(keys.data() + offset, unrotated_key(layer, position, head), head_dim * sizeof(f16));
        continue;
      }
      const f16* column = page_keys(layer, position / kPageTokens, head) + position % kPageTokens;
      for (int d = 0; d < head_dim; ++d) keys[offset + d] = column[int64_t{d} * kPageTokens];
    }
  }
  return {};
}

int64_t CpuKvCache::memory_bytes() const {
  return int64_t{options_.n_layers} * (n_reserved_ / kPageTokens) * page_halves() * int64_t{sizeof(f16)};
}

}  // namespace mneme::engine::cpu
