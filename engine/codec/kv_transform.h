// The analysis side of the transform codec, shared by calibration and encoding: channels to components and to integers.
#pragma once

#include <span>
#include <vector>

#include "engine/codec/codec_kernels.h"
#include "engine/codec/kv_profile.h"

namespace mneme::engine {

// Ready to turn rows of one part of one layer into components.
class KvForwardTransform {
 public:
  // counts: of each group, how many components are wanted, the first ones; empty: all of them.
  KvForwardTransform(const KvBasis& basis, int kv_dim, int group_dim, std::span<const int> counts = {});

  // in: (n_tokens, kv_dim); out: (n_tokens, kv_dim) components, groups side by side; those that are not wanted are left
  // as they are. NaN and infinities count as the channel's mean, so that they touch nothing else.
  void apply(const CodecKernels& kernels, int n_tokens, std::span<const f16> in, std::vector<float>& out) const;

  // Of the tokens' energy in a group what its wanted components leave out, the most of any token: in units of the
  // calibration's weights, in which ordinary numbers are about one each. components: what apply() made.
  float most_left_out(const CodecKernels& kernels, int n_tokens, std::span<const f16> in,
                      std::span<const float> components) const;

  // For other processors. Of a group, (group_dim channels, width) and how many components are computed.
  std::span<const float> matrix(int group) const { return matrices_[static_cast<size_t>(group)]; }
  int width(int group) const { return widths_[static_cast<size_t>(group)]; }
  std::span<const float> mean() const { return mean_; }  // (kv_dim)

 private:
  int kv_dim_;
  int group_dim_;
  std::vector<float> mean_;
  std::vector<float> weight_;
  std::vector<int> counts_;                   // of each group, how many components are wanted
  std::vector<int> widths_;                   // components of each group that are computed: a multiple of 16
  std::vector<std::vector<float>> matrices_;  // of each group: (group_dim channels, width components)
  std::vector<float> zeros_;
};

// The integer of a component: magnitudes round up from 1 - kComponentRound on. Within +-32767, which stands for all
// beyond as well.
inline int quantise_component(float component, float inverse_step) {
  const float scaled = component * inverse_step;
  const float magnitude = scaled < 0 ? -scaled : scaled;
  const int integer = magnitude < 32766.0f ? static_cast<int>(magnitude + kComponentRound) : 32767;
  return scaled < 0 ? -integer : integer;
}

}  // namespace mneme::engine
