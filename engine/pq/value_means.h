// Mean values of the keys that share a code, of one KV head: what the attention of many keys is estimated with when
// only their codes are looked at. A value is modelled as the mean plus what either part's code adds to it. Means are
// kept in 8 bits with a scale each: a 254th of a mean's largest dimension is little beside how values lie around it.
// Threads: const functions from any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/pq/cell_ranking.h"
#include "engine/pq/pq_kernels.h"

namespace mneme::engine {

class ValueMeans {
 public:
  explicit ValueMeans(int head_dim);

  // values: (end - begin, head_dim) of the keys [begin, end). The means are rounded every time: better many keys at
  // once.
  void add(const CodePair& codes, TokenPos begin, TokenPos end, std::span<const float> values);

  // The output of keys whose weights by code are given, (n_heads, kTableEntries) each with equal sums: out
  // (n_heads, value_stride()) becomes the weighted sums of their estimated values.
  void estimate(std::span<const float> first, std::span<const float> second, int n_heads, const PqKernels& kernels,
                std::span<float> out) const;

  // Asks for the memory that estimate() will read.
  [[gnu::always_inline]] void fetch() const {
    constexpr size_t kLine = 64;
    for (size_t i = 0; i < means_.size(); i += kLine) __builtin_prefetch(means_.data() + i, 0, 2);
  }

  int value_stride() const { return stride_; }
  int64_t memory_bytes() const {
    return static_cast<int64_t>(means_.size() + (scales_.size() + counts_.size() + mean_.size()) * sizeof(float));
  }

 private:
  int head_dim_;
  int stride_;                 // head_dim rounded up to 16
  std::vector<float> counts_;  // (2, kTableEntries)
  std::vector<int8_t> means_;  // (2, kTableEntries, stride), times scales_: of the values by code of either part
  std::vector<float> scales_;  // (2, kTableEntries)
  std::vector<float> mean_;    // (stride): of all
  float n_keys_ = 0;
};

}  // namespace mneme::engine
