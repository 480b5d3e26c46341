// The arithmetic of a row's norm, in one place and fused by name, so that the kernel of norms and the products that
// norm their row themselves make the same bits.
#pragma once

#include "engine/backend/cuda/device_language.cuh"

namespace mneme::engine::cuda {

inline constexpr int kMostNormThreads = 1024;  // of a block that has a whole row

// `squares` and that of an element's distance from the mean.
__device__ __forceinline__ float plus_square(float squares, float distance) {
  return fmaf(distance, distance, squares);
}
__device__ __forceinline__ float inverse_deviation(float squares, int width, float epsilon) {
  return 1.0f / sqrtf(squares / static_cast<float>(width) + epsilon);
}
__device__ __forceinline__ float normed(float distance, float inverse, float weight, float bias) {
  return fmaf(distance * inverse, weight, bias);
}

}  // namespace mneme::engine::cuda
