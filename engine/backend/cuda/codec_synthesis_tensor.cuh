// Synthesis of stored KV on tensor cores, to the bits of integers: components up to kHalfLimit and the two parts of a
// basis, six bits each, are exact as f16, their products and sums below 2^24 exact as f32 in any order, and high * 64 +
// low is rounded once, as the integer's conversion would. Compute capability 8.0 and newer. All threads of a block.
#pragma once

#include "engine/backend/cuda/codec_synthesis.h"
#include "engine/backend/cuda/tensor_core.cuh"

namespace mneme::engine::cuda {

inline constexpr int kHalfLimit = 2048;  // integers up to here are exact in f16; 128 * 2048 * 32 = 2^23
inline constexpr int kMmaRows = 16;
inline constexpr int kMmaDepth = 16;
inline constexpr int kMmaColumns = 8;
inline constexpr int kHalfPairs = kSynthesisPairs + 4;  // of a row: eight rows of a fragment lie in different banks

// Components by token, two halves to a word.
using HalfRows = uint32_t[kSynthesisTokens][kHalfPairs];

// What a warp computes: all tokens of the block by so many channels.
inline constexpr int kWarpColumns = 2 * kMmaColumns;
inline constexpr int kRowTiles = kSynthesisTokens / kMmaRows;
inline constexpr int kColumnTiles = kWarpColumns / kMmaColumns;
struct TensorSums {
  float low[kRowTiles][kColumnTiles][4];
  float high[kRowTiles][kColumnTiles][4];
};

// Bytes kFirst and kFirst + 1 of the word, each + 128, as halves: 0x6400 | byte is 1024 + byte.
template <int kFirst>
__device__ __forceinline__ uint32_t bytes_as_halves(uint32_t bytes) {
#ifdef MNEME_SIMT_ON_HOST
  const auto number = [&](int i) { return static_cast<float>(bytes >> (8 * i) & 0xffu) - 128.0f; };
  return pack_halves(number(kFirst), number(kFirst + 1));
#else
  const uint32_t biased = __byte_perm(bytes, 0x64646464u, kFirst == 0 ? 0x4140 : 0x4342);
  const __half2 less = __hsub2(*reinterpret_cast<const __half2*>(&biased), __float2half2_rn(1152.0f));
  return *reinterpret_cast<const uint32_t*>(&less);
#endif
}

// The basis of kMmaDepth components from `pair` on and kMmaColumns channels, as fragments of both parts.
__device__ __forceinline__ void load_basis(const GroupRef& group, int group_dim, int pair, int channel,
                                           uint32_t (&low)[2], uint32_t (&high)[2]) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int n_pairs = (group.count + 1) / 2;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int own = pair + lane % 4 + 4 * half;
    const uint32_t word = own < n_pairs ? __ldg(group.basis + int64_t{own} * group_dim + channel + lane / 4) : 0;
    const uint32_t shifted = word ^ 0x80808080u;
    low[half] = bytes_as_halves<0>(shifted);
    high[half] = bytes_as_halves<2>(shifted);
  }
}

__device__ __forceinline__ void multiply_depth(const HalfRows& rows, const GroupRef& group, int group_dim, int pair,
                                               int first_channel, TensorSums& sums) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  uint32_t low[kColumnTiles][2];
  uint32_t high[kColumnTiles][2];
#pragma unroll
  for (int c = 0; c < kColumnTiles; ++c)
    load_basis(group, group_dim, pair, first_channel + c * kMmaColumns, low[c], high[c]);
#pragma unroll
  for (int r = 0; r < kRowTiles; ++r) {
    uint32_t components[4];
    const uint32_t* const row = &rows[r * kMmaRows + lane % kMmaRows][pair + lane / kMmaRows * 4];
    load_matrices(components, reinterpret_cast<const f16*>(row));
#pragma unroll
    for (int c = 0; c < kColumnTiles; ++c) {
      multiply_add(sums.low[r][c], components, low[c]);
      multiply_add(sums.high[r][c], components, high[c]);
    }
  }
}

// Rows of the block's tokens that are there; out: the first one's channels of the group.
__device__ __forceinline__ void store_sums(const TensorSums& sums, const SynthesisJob& job, const GroupRef& group,
                                           int kv_dim, int n_rows, int first_channel, bool is_lost, f16* out) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
#pragma unroll
  for (int c = 0; c < kColumnTiles; ++c) {
    const int channel = first_channel + c * kMmaColumns + lane % 4 * 2;
    const float scale[2] = {__fmul_rn(__ldg(group.scale + channel), job.step_scale),
                            __fmul_rn(__ldg(group.scale + channel + 1), job.step_scale)};
    const float mean[2] = {__ldg(group.mean + channel), __ldg(group.mean + channel + 1)};
#pragma unroll
    for (int i = 0; i < 2 * kRowTiles; ++i) {
      const int row = i * (kMmaRows / 2) + lane / 4;
      if (row >= n_rows) continue;
      float number[2];
#pragma unroll
      for (int k = 0; k < 2; ++k) {
        const float sum = fmaf(sums.high[i / 2][c][i % 2 * 2 + k], 64.0f, sums.low[i / 2][c][i % 2 * 2 + k]);
        number[k] = fmaf(sum, scale[k], mean[k]);
      }
      *reinterpret_cast<uint32_t*>(out + int64_t{row} * kv_dim + channel) =
          is_lost ? 0 : pack_halves(number[0], number[1]);
    }
  }
}

// rows: up to whole kMmaDepth components, with zeros behind the last.
__device__ __forceinline__ void synthesise_on_tensor_cores(const HalfRows& rows, const SynthesisJob& job,
                                                           const GroupRef& group, const SynthesisShape& shape,
                                                           int n_rows, bool is_lost, f16* out) {
  const int first_channel = static_cast<int>(threadIdx.x) / kWarp * kWarpColumns;
  if (first_channel >= shape.group_dim) return;
  TensorSums sums{};
  for (int pair = 0; 2 * pair < group.count; pair += kMmaDepth / 2)
    multiply_depth(rows, group, shape.group_dim, pair, first_channel, sums);
  store_sums(sums, job, group, shape.kv_dim, n_rows, first_channel, is_lost, out);
}

}  // namespace mneme::engine::cuda
