// A centroid's dimension, as floats or as bytes times a scale. Threads: a view.
#pragma once

#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/pq_training.h"

namespace mneme::engine::cuda {

__device__ __forceinline__ float centroid_at(const Centroids& from, int64_t row, int code) {
  const int64_t at = row * kKeyCodes + code;
  return from.bytes != nullptr ? __fmul_rn(from.scales[row], static_cast<float>(from.bytes[at])) : from.floats[at];
}

}  // namespace mneme::engine::cuda
