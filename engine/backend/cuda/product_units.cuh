// What the kernels that multiply quantised weights of few rows share (product_few.cu, product_row.cu): a warp makes
// kOutputs outputs at a time, its lanes share the rows of weights in neighbouring pieces, so that a warp reads whole
// lines.
#pragma once

#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/quant_units.cuh"

namespace mneme::engine::cuda {

inline constexpr int kOutputs = 2;  // a warp's at a time: each piece of x is used twice

// Rows beyond the last repeat the last: reads stay inside, results are dropped.
__device__ __forceinline__ const uint8_t* weight_row(const MatrixRef& w, int output) {
  return in_global_memory(reinterpret_cast<const uint8_t*>(w.data) + min(output, w.n_out - 1) * w.stride_bytes);
}

// Between loads and sums: the compiler would spread the loads among the sums, so that a warp waits for memory several
// times, but moves none past a meeting of the lanes. All of them must come here.
__device__ __forceinline__ void keep_loads_together() {
  __syncwarp();
}

__device__ __forceinline__ int dot16(const Unit& weights, const int4& codes) {
  int dot = __dp4a(weights.codes[0], codes.x, 0);
  dot = __dp4a(weights.codes[1], codes.y, dot);
  dot = __dp4a(weights.codes[2], codes.z, dot);
  return __dp4a(weights.codes[3], codes.w, dot);
}

// `total` and a unit of weights times the same unit of x: its codes, their scale and scale * sum of the codes. Fused by
// name, so that every kernel makes the same bits of it.
template <typename Reader>
__device__ __forceinline__ float plus_unit(float total, const Unit& weights, const int4& codes, float scale,
                                           float sum) {
  total = fmaf(weights.scale * scale, static_cast<float>(dot16(weights, codes)), total);
  return Reader::kHasMinimum ? fmaf(-weights.minimum, sum, total) : total;
}

}  // namespace mneme::engine::cuda
