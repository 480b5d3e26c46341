// What retrieval knows of one layer's keys, as kernels see it: codes, codebooks, counts and sums of values of all KV
// heads, resident on the device (engine/pq/pq_index.h has the same on the host). Two parts of up to six bits. A place
// is a dimension in the order of the parts: part p holds places [p, p + 1) * head_dim / 2. Threads: a view.
#pragma once

#include <cstdint>

#include "engine/pq/pq_kernels.h"

namespace mneme::engine::cuda {

inline constexpr int kKeyParts = 2;
inline constexpr int kKeyCodes = kTableEntries;  // of a part, at most
inline constexpr int kCodesOfVector = 16;        // that a thread reads at once; code arrays are multiples of it

// Which candidates the cells' counts of a KV head are of.
struct CountedCells {
  int edition = 0;  // of the codes (PqNumbers)
  int begin = 0;
  int end = 0;
};

struct PqLayerView {
  int n_kv_heads = 0;
  int head_dim = 0;
  int n_clusters = 0;          // codes in use, of either part
  const int* order = nullptr;  // (head_dim): the dimension at each place
  uint8_t* codes = nullptr;    // (n_kv_heads, kKeyParts, code_stride), by position
  int64_t code_stride = 0;
  int8_t* centroids = nullptr;  // (n_kv_heads, head_dim places, kKeyCodes), times scales
  float* scales = nullptr;      // (n_kv_heads, head_dim places)
  // The variance of keys around their centroids: by place, and the share of it that the keys of a code have.
  float* spreads = nullptr;         // (n_kv_heads, head_dim places)
  float* spread_of = nullptr;       // (n_kv_heads, kKeyParts, kKeyCodes)
  int* cell_counts = nullptr;       // (n_kv_heads, kCells) of the candidates
  CountedCells* counted = nullptr;  // (n_kv_heads)
  float* value_sums = nullptr;      // (n_kv_heads, kKeyParts, kKeyCodes, head_dim): of the values of keys with the code
  int* value_counts = nullptr;      // (n_kv_heads, kKeyParts, kKeyCodes)
  bool operator==(const PqLayerView&) const = default;
};

}  // namespace mneme::engine::cuda
