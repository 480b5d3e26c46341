// From products to heads: biases, QK-norm, rotation, and keys and values into and out of caches. Each enqueues on the
// stream and returns what the launch said. Threads: safe, one stream each.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "base/f16.h"
#include "engine/backend/cuda/kv_view.h"
#include "engine/model/model_config.h"

namespace mneme::engine::cuda {

inline constexpr int kMaxHeadDim = 576;         // of keys and values: 64 that are rotated, and a latent of 512
inline constexpr int kMaxIndexedHeadDim = 256;  // whose tokens are retrieved one by one

// Rotation of the rows of a step. angles null: no rotation.
struct RotationRef {
  const float2* angles = nullptr;  // (n_rows, n_rot / 2): cosine, sine
  int n_rot = 0;
  RopeLayout layout = RopeLayout::kInterleaved;
  bool operator==(const RotationRef&) const = default;
};

// Cosines and sines times the attention factor, from integer positions in double: f32 angles would be wrong by whole
// radians at long positions. positions null: first, first + 1, ...
struct AngleRows {
  const int* positions = nullptr;
  int first = 0;
  int n_rows = 0;
};
cudaError_t rope_angles(cudaStream_t stream, const float* inverse_frequencies, int n_pairs, float attention_factor,
                        const AngleRows& rows, float2* angles);

struct HeadsIn {
  const float* qkv = nullptr;  // (n_rows, q + k + v)
  const float* q_bias = nullptr;
  const float* k_bias = nullptr;
  const float* v_bias = nullptr;
  const float* q_norm = nullptr;  // (head_dim), or of all heads of a row together
  const float* k_norm = nullptr;
  bool whole_norm = false;
  bool value_norm = false;        // values pass a norm without weights
  const float* q_gain = nullptr;  // (head_dim), of queries, after rotation
  bool gated = false;             // a query's gates follow it in qkv, not of attention that makes its queries itself
  QueryGrowth query_growth = {};
  float epsilon = 0;
  int n_heads = 0;
  int n_kv_heads = 0;  // 0: rows of queries alone
  int head_dim = 0;
  RotationRef rotation = {};
  bool operator==(const HeadsIn&) const = default;
};
// Keys and values of the rows into their caches at `layer`; rotated queries to q (n_rows, n_heads * head_dim), and, of
// gated attention, (n_rows, 2 n_heads * head_dim): behind all of a row's queries their gates.
cudaError_t finish_heads(cudaStream_t stream, const HeadsIn& in, const RowsView& rows, int layer, float* q);

// Positions [first, first + n) of a layer.
struct KvRange {
  int layer = 0;
  int first = 0;
  int n = 0;
  const int* positions = nullptr;  // (n), of place_kv alone: instead of those from first on
};
// Stored KV to its positions: keys, values (n, n_kv_heads, head_dim) f16 on the device, each beginning at sixteen
// bytes, keys before RoPE.
cudaError_t place_kv(cudaStream_t stream, const KvView& kv, const KvRange& range, const f16* keys, const f16* values,
                     const RotationRef& rotation);
// The other way; unrotated: keys before RoPE.
cudaError_t read_kv(cudaStream_t stream, const KvView& kv, const KvRange& range, bool unrotated, f16* keys,
                    f16* values);

}  // namespace mneme::engine::cuda
