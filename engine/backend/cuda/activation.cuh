// The activations of feed-forward layers.
#pragma once

#include "engine/backend/cuda/device_language.cuh"
#include "engine/model/model_config.h"

namespace mneme::engine::cuda {

__device__ __forceinline__ float activation_of(Activation kind, float x) {
  if (kind == Activation::kSilu) return x / (1.0f + expf(-x));
  if (kind == Activation::kGelu) return 0.5f * x * (1.0f + erff(x * 0.70710678118654752f));
  if (kind == Activation::kReluSquared) return x > 0.0f ? x * x : x < 0.0f ? 0.0f : x;  // NaN stays what it is
  return 0.5f * x * (1.0f + tanhf(0.79788456080286536f * (x + 0.044715f * x * x * x)));
}

// What becomes of a gate and the number beside it. Comparisons, unlike fminf, leave NaN what it is.
__device__ __forceinline__ float gated_activation(Activation kind, float gate, float up) {
  if (kind != Activation::kSiluClamped) return activation_of(kind, gate) * up;
  constexpr float kLimit = 7.0f;
  constexpr float kSlope = 1.702f;
  gate = gate > kLimit ? kLimit : gate;
  up = up > kLimit ? kLimit : up < -kLimit ? -kLimit : up;
  return gate / (1.0f + expf(-kSlope * gate)) * (up + 1.0f);
}

}  // namespace mneme::engine::cuda
