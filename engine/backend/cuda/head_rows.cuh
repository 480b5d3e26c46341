// A head of a row on its way from the products' outputs to attention or into a cache. It lies in shared memory,
// (head_dim) f32, and all lanes of a warp work on it at once: lane l owns elements l, l + 32, ... until a rotation
// mixes them.
#pragma once

#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/head_kernels.h"
#include "engine/backend/cuda/kv_access.cuh"

namespace mneme::engine::cuda {

__device__ __forceinline__ int head_lane() {
  return static_cast<int>(threadIdx.x) % kWarp;
}

__device__ __forceinline__ float inverse_rms(const float* values, int n, float epsilon) {
  float squares = 0.0f;
  for (int d = head_lane(); d < n; d += kWarp) squares += values[d] * values[d];
  return 1.0f / sqrtf(warp_sum(squares) / static_cast<float>(n) + epsilon);
}

__device__ __forceinline__ void norm_head(const float* weight, float inverse, int head_dim, float* head) {
  for (int d = head_lane(); d < head_dim; d += kWarp) head[d] = head[d] * inverse * weight[d];
}

// Head h of a row, whose queries or keys may be normed together: every head then sums up all of them again.
__device__ __forceinline__ void norm_query_or_key(const HeadsIn& in, int64_t row, int h, float* head) {
  const bool is_query = h < in.n_heads;
  const float* weight = is_query ? in.q_norm : in.k_norm;
  if (weight == nullptr) return;
  if (!in.whole_norm) return norm_head(weight, inverse_rms(head, in.head_dim, in.epsilon), in.head_dim, head);
  const int first = is_query ? 0 : in.n_heads;
  const float* all = in.qkv + (row * (in.n_heads + 2 * in.n_kv_heads) + first) * in.head_dim;
  const float inverse = inverse_rms(all, (is_query ? in.n_heads : in.n_kv_heads) * in.head_dim, in.epsilon);
  norm_head(weight + (h - first) * in.head_dim, inverse, in.head_dim, head);
}

__device__ __forceinline__ void rotate_head(const RotationRef& rotation, int64_t row, float* head) {
  const int n_pairs = rotation.n_rot / 2;
  const bool interleaved = rotation.layout == RopeLayout::kInterleaved;
  __syncwarp();
  for (int pair = head_lane(); pair < n_pairs; pair += kWarp) {
    const float2 angle = rotation.angles[row * n_pairs + pair];
    const int i = interleaved ? 2 * pair : pair;
    const int j = interleaved ? i + 1 : pair + n_pairs;
    const float a = head[i];
    const float b = head[j];
    head[i] = a * angle.x - b * angle.y;
    head[j] = a * angle.y + b * angle.x;
  }
  __syncwarp();
}

__device__ __forceinline__ void store_f16(const float* head, int head_dim, f16* out) {
  for (int d = head_lane(); d < head_dim; d += kWarp) out[d] = float_to_half(head[d]);
}

// A block of 32 dimensions is one element a lane.
__device__ __forceinline__ void store_codes(const float* head, int head_dim, int8_t* codes, f16* scales) {
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

__device__ __forceinline__ void store_key(const KvView& kv, const HeadPlace& place, const float* key) {
  const auto& [at, unrotated, token] = place;
  if (kv.is_q8) {
    store_codes(key, kv.head_dim, at.key_codes() + token * kv.head_dim,
                at.key_scales() + token * (kv.head_dim / kKvBlock));
  } else {
    store_f16(key, kv.head_dim, at.keys() + token * kv.head_dim);
  }
}

__device__ __forceinline__ void store_value(const KvView& kv, const HeadPlace& place, const float* value) {
  const auto& [at, unrotated, token] = place;
  if (kv.is_q8) {
    store_codes(value, kv.head_dim, at.value_codes() + token * kv.head_dim,
                at.value_scales() + token * (kv.head_dim / kKvBlock));
  } else {
    store_f16(value, kv.head_dim, at.values() + token * kv.head_dim);
  }
}

// Key before RoPE in `head` to its places.
__device__ __forceinline__ void finish_key(const KvView& kv, const HeadPlace& place, const RotationRef& rotation,
                                           int64_t row, float* head) {
  if (place.unrotated != nullptr) store_f16(head, kv.head_dim, place.unrotated);
  if (rotation.angles != nullptr) rotate_head(rotation, row, head);
  store_key(kv, place, head);
}

// Head h of a row with its bias: queries first, then keys, then values.
__device__ __forceinline__ void take_head(const HeadsIn& in, int64_t row, int h, float* head) {
  const bool is_query = h < in.n_heads;
  const bool is_value = h >= in.n_heads + in.n_kv_heads;
  const float* bias = is_query ? in.q_bias : is_value ? in.v_bias : in.k_bias;
  const int own = is_query ? h : (h - in.n_heads) % in.n_kv_heads;
  const float* from = in.qkv + (row * (in.n_heads + 2 * in.n_kv_heads) + h) * in.head_dim;
  for (int d = head_lane(); d < in.head_dim; d += kWarp)
    head[d] = from[d] + (bias != nullptr ? bias[own * in.head_dim + d] : 0.0f);
}

// A key or a value, with its bias, to its place.
__device__ __forceinline__ void finish_key_or_value(const HeadsIn& in, const KvView& kv, const HeadPlace& place,
                                                    int64_t row, int h, float* head) {
  if (h >= in.n_heads + in.n_kv_heads) return store_value(kv, place, head);
  norm_query_or_key(in, row, h, head);
  finish_key(kv, place, in.rotation, row, head);
}

// A query as attention takes it, in place.
__device__ __forceinline__ void finish_query(const HeadsIn& in, int64_t row, int h, int position, float* head) {
  norm_query_or_key(in, row, h, head);
  if (in.rotation.angles != nullptr) rotate_head(in.rotation, row, head);
  const QueryGrowth& growth = in.query_growth;
  if (growth.rate == 0.0f) return;
  const float scale = 1.0f + growth.rate * log1pf(static_cast<float>(position / growth.every));
  for (int d = head_lane(); d < in.head_dim; d += kWarp) head[d] *= scale;
}

}  // namespace mneme::engine::cuda
