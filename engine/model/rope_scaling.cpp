#include "engine/model/rope_scaling.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace mneme::engine {

namespace {

// The (fractional) pair index whose rotation turns `rotations` times over the original context.
double yarn_pair(double rotations, int n_rot, double base, double original_context) {
  return n_rot * std::log(original_context / (rotations * 2.0 * std::numbers::pi)) / (2.0 * std::log(base));
}

// Share of a pair that keeps its original frequency: 1 for fast pairs, 0 for slow ones, a ramp between.
double yarn_kept_share(int pair, double low, double high) {
  const double position = (pair - low) / std::max(0.001, high - low);
  return 1.0 - std::clamp(position, 0.0, 1.0);
}

}  // namespace

RopeConfig make_rope(RopeLayout layout, int n_rot, double base, const RopeScaling& scaling,
                     std::span<const float> divisors) {
  assert(n_rot > 0 && n_rot % 2 == 0);
  assert(divisors.empty() || divisors.size() == static_cast<size_t>(n_rot) / 2);
  RopeConfig rope{.layout = layout, .n_rot = n_rot, .inverse_frequencies = {}};
  const bool yarn = scaling.kind == RopeScalingKind::kYarn;
  const bool interpolates = yarn || scaling.kind == RopeScalingKind::kLinear;
  const double low = std::max(0.0, std::floor(yarn_pair(scaling.beta_fast, n_rot, base, scaling.original_context)));
  const double high =
      std::min(n_rot - 1.0, std::ceil(yarn_pair(scaling.beta_slow, n_rot, base, scaling.original_context)));
  for (int pair = 0; pair < n_rot / 2; ++pair) {
    double frequency = std::pow(base, -2.0 * pair / n_rot);
    if (!divisors.empty()) frequency /= divisors[static_cast<size_t>(pair)];
    if (interpolates) {
      const double kept = yarn ? yarn_kept_share(pair, low, high) : 0.0;
      frequency = frequency / scaling.factor * (1.0 - kept) + frequency * kept;
    }
    rope.inverse_frequencies.push_back(static_cast<float>(frequency));
  }
  double attention_factor = scaling.attention_factor;
  // By how much YaRN sharpens attention; models that were trained to need less of it name a multiplier.
  const auto sharpening = [&](double multiplier) { return 1.0 + 0.1 * multiplier * std::log(scaling.factor); };
  if (yarn) attention_factor *= sharpening(1.0) / sharpening(scaling.log_multiplier);
  rope.attention_factor = static_cast<float>(attention_factor);
  return rope;
}

}  // namespace mneme::engine
