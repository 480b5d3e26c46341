// A row of activations in shared memory, as the products of a single row have it (product_row.cu, product_ring.cu):
// int8 with scales and sums, made by the block that multiplies it, once. All kernels here are blocks of kRowThreads.
#pragma once

#include "engine/backend/cuda/product_row.h"
#include "engine/backend/cuda/product_units.cuh"
#include "engine/backend/cuda/rounding.cuh"
#include "engine/backend/cuda/row_norm.cuh"

namespace mneme::engine::cuda {

// The warps of four blocks of multiply_few(), so that as many loads are under way.
inline constexpr int kRowWarps = 16;
inline constexpr int kRowThreads = kRowWarps * kWarp;

// A row is normed by stretches of 128 elements, four neighbours a lane; a warp's are kRowWarps stretches apart.
inline constexpr int kStretch = 4 * kWarp;
inline constexpr int kMostStretches = 4;  // a warp's
constexpr int width_of(int stretches) {
  return stretches * kRowWarps * kStretch;
}

// The row in shared memory, as int8. Units lie so that the eight lanes that read at a time meet no bank twice, whether
// their units follow each other, are every second one (MXFP4) or two of four (Q4_K).
struct RowInShared {
  uint32_t* codes;  // words of four
  float* scales;
  float* sums;
  static __device__ __forceinline__ int place_of(int unit) { return unit ^ (3 * ((unit >> 3) & 1)); }
};
// place_of() keeps to groups of four.
__host__ __device__ inline int placed_width(int width) {
  return (width + 4 * kUnit - 1) / (4 * kUnit) * (4 * kUnit);
}
inline size_t row_shared_bytes(int width) {
  const auto n = static_cast<size_t>(width);
  return static_cast<size_t>(placed_width(width)) + (n / kRoundBlock + n / kSumBlock) * sizeof(float);
}
__device__ __forceinline__ RowInShared row_in_shared(unsigned char* at, int width) {
  auto* codes = reinterpret_cast<uint32_t*>(at);
  auto* scales = reinterpret_cast<float*>(at + placed_width(width));
  return {codes, scales, scales + width / kRoundBlock};
}
// What lies behind it: its width is a multiple of 128.
__device__ __forceinline__ float2* gated_in_shared(const RowInShared& row, int width) {
  return reinterpret_cast<float2*>(row.sums + width / kSumBlock);
}

// A lane's four neighbours of each of its warp's kN stretches; zeros beyond the row.
template <int kN>
struct RowStretches {
  float4 fours[kN];
  static __device__ __forceinline__ int index(int stretch) {
    return stretch * kRowWarps * kStretch + static_cast<int>(threadIdx.x) * 4;
  }
  __device__ __forceinline__ RowStretches(const float* from, int width) {
#pragma unroll
    for (int stretch = 0; stretch < kN; ++stretch) {
      const int i = index(stretch);
      fours[stretch] = i < width ? *reinterpret_cast<const float4*>(from + i) : float4{0.0f, 0.0f, 0.0f, 0.0f};
    }
  }
};

// The row's sum of squares, added up in the order of norm_rows(): its threads have four neighbours each, those beyond
// the 1,024th go round, and a warp here has the stretches of kTheirs warps there.
inline constexpr int kNormWarps = kMostNormThreads / kWarp;
template <int kN>
__device__ __forceinline__ float sum_of_squares(const RowStretches<kN>& row) {
  constexpr int kTheirs = kNormWarps / kRowWarps;
  __shared__ float parts[kNormWarps];
  const auto warp = static_cast<int>(threadIdx.x) / kWarp;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
#pragma unroll
  for (int theirs = 0; theirs < kTheirs; ++theirs) {
    float squares = 0.0f;
#pragma unroll
    for (int stretch = theirs; stretch < kN; stretch += kTheirs) {
      const float4& four = row.fours[stretch];
      squares = plus_square(plus_square(plus_square(plus_square(squares, four.x), four.y), four.z), four.w);
    }
    squares = warp_sum(squares);
    if (lane == 0) parts[theirs * kRowWarps + warp] = squares;
  }
  __syncthreads();
  return warp_sum(parts[lane]);
}

// Of width_of(kN) elements at most. All threads of the block; whole warps are within the row or beyond it.
template <int kN>
__device__ __forceinline__ void norm_and_round(const RowToNorm& of, const RowInShared& out) {
  const RowStretches<kN> row(of.x, of.width);
  const RowStretches<kN> weights(of.norm.weight, of.width);
  const float inverse = inverse_deviation(sum_of_squares(row), of.width, of.norm.epsilon);
#pragma unroll
  for (int stretch = 0; stretch < kN; ++stretch) {
    const int i = RowStretches<kN>::index(stretch);
    if (i >= of.width) break;
    const float4& x = row.fours[stretch];
    const float4& w = weights.fours[stretch];
    const RoundedFour rounded = round_four({normed(x.x, inverse, w.x, 0.0f), normed(x.y, inverse, w.y, 0.0f),
                                            normed(x.z, inverse, w.z, 0.0f), normed(x.w, inverse, w.w, 0.0f)});
    const int unit = i / kUnit;
    out.codes[(RowInShared::place_of(unit) * kUnit + i % kUnit) / 4] = rounded.codes;
    if (i % kSumBlock == 0) out.sums[unit] = rounded.sum;
    if (i % kRoundBlock == 0) out.scales[i / kRoundBlock] = rounded.scale;
  }
  __syncthreads();
}

// A lane's piece of kOutputs rows of weights with the same units of x.
template <typename Reader>
__device__ __forceinline__ void add_piece(const typename Reader::Raw (&raw)[kOutputs], int piece, const RowInShared& x,
                                          float (&sums)[kOutputs]) {
  Unit units[kOutputs][Reader::kUnits];
#pragma unroll
  for (int o = 0; o < kOutputs; ++o) Reader::unpack(raw[o], piece, units[o]);
#pragma unroll
  for (int j = 0; j < Reader::kUnits; ++j) {
    const int unit = Reader::unit_of(piece, j);
    const int4 codes = reinterpret_cast<const int4*>(x.codes)[RowInShared::place_of(unit)];
    const float scale = x.scales[unit * kUnit / kRoundBlock];
    const float sum = Reader::kHasMinimum ? x.sums[unit] : 0.0f;
#pragma unroll
    for (int o = 0; o < kOutputs; ++o) sums[o] = plus_unit<Reader>(sums[o], units[o][j], codes, scale, sum);
  }
}

}  // namespace mneme::engine::cuda
