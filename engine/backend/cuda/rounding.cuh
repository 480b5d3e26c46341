// Writing one element of a row in all the forms of RoundedRows.
#pragma once

#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/rounded_rows.h"

namespace mneme::engine::cuda {

inline constexpr float kLargestHalf = 65504.0f;

// Finite numbers only: infinities and NaN stay what they are, so that a broken step is not hidden.
__device__ __forceinline__ float saturate_half(float value) {
  if (!isfinite(value)) return value;
  return fminf(fmaxf(value, -kLargestHalf), kLargestHalf);
}

__device__ __forceinline__ uint16_t half_bits(HalfKind kind, float value) {
  return kind == HalfKind::kBf16 ? float_to_bf16(value) : float_to_half(saturate_half(value)).bits;
}

// Elements i to i + 3 of a row, i a multiple of four, in all forms but int8.
__device__ __forceinline__ void store_four(const RoundedRows& out, int64_t row, int i, const float4& four) {
  if (out.values != nullptr) *reinterpret_cast<float4*>(out.values + row * out.width + i) = four;
  if (out.halves == nullptr) return;
  const auto pair = [&](float low, float high) {
    return half_bits(out.half_kind, low) | static_cast<uint32_t>(half_bits(out.half_kind, high)) << 16;
  };
  *reinterpret_cast<uint2*>(out.halves + row * out.half_stride + i) = {pair(four.x, four.y), pair(four.z, four.w)};
}

// What four neighbours become in int8: their codes, and the scale and sum (scale * sum of the codes) that they share
// with others.
struct RoundedFour {
  uint32_t codes;
  float scale;
  float sum;
};

// By all lanes of a warp at once, lane l with elements 4 l to 4 l + 3 of 128: eight lanes share a scale, four a sum.
__device__ __forceinline__ RoundedFour round_four(const float4& four) {
  static_assert(kRoundBlock == 32 && kSumBlock == 16);
  float largest = fmaxf(fmaxf(fabsf(four.x), fabsf(four.y)), fmaxf(fabsf(four.z), fabsf(four.w)));
  for (int lanes = kRoundBlock / 8; lanes > 0; lanes /= 2)
    largest = fmaxf(largest, __shfl_xor_sync(kAllLanes, largest, lanes));
  const float scale = largest / 127.0f;
  const auto code_of = [&](float value) {
    const float rounded = scale > 0.0f ? rintf(value / scale) : 0.0f;
    return static_cast<int>(fminf(fmaxf(rounded, -127.0f), 127.0f));
  };
  const int codes[4] = {code_of(four.x), code_of(four.y), code_of(four.z), code_of(four.w)};
  uint32_t packed = 0;
  int sum = 0;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    packed |= (static_cast<uint32_t>(codes[j]) & 0xffu) << (8 * j);
    sum += codes[j];
  }
  for (int lanes = kSumBlock / 8; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(kAllLanes, sum, lanes);
  return {packed, scale, scale * static_cast<float>(sum)};
}

// The same and int8: by all lanes of a warp at once with i = 128 n + 4 lane where int8 is wanted.
__device__ __forceinline__ void store_four_rounded(const RoundedRows& out, int64_t row, int i, const float4& four) {
  store_four(out, row, i, four);
  if (out.codes == nullptr) return;
  const int64_t at = row * out.width + i;
  const RoundedFour rounded = round_four(four);
  *reinterpret_cast<uint32_t*>(out.codes + at) = rounded.codes;
  if (i % kSumBlock == 0) out.sums[at / kSumBlock] = rounded.sum;
  if (i % kRoundBlock == 0) out.scales[at / kRoundBlock] = rounded.scale;
}

// Element i of a row, by all lanes of a warp at once with i = 32 n + lane where int8 is wanted: the 32 neighbours find
// their scale by exchange, nothing is read again.
__device__ __forceinline__ void store_rounded(const RoundedRows& out, int64_t row, int i, float value) {
  const int64_t at = row * out.width + i;
  if (out.values != nullptr) out.values[at] = value;
  if (out.halves != nullptr) {
    out.halves[row * out.half_stride + i] = half_bits(out.half_kind, value);
  }
  if (out.codes == nullptr) return;
  const float scale = warp_max(fabsf(value)) / 127.0f;
  const float rounded = scale > 0.0f ? rintf(value / scale) : 0.0f;
  const float code = fminf(fmaxf(rounded, -127.0f), 127.0f);
  out.codes[at] = static_cast<int8_t>(code);
  float sum = code;
  for (int lanes = kSumBlock / 2; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(kAllLanes, sum, lanes);
  if (i % kSumBlock == 0) out.sums[at / kSumBlock] = scale * sum;
  if (i % kRoundBlock == 0) out.scales[at / kRoundBlock] = scale;
}

}  // namespace mneme::engine::cuda
