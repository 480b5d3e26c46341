// KV of one sequence in pages of kPageTokens tokens per layer. A page holds, per KV head,
//   keys   (head_dim, kPageTokens)       transposed: scores of neighbouring tokens are neighbouring lanes
//   values (kPageTokens, value_stride)   value_stride = head_dim rounded up to 16, the rest zero
// in f16; or, for Q8_0, codes of keys, codes of values, scales of keys, scales of values (layouts: kv_page.h). After
// all heads, if kept, keys before RoPE (kPageTokens, n_kv_heads, head_dim) in f16. Pages never move; growing copies
// nothing. Threads: the write functions for different positions from any thread, after reserve().
#pragma once

#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "engine/backend/backend.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/kv_page.h"
#include "engine/backend/cpu/page_pool.h"
#include "engine/backend/cpu/rope_table.h"

namespace mneme::engine::cpu {

class CpuKvCache final : public KvCache {
 public:
  // All but the options are the backend's.
  CpuKvCache(const KvCacheOptions& options, const Kernels& kernels, ThreadPool& pool, RopeTables& ropes,
             std::shared_ptr<PagePool> memory);

  Status reserve(int n_tokens) override;
  void place(int layer, TokenPos first, int n_tokens, std::span<const f16> keys, std::span<const f16> values,
             const RopeConfig* rope) override;
  Status read(int layer, TokenPos first, int n_tokens, bool unrotated, std::span<f16> keys,
              std::span<f16> values) const override;
  int64_t memory_bytes() const override;

  int value_stride() const { return value_stride_; }
  int n_reserved() const { return n_reserved_; }

  // One head of one token. unrotated may be null when not kept. key, value: (head_dim) f32, rounded to the
  // cache's type.
  void write_key(int layer, TokenPos position, int kv_head, const float* key);
  void write_value(int layer, TokenPos position, int kv_head, const float* value);
  void write_unrotated_key(int layer, TokenPos position, int kv_head, const float* key);

  KvPage page(int layer, int page, int kv_head) const;
  // All of what page() gives, one run of memory.
  std::span<const std::byte> page_memory(int layer, int page, int kv_head) const {
    return {head_page(layer, page, kv_head), static_cast<size_t>(head_bytes())};
  }

 private:
  bool is_q8() const { return options_.type == KvType::kQ8_0; }
  int64_t head_elements() const { return int64_t{kPageTokens} * (options_.head_dim + value_stride_); }
  int64_t head_bytes() const;  // of one head in a page of a layer
  int64_t page_bytes() const;  // of one layer
  std::byte* layer_page(int layer, int page) const { return pages_[page]->data() + layer * page_bytes(); }
  std::byte* head_page(int layer, int page, int kv_head) const {
    return layer_page(layer, page) + kv_head * head_bytes();
  }
  void read_key(int layer, TokenPos position, int kv_head, f16* key) const;
  void read_value(int layer, TokenPos position, int kv_head, f16* value) const;
  const f16* unrotated_key(int layer, TokenPos position, int kv_head) const;
  bool range_is_valid(int layer, TokenPos first, int n_tokens, size_t n_keys, size_t n_values) const;

  const Kernels& kernels_;
  ThreadPool& pool_;
  RopeTables& ropes_;
  int value_stride_;
  int n_reserved_ = 0;  // tokens, whole pages
  std::shared_ptr<PagePool> memory_;
  std::vector<std::unique_ptr<PagePool::Run>> pages_;  // [page]: of all layers
};

}  // namespace mneme::engine::cpu
