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

// The basis of kMmaDepth components and kWarpColumns channels, as this lane's share of fragments, before it is taken
// apart.
struct BasisWords {
  uint32_t words[kColumnTiles][2];
};
// Of components from `pair` on; zeros behind the last.
__device__ __forceinline__ BasisWords load_basis(const GroupRef& group, int group_dim, int pair, int first_channel) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int n_pairs = (group.count + 1) / 2;
  BasisWords basis;
#pragma unroll
  for (int c = 0; c < kColumnTiles; ++c) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int own = pair + lane % 4 + 4 * half;
      const int channel = first_channel + c * kMmaColumns + lane / 4;
      basis.words[c][half] = own < n_pairs ? __ldg(group.basis + int64_t{own} * group_dim + channel) : 0;
    }
  }
  return basis;
}

__device__ __forceinline__ void multiply_depth(const HalfRows& rows, const BasisWords& basis, int pair,
                                               TensorSums& sums) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  uint32_t low[kColumnTiles][2];
  uint32_t high[kColumnTiles][2];
#pragma unroll
  for (int c = 0; c < kColumnTiles; ++c) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const uint32_t shifted = basis.words[c][half] ^ 0x80808080u;
      low[c][half] = bytes_as_halves<0>(shifted);
      high[c][half] = bytes_as_halves<2>(shifted);
    }
  }
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

// What two channels beside each other are made of.
struct ChannelScales {
  float scale[2];
  float mean[2];
};

__device__ __forceinline__ uint32_t numbers_of(const float* low, const float* high, const ChannelScales& by) {
  float number[2];
#pragma unroll
  for (int k = 0; k < 2; ++k) number[k] = fmaf(fmaf(high[k], 64.0f, low[k]), by.scale[k], by.mean[k]);
  return pack_halves(number[0], number[1]);
}

// Rows of the block's tokens that are there; out: the first one's channels of the group, stride: to the next one's, in
// halves. Two lanes beside each other
// exchange halves, so that each stores four channels of one column tile and a warp 32 bytes of a row at once.
__device__ __forceinline__ void store_sums(const TensorSums& sums, const SynthesisJob& job, const GroupRef& group,
                                           int stride, int n_rows, int first_channel, bool is_lost, f16* out) {
  static_assert(kColumnTiles == 2);
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  ChannelScales by[kColumnTiles];
#pragma unroll
  for (int c = 0; c < kColumnTiles; ++c) {
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      const int channel = first_channel + c * kMmaColumns + lane % 4 * 2 + k;
      by[c].scale[k] = __fmul_rn(__ldg(group.scale + channel), job.step_scale);
      by[c].mean[k] = __ldg(group.mean + channel);
    }
  }
  const bool is_odd = lane % 2 != 0;
  f16* const to = out + first_channel + (is_odd ? kMmaColumns : 0) + lane % 4 / 2 * 4;
#pragma unroll
  for (int i = 0; i < 2 * kRowTiles; ++i) {
    const auto numbers = [&](int c) {
      return numbers_of(&sums.low[i / 2][c][i % 2 * 2], &sums.high[i / 2][c][i % 2 * 2], by[c]);
    };
    const uint32_t first = numbers(0);
    const uint32_t second = numbers(1);
    const uint32_t other = __shfl_xor_sync(kAllLanes, is_odd ? first : second, 1);
    const int row = i * (kMmaRows / 2) + lane / 4;
    if (row >= n_rows) continue;
    const uint2 four = is_odd ? uint2{other, second} : uint2{first, other};
    *reinterpret_cast<uint2*>(to + int64_t{row} * stride) = is_lost ? uint2{0, 0} : four;
  }
}

// The first channel of the group that this warp computes, if there are so many.
__device__ __forceinline__ int first_channel_of_warp() {
  return static_cast<int>(threadIdx.x) / kWarp * kWarpColumns;
}

// rows: up to whole kMmaDepth components, with zeros behind the last.
__device__ __forceinline__ void add_on_tensor_cores(const HalfRows& rows, const GroupRef& group, int group_dim,
                                                    TensorSums& sums) {
  const int first_channel = first_channel_of_warp();
  BasisWords next = load_basis(group, group_dim, 0, first_channel);
#pragma unroll 1
  for (int pair = 0; 2 * pair < group.count; pair += kMmaDepth / 2) {
    const BasisWords basis = next;
    next = load_basis(group, group_dim, pair + kMmaDepth / 2, first_channel);
    multiply_depth(rows, basis, pair, sums);
  }
}

}  // namespace mneme::engine::cuda
