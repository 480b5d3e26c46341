// Mean values of the keys that share a code, of one KV head: what the attention of many keys is estimated with when
// only their codes are looked at. A value is modelled as the mean plus what either part's code adds to it. Threads:
// const functions from any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/pq/cell_ranking.h"
#include "engine/pq/pq_kernels.h"

namespace mneme::engine {

class ValueSums {
 public:
  explicit ValueSums(int head_dim);

  // values: (end - begin, head_dim) of the keys [begin, end).
  void add(const CodePair& codes, TokenPos begin, TokenPos end, std::span<const float> values);

  // The output of keys whose weights by code are given, (kTableEntries) each with equal sums: out (value_stride())
  // becomes the weighted sum of their estimated values.
  void estimate(std::span<const float> first, std::span<const float> second, const PqKernels& kernels,
                std::span<float> out) const;

  int value_stride() const { return stride_; }
  int64_t memory_bytes() const { return static_cast<int64_t>((sums_.size() + counts_.size()) * sizeof(float)); }

 private:
  int head_dim_;
  int stride_;                 // head_dim rounded up to 16
  std::vector<float> counts_;  // (2, kTableEntries)
  std::vector<float> sums_;    // (2, kTableEntries, stride): of the values by code of either part
  std::vector<float> total_;   // (stride)
  float n_keys_ = 0;
};

}  // namespace mneme::engine
