// Rotation frequencies of RoPE with the scalings found in GGUF files. Pure arithmetic in double precision.
// Methods: linear (position interpolation, 2306.15595), YaRN (2309.00071), Llama 3.1 and LongRoPE (2402.13753) factors,
// which files carry as one divisor per frequency. Threads: pure functions.
#pragma once

#include <span>

#include "engine/model/model_config.h"

namespace mneme::engine {

enum class RopeScalingKind { kNone, kLinear, kYarn, kLongRope };

struct RopeScaling {
  RopeScalingKind kind = RopeScalingKind::kNone;
  double factor = 1.0;            // context extension, >= 1 usually; linear and YaRN
  double original_context = 0;    // tokens the model was trained on before extension; YaRN, LongRoPE
  double attention_factor = 1.0;  // multiplies cos and sin on top of YaRN's own
  double log_multiplier = 0.0;    // YaRN: of the logarithm in its own factor, which is divided by what it gives
  double beta_fast = 32.0;        // YaRN: rotations over the original context above which nothing is interpolated
  double beta_slow = 1.0;         // YaRN: below which everything is
};

// n_rot: even, > 0. divisors: empty, or n_rot / 2 positive factors that divide the frequencies.
RopeConfig make_rope(RopeLayout layout, int n_rot, double base, const RopeScaling& scaling,
                     std::span<const float> divisors);

}  // namespace mneme::engine
