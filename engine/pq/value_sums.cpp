#include "engine/pq/value_sums.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mneme::engine {

ValueSums::ValueSums(int head_dim)
    : head_dim_(head_dim),
      stride_((head_dim + 15) / 16 * 16),
      counts_(size_t{2} * kTableEntries),
      sums_(counts_.size() * static_cast<size_t>(stride_)),
      total_(static_cast<size_t>(stride_)) {}

void ValueSums::add(const CodePair& codes, TokenPos begin, TokenPos end, std::span<const float> values) {
  for (TokenPos i = begin; i < end; ++i, values = values.subspan(static_cast<size_t>(head_dim_))) {
    const size_t rows[] = {codes.first[i], size_t{kTableEntries} + codes.second[i]};
    for (const size_t row : rows) {
      ++counts_[row];
      float* sum = sums_.data() + row * static_cast<size_t>(stride_);
      for (int d = 0; d < head_dim_; ++d) sum[d] += values[static_cast<size_t>(d)];
    }
    for (int d = 0; d < head_dim_; ++d) total_[static_cast<size_t>(d)] += values[static_cast<size_t>(d)];
    ++n_keys_;
  }
}

void ValueSums::estimate(std::span<const float> first, std::span<const float> second, const PqKernels& kernels,
                         std::span<float> out) const {
  std::fill(out.begin(), out.end(), 0.0f);
  if (n_keys_ == 0) return;
  float weights[2 * kTableEntries];
  for (size_t i = 0; i < counts_.size(); ++i) {
    const float weight = i < kTableEntries ? first[i] : second[i - kTableEntries];
    weights[i] = counts_[i] > 0 ? weight / counts_[i] : 0.0f;
  }
  kernels.add_rows(weights, sums_.data(), 2 * kTableEntries, stride_, out.data());
  // Both parts brought the mean along.
  const float once = -std::accumulate(first.begin(), first.end(), 0.0f) / n_keys_;
  kernels.add_rows(&once, total_.data(), 1, stride_, out.data());
}

}  // namespace mneme::engine
