// Where a token's keys and values lie in a KvView.
#pragma once

#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/kv_view.h"

namespace mneme::engine::cuda {

// One head of a page: its four parts.
struct KvHead {
  std::byte* base;
  int head_dim;

  __device__ f16* keys() const { return reinterpret_cast<f16*>(base); }
  __device__ f16* values() const { return keys() + kPageTokens * head_dim; }
  __device__ int8_t* key_codes() const { return reinterpret_cast<int8_t*>(base); }
  __device__ int8_t* value_codes() const { return key_codes() + kPageTokens * head_dim; }
  __device__ f16* key_scales() const { return reinterpret_cast<f16*>(value_codes() + kPageTokens * head_dim); }
  __device__ f16* value_scales() const { return key_scales() + kPageTokens * (head_dim / kKvBlock); }
};

__device__ __forceinline__ std::byte* layer_page(const KvView& kv, int layer, int position) {
  return kv.pages[position / kPageTokens] + (layer & kv.layer_mask) * kv.layer_bytes;
}
// From the beginning of any page.
__device__ __forceinline__ int64_t head_in_page(const KvView& kv, int layer, int head) {
  return (layer & kv.layer_mask) * kv.layer_bytes + head * kv.head_bytes;
}
__device__ __forceinline__ KvHead kv_head_at(const KvView& kv, int layer, int position, int head) {
  return {kv.pages[position / kPageTokens] + head_in_page(kv, layer, head), kv.head_dim};
}
// Dimension d of a key, or of a value, of a page's token.
__device__ __forceinline__ float element_of(const KvHead& at, bool is_q8, bool value, int token, int d) {
  const int64_t i = int64_t{token} * at.head_dim + d;
  if (!is_q8) return half_to_float((value ? at.values() : at.keys())[i]);
  const f16 scale = (value ? at.value_scales() : at.key_scales())[i / kKvBlock];
  return half_to_float(scale) * static_cast<float>((value ? at.value_codes() : at.key_codes())[i]);
}
// (head_dim) of one token.
__device__ __forceinline__ f16* unrotated_key(const KvView& kv, int layer, int position, int head) {
  auto* base = reinterpret_cast<f16*>(layer_page(kv, layer, position) + kv.n_kv_heads * kv.head_bytes);
  return base + ((position % kPageTokens) * kv.n_kv_heads + head) * kv.head_dim;
}

}  // namespace mneme::engine::cuda
