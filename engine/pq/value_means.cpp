#include "engine/pq/value_means.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mneme::engine {
namespace {

constexpr size_t kCodes = size_t{2} * kTableEntries;  // of both parts
constexpr float kMostCode = 127.0f;                   // of a mean's dimension

// Sums of some keys' values by the codes of both parts.
struct CodeSums {
  std::vector<float> counts = std::vector<float>(kCodes);
  std::vector<float> sums;  // (kCodes, stride)

  CodeSums(const CodePair& codes, TokenPos begin, TokenPos end, const float* values, size_t head_dim, size_t stride)
      : sums(kCodes * stride) {
    for (TokenPos i = begin; i < end; ++i, values += head_dim) {
      for (const size_t row : {size_t{codes.first[i]}, size_t{kTableEntries} + codes.second[i]}) {
        ++counts[row];
        float* sum = sums.data() + row * stride;
        for (size_t d = 0; d < head_dim; ++d) sum[d] += values[d];
      }
    }
  }
};

// Rounds to codes. Gives their scale.
float to_codes(std::span<const float> values, int8_t* codes) {
  float largest = 0;
  for (const float value : values) largest = std::max(largest, std::fabs(value));
  const float inverse = largest > 0 ? kMostCode / largest : 0.0f;
  for (size_t d = 0; d < values.size(); ++d) codes[d] = static_cast<int8_t>(std::lround(values[d] * inverse));
  return largest / kMostCode;
}

}  // namespace

ValueMeans::ValueMeans(int head_dim)
    : head_dim_(head_dim),
      stride_((head_dim + 15) / 16 * 16),
      counts_(kCodes),
      means_(kCodes * static_cast<size_t>(stride_)),
      scales_(kCodes),
      mean_(static_cast<size_t>(stride_)) {}

void ValueMeans::add(const CodePair& codes, TokenPos begin, TokenPos end, std::span<const float> values) {
  if (begin >= end) return;
  const auto stride = static_cast<size_t>(stride_);
  const CodeSums some(codes, begin, end, values.data(), static_cast<size_t>(head_dim_), stride);
  const float n_before = n_keys_;
  n_keys_ += static_cast<float>(end - begin);
  for (size_t d = 0; d < stride; ++d) {
    float sum = 0;
    for (size_t row = 0; row < kTableEntries; ++row) sum += some.sums[row * stride + d];
    mean_[d] = (mean_[d] * n_before + sum) / n_keys_;
  }
  std::vector<float> mean(stride);
  for (size_t row = 0; row < kCodes; ++row) {
    const float n_old = counts_[row];
    counts_[row] += some.counts[row];
    int8_t* codes = means_.data() + row * stride;
    for (size_t d = 0; d < stride; ++d) {
      // A code that no key has had so far stands for the mean, in case one comes that is not added yet.
      mean[d] =
          counts_[row] == 0
              ? mean_[d]
              : (scales_[row] * static_cast<float>(codes[d]) * n_old + some.sums[row * stride + d]) / counts_[row];
    }
    scales_[row] = to_codes(mean, codes);
  }
}

void ValueMeans::estimate(std::span<const float> first, std::span<const float> second, int n_heads,
                          const PqKernels& kernels, std::span<float> out) const {
  const auto stride = static_cast<size_t>(stride_);
  // Both parts bring the mean along: once too often.
  for (size_t h = 0; h < static_cast<size_t>(n_heads); ++h) {
    const auto own = first.subspan(h * kTableEntries, kTableEntries);
    const float weight = std::accumulate(own.begin(), own.end(), 0.0f);
    for (size_t d = 0; d < stride; ++d) out[h * stride + d] = -weight * mean_[d];
  }
  std::vector<float> scaled(first.size());
  const int8_t* rows = means_.data();
  const float* scales = scales_.data();
  for (const std::span<const float> weights : {first, second}) {
    for (size_t i = 0; i < scaled.size(); ++i) scaled[i] = weights[i] * scales[i % kTableEntries];
    kernels.mix_rows({.n_heads = n_heads, .weights = scaled.data(), .rows = rows, .width = stride_, .out = out.data()});
    rows += kTableEntries * stride;
    scales += kTableEntries;
  }
}

}  // namespace mneme::engine
