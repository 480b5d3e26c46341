// Sums of integers over a warp and a block in order, for kernels that choose. Threads: as the kernels that call them.
#pragma once

#include "engine/backend/cuda/device_language.cuh"

namespace mneme::engine::cuda {

// Of the lanes up to this one.
__device__ __forceinline__ int warp_prefix_sum(int value) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  for (int lanes = 1; lanes < kWarp; lanes *= 2) {
    const int other = __shfl_sync(kAllLanes, value, (lane - lanes) & (kWarp - 1));
    if (lane >= lanes) value += other;
  }
  return value;
}
// Of the lanes from this one on.
__device__ __forceinline__ int warp_suffix_sum(int value) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  for (int lanes = 1; lanes < kWarp; lanes *= 2) {
    const int other = __shfl_sync(kAllLanes, value, (lane + lanes) & (kWarp - 1));
    if (lane + lanes < kWarp) value += other;
  }
  return value;
}

// Of the threads before this one, over a block of whole warps. May be called again at once.
__device__ __forceinline__ int block_sum_before(int value) {
  __shared__ int of_warps[kWarp];
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const int own = warp_prefix_sum(value);
  __syncthreads();  // those of an earlier call have been read
  if (lane == kWarp - 1) of_warps[warp] = own;
  __syncthreads();
  int before = 0;
  for (int w = 0; w < warp; ++w) before += of_warps[w];
  return before + own - value;
}

// How many threads of the block say yes.
__device__ __forceinline__ int block_count(bool yes) {
  return static_cast<int>(block_sum(yes ? 1.0f : 0.0f));
}

// counts[i] becomes the sum of those from i on; kN of them, one whole warp.
template <int kN>
__device__ __forceinline__ void suffix_sums(int* counts) {
  constexpr int kOwn = kN / kWarp;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  int own[kOwn];
  int sum = 0;
#pragma unroll
  for (int i = kOwn - 1; i >= 0; --i) own[i] = sum += counts[lane * kOwn + i];
  const int after = warp_suffix_sum(sum) - sum;
#pragma unroll
  for (int i = 0; i < kOwn; ++i) counts[lane * kOwn + i] = own[i] + after;
}

}  // namespace mneme::engine::cuda
