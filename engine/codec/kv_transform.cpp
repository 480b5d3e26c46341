#include "engine/codec/kv_transform.h"

#include <algorithm>

namespace mneme::engine {
namespace {

// In lanes, which compilers make vectors of.
float sum_of_squares(const float* x, int n) {
  constexpr int kLanes = 8;
  float lanes[kLanes] = {};
  int i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (int lane = 0; lane < kLanes; ++lane) lanes[lane] += x[i + lane] * x[i + lane];
  float sum = 0;
  for (; i < n; ++i) sum += x[i] * x[i];
  for (const float lane : lanes) sum += lane;
  return sum;
}

}  // namespace

KvForwardTransform::KvForwardTransform(const KvBasis& basis, int kv_dim, int group_dim, std::span<const int> counts)
    : kv_dim_(kv_dim), group_dim_(group_dim), mean_(basis.mean), weight_(basis.weight), zeros_(group_dim) {
  constexpr int kVector = 16;  // what the kernels take
  const int n_groups = kv_dim / group_dim;
  for (int g = 0; g < n_groups; ++g) {
    const int count = counts.empty() ? group_dim : counts[g];
    const int width = std::min((count + kVector - 1) / kVector * kVector, group_dim);
    const size_t base = static_cast<size_t>(g) * group_dim * group_dim;
    counts_.push_back(count);
    widths_.push_back(width);
    std::vector<float>& matrix = matrices_.emplace_back(static_cast<size_t>(group_dim) * width);
    for (int component = 0; component < width; ++component) {
      for (int channel = 0; channel < group_dim; ++channel) {
        matrix[static_cast<size_t>(channel) * width + component] =
            to_f32(basis.vectors[base + static_cast<size_t>(component) * group_dim + channel]) *
            basis.weight[g * group_dim + channel];
      }
    }
  }
}

void KvForwardTransform::apply(const CodecKernels& kernels, int n_tokens, std::span<const f16> in,
                               std::vector<float>& out) const {
  const size_t count = static_cast<size_t>(n_tokens) * kv_dim_;
  thread_local std::vector<float> centred;
  centred.resize(count);
  out.resize(count);
  for (int t = 0; t < n_tokens; ++t) {
    const size_t row = static_cast<size_t>(t) * kv_dim_;
    kernels.centre(in.data() + row, mean_.data(), kv_dim_, centred.data() + row);
  }
  for (int g = 0; g < kv_dim_ / group_dim_; ++g) {
    kernels.multiply({.a = centred.data() + g * group_dim_,
                      .a_stride = kv_dim_,
                      .b = matrices_[g].data(),
                      .init = zeros_.data(),
                      .out = out.data() + g * group_dim_,
                      .out_stride = kv_dim_,
                      .n_rows = n_tokens,
                      .depth = group_dim_,
                      .n_columns = widths_[g]});
  }
}

float KvForwardTransform::most_left_out(const CodecKernels& kernels, int n_tokens, std::span<const f16> in,
                                        std::span<const float> components) const {
  std::vector<float> centred(static_cast<size_t>(kv_dim_));
  float most = 0;
  for (int t = 0; t < n_tokens; ++t) {
    const size_t row = static_cast<size_t>(t) * kv_dim_;
    kernels.centre(in.data() + row, mean_.data(), kv_dim_, centred.data());
    for (int c = 0; c < kv_dim_; ++c) centred[c] *= weight_[c];
    for (int g = 0; g < kv_dim_ / group_dim_; ++g) {
      const float energy = sum_of_squares(centred.data() + g * group_dim_, group_dim_);
      const float left = energy - sum_of_squares(components.data() + row + g * group_dim_, counts_[g]);
      // Directions are kept in f16: what is said may seem to lack a thousandth.
      if (left > 4e-3f * energy) most = std::max(most, left);
    }
  }
  return most;
}

}  // namespace mneme::engine
