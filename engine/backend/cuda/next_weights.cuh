// Asking for weights that the kernel behind this one reads (next_weights.h).
#pragma once

#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/next_weights.h"

namespace mneme::engine::cuda {

inline constexpr int kAheadBytes = 8192;  // that one thread asks for at once

#ifdef MNEME_SIMT_ON_HOST
inline void fetch_to_cache(const std::byte* from, int bytes) {
  simt::ask_for(from, static_cast<size_t>(bytes));
}
#else
__device__ __forceinline__ void fetch_to_cache(const std::byte* from, int bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(__cvta_generic_to_global(from)), "r"(bytes)
               : "memory");
#endif
}
#endif

// Pieces are dealt to the grid's blocks from `first_block` on in turn, and to the lanes of each block's first warp.
// Before after_earlier_kernels(): weights are written by no kernel.
__device__ __forceinline__ void fetch_weights(const NextWeights& ahead, int first_block = 0) {
  if (threadIdx.x >= kWarp) return;
  const auto n_blocks = static_cast<int>(gridDim.x * gridDim.y * gridDim.z) - first_block;
  const int block = static_cast<int>((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) - first_block;
  if (block < 0) return;
  int at = static_cast<int>(threadIdx.x) * n_blocks + block;  // neighbours go to different blocks
#pragma unroll
  for (int part = 0; part < NextWeights::kMostParts; ++part) {
    const int n_pieces = static_cast<int>((ahead.bytes[part] + kAheadBytes - 1) / kAheadBytes);
    for (; at < n_pieces; at += kWarp * n_blocks) {
      const int64_t begin = int64_t{at} * kAheadBytes;
      const int64_t left = ahead.bytes[part] - begin;
      fetch_to_cache(ahead.parts[part] + begin, static_cast<int>(left < kAheadBytes ? left : kAheadBytes));
    }
    at -= n_pieces;
  }
}

}  // namespace mneme::engine::cuda
