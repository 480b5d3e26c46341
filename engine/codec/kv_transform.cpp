#include "engine/codec/kv_transform.h"

namespace mneme::engine {

KvForwardTransform::KvForwardTransform(const KvBasis& basis, int kv_dim, int group_dim)
    : kv_dim_(kv_dim), group_dim_(group_dim), mean_(basis.mean), matrices_(basis.vectors.size()), zeros_(group_dim) {
  const int n_groups = kv_dim / group_dim;
  for (int g = 0; g < n_groups; ++g) {
    const size_t base = static_cast<size_t>(g) * group_dim * group_dim;
    for (int component = 0; component < group_dim; ++component) {
      for (int channel = 0; channel < group_dim; ++channel) {
        matrices_[base + static_cast<size_t>(channel) * group_dim + component] =
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
    kernels.multiply(centred.data() + g * group_dim_, kv_dim_, n_tokens, group_dim_,
                     matrices_.data() + static_cast<size_t>(g) * group_dim_ * group_dim_, group_dim_, zeros_.data(),
                     out.data() + g * group_dim_, kv_dim_);
  }
}

}  // namespace mneme::engine
