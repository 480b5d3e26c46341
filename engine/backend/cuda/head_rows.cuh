// A head of a row on its way from the products' outputs to attention or into a cache. It lies in shared memory,
// (head_dim) f32, and all lanes of a warp work on it at once: lane l owns elements l, l + 32, ... until a rotation
// mixes them. kMost, where it is given, is the most elements that a head has: loops are then unrolled, so that their
// loads do not wait for one another.
#pragma once

#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/head_kernels.h"
#include "engine/backend/cuda/kv_access.cuh"

namespace mneme::engine::cuda {

__device__ __forceinline__ int head_lane() {
  return static_cast<int>(threadIdx.x) % kWarp;
}

// body(d, i) for the lane's own elements d of n, the i-th first one 0.
template <int kMost, typename Body>
__device__ __forceinline__ void for_own(int n, Body body) {
  if constexpr (kMost == 0) {
    for (int d = head_lane(), i = 0; d < n; d += kWarp, ++i) body(d, i);
  } else {
#pragma unroll
    for (int i = 0; i < (kMost + kWarp - 1) / kWarp; ++i)
      if (head_lane() + i * kWarp < n) body(head_lane() + i * kWarp, i);
  }
}

__device__ __forceinline__ float inverse_rms(const float* values, int n, float epsilon) {
  float squares = 0.0f;
  for (int d = head_lane(); d < n; d += kWarp) squares += values[d] * values[d];
  return 1.0f / sqrtf(warp_sum(squares) / static_cast<float>(n) + epsilon);
}

template <int kMost>
__device__ __forceinline__ void norm_head(const float* weight, float inverse, int head_dim, float* head) {
  for_own<kMost>(head_dim, [&](int d, int) { head[d] = head[d] * inverse * weight[d]; });
}

// A value by itself, without weights.
template <int kMost>
__device__ __forceinline__ void norm_value(const HeadsIn& in, float* head) {
  const float inverse = inverse_rms(head, in.head_dim, in.epsilon);
  for_own<kMost>(in.head_dim, [&](int d, int) { head[d] *= inverse; });
}

// Head h of a row, whose queries or keys may be normed together: every head then sums up all of them again.
template <int kMost = 0>
__device__ __forceinline__ void norm_query_or_key(const HeadsIn& in, int64_t row, int h, float* head) {
  const bool is_query = h < in.n_heads;
  const float* weight = is_query ? in.q_norm : in.k_norm;
  if (weight == nullptr) return;
  if (!in.whole_norm) return norm_head<kMost>(weight, inverse_rms(head, in.head_dim, in.epsilon), in.head_dim, head);
  const int first = is_query ? 0 : in.n_heads;
  const float* all = in.qkv + (row * (in.n_heads + 2 * in.n_kv_heads) + first) * in.head_dim;
  const float inverse = inverse_rms(all, (is_query ? in.n_heads : in.n_kv_heads) * in.head_dim, in.epsilon);
  norm_head<kMost>(weight + (h - first) * in.head_dim, inverse, in.head_dim, head);
}

// angle_of(pair, i): of the lane's i-th pair.
template <int kMost, typename AngleOf>
__device__ __forceinline__ void rotate_head(const RotationRef& rotation, AngleOf angle_of, float* head) {
  const int n_pairs = rotation.n_rot / 2;
  const bool interleaved = rotation.layout == RopeLayout::kInterleaved;
  __syncwarp();
  for_own<kMost / 2>(n_pairs, [&](int pair, int own) {
    const float2 angle = angle_of(pair, own);
    const int i = interleaved ? 2 * pair : pair;
    const int j = interleaved ? i + 1 : pair + n_pairs;
    const float a = head[i];
    const float b = head[j];
    head[i] = a * angle.x - b * angle.y;
    head[j] = a * angle.y + b * angle.x;
  });
  __syncwarp();
}
// The angles of a row, where they are to be read.
struct AnglesOfRow {
  const float2* angles;
  __device__ __forceinline__ AnglesOfRow(const RotationRef& rotation, int64_t row)
      : angles(rotation.angles + row * (rotation.n_rot / 2)) {}
  __device__ __forceinline__ float2 operator()(int pair, int) const { return angles[pair]; }
};

template <int kMost>
__device__ __forceinline__ void store_f16(const float* head, int head_dim, f16* out) {
  for_own<kMost>(head_dim, [&](int d, int) { out[d] = float_to_half(head[d]); });
}

// A block of 32 dimensions is one element a lane.
__device__ __forceinline__ void store_codes(const float* head, int head_dim, int8_t* codes, f16* scales) {
#pragma unroll 1
  for (int block = 0; block < head_dim / kKvBlock; ++block) {
    const float value = head[block * kKvBlock + head_lane()];
    const f16 scale = float_to_half(warp_max(fabsf(value)) / 127.0f);
    const float inverse = half_to_float(scale) > 0.0f ? 1.0f / half_to_float(scale) : 0.0f;
    const float code = fminf(fmaxf(rintf(value * inverse), -127.0f), 127.0f);
    codes[block * kKvBlock + head_lane()] = static_cast<int8_t>(code);
    if (head_lane() == 0) scales[block] = scale;
  }
}

// Where a token's key and value go.
struct HeadPlace {
  KvHead at;
  f16* unrotated;  // null: not kept
  int token;       // of its page
};
__device__ __forceinline__ HeadPlace place_of(const KvView& kv, int layer, int position, int head) {
  f16* unrotated = kv.keeps_unrotated ? unrotated_key(kv, layer, position, head) : nullptr;
  return {kv_head_at(kv, layer, position, head), unrotated, position % kPageTokens};
}

template <int kMost = 0>
__device__ __forceinline__ void store_head(const KvView& kv, const HeadPlace& place, bool is_value, const float* head) {
  const auto& [at, unrotated, token] = place;
  if (kv.is_q8) {
    store_codes(head, kv.head_dim, (is_value ? at.value_codes() : at.key_codes()) + token * kv.head_dim,
                (is_value ? at.value_scales() : at.key_scales()) + token * (kv.head_dim / kKvBlock));
  } else {
    store_f16<kMost>(head, kv.head_dim, (is_value ? at.values() : at.keys()) + token * kv.head_dim);
  }
}

// Head h of a row: queries first, then keys, then values. Its bias, or null.
__device__ __forceinline__ const float* bias_of(const HeadsIn& in, int h) {
  const bool is_query = h < in.n_heads;
  const bool is_value = h >= in.n_heads + in.n_kv_heads;
  const float* bias = is_query ? in.q_bias : is_value ? in.v_bias : in.k_bias;
  const int own = is_query ? h : (h - in.n_heads) % in.n_kv_heads;
  return bias != nullptr ? bias + own * in.head_dim : nullptr;
}
__device__ __forceinline__ const float* head_of(const HeadsIn& in, int64_t row, int h) {
  const int part = !in.gated ? h : h < in.n_heads ? 2 * h : h + in.n_heads;
  const int n_parts = (in.gated ? 2 : 1) * in.n_heads + 2 * in.n_kv_heads;
  return in.qkv + (row * n_parts + part) * in.head_dim;
}
__device__ __forceinline__ void take_head(const HeadsIn& in, int64_t row, int h, float* head) {
  const float* bias = bias_of(in, h);
  const float* from = head_of(in, row, h);
  for (int d = head_lane(); d < in.head_dim; d += kWarp) head[d] = from[d] + (bias != nullptr ? bias[d] : 0.0f);
}

// A head with its bias as attention takes it: a query in place, a key or a value to its place. place_of_head(): where
// that is, of keys and values alone.
template <int kMost, typename AngleOf, typename PlaceOfHead>
__device__ __forceinline__ void finish_head(const HeadsIn& in, const KvView& kv, AngleOf angle_of, int64_t row, int h,
                                            int position, PlaceOfHead place_of_head, float* head) {
  const bool is_query = h < in.n_heads;
  const bool is_value = h >= in.n_heads + in.n_kv_heads;
  if (!is_value) norm_query_or_key<kMost>(in, row, h, head);
  if (is_value && in.value_norm) norm_value<kMost>(in, head);
  HeadPlace place{};
  if (!is_query) place = place_of_head();
  if (!is_value && place.unrotated != nullptr) store_f16<kMost>(head, in.head_dim, place.unrotated);
  if (!is_value && in.rotation.angles != nullptr) rotate_head<kMost>(in.rotation, angle_of, head);
  if (!is_query) return store_head<kMost>(kv, place, is_value, head);
  if (in.q_gain != nullptr) for_own<kMost>(in.head_dim, [&](int d, int) { head[d] *= in.q_gain[d]; });
  const QueryGrowth& growth = in.query_growth;
  if (growth.rate == 0.0f) return;
  const float scale = 1.0f + growth.rate * log1pf(static_cast<float>(position / growth.every));
  for_own<kMost>(in.head_dim, [&](int d, int) { head[d] *= scale; });
}

}  // namespace mneme::engine::cuda
