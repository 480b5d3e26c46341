// KV of one sequence as kernels see it: pages of kPageTokens tokens, each with all layers, those with equal heads side
// by side. In a page, per layer and KV head,
//   keys (kPageTokens, head_dim), values (kPageTokens, head_dim)                                        f16, or
//   codes of keys, codes of values (int8), scales of keys, scales of values (kPageTokens, head_dim/32)  Q8_0;
// after all heads of a layer, if kept, keys before RoPE (kPageTokens, n_kv_heads, head_dim) f16. A token's row is
// contiguous, so that 16 bytes a thread make whole lines, and tokens can be fetched one by one.
// Threads: a view.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mneme::engine::cuda {

inline constexpr int kPageTokens = 128;
inline constexpr int kKvBlock = 32;  // dimensions of a token that share a Q8_0 scale

struct KvView {
  std::byte* const* pages = nullptr;  // on the device
  int64_t layer_bytes = 0;            // from one layer of a page to the next, of those with equal heads; layers are
                                      // counted in such from the page's beginning
  int64_t head_bytes = 0;
  int n_kv_heads = 0;
  int head_dim = 0;
  bool is_q8 = false;
  bool keeps_unrotated = false;
  int layer_mask = ~0;  // pages that hold two layers at a time (host_kv.h): 1, by the last bit of a layer's number
  bool far = false;     // the pages lie in the host's memory
  bool operator==(const KvView&) const = default;
};

// Rows [first_row, first_row + n_rows) of a step belong to one sequence; n_keys: its last row's position + 1.
struct GroupView {
  KvView kv;
  int first_row = 0;
  int n_rows = 0;
  int n_keys = 0;
};

// A step's rows on the device.
struct RowsView {
  uint64_t step = 0;  // another number whenever the rows are others
  int n_rows = 0;
  const int* positions = nullptr;  // (n_rows)
  const int* groups_of = nullptr;  // (n_rows): index into groups
  const GroupView* groups = nullptr;
  // As kernels see them: those of another step in the same memory are equal.
  bool operator==(const RowsView& other) const {
    return n_rows == other.n_rows && positions == other.positions && groups_of == other.groups_of &&
           groups == other.groups;
  }
};

}  // namespace mneme::engine::cuda
