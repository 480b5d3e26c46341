// Finds the rows of one head's tokens in a KV cache, a page's once for neighbours. Threads: pure functions of the
// cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/backend/cpu/cpu_kv_cache.h"
#include "engine/backend/cpu/kv_page.h"

namespace mneme::engine::cpu {

class RowFinder {
 public:
  // cache must outlive this.
  RowFinder(const CpuKvCache& cache, int layer, int kv_head);

  // As if the pages were by token, but for their values. positions ascend.
  void find(std::span<const TokenPos> positions, KvRow* rows) const;
  // Mends the rows of those positions, ascending, whose keys do not: copies of them go to `copies`.
  void copy_keys(std::span<const TokenPos> positions, std::span<KvRow> rows, std::vector<std::byte>& copies) const;

 private:
  // f16, all pages by token.
  void find_by_token(std::span<const TokenPos> positions, KvRow* rows) const;

  const CpuKvCache& cache_;
  const int layer_;
  const int kv_head_;
  const bool codes_;
  const int64_t key_bytes_;
  const int64_t value_bytes_;
};

}  // namespace mneme::engine::cpu
