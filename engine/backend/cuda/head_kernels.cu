#include "engine/backend/cuda/head_kernels.h"

#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/kv_access.cuh"

namespace mneme::engine::cuda {
namespace {

constexpr int kWarps = 4;  // a warp works on one head of one row
constexpr int kThreads = kWarps * kWarp;

__device__ __forceinline__ int lane_id() {
  return static_cast<int>(threadIdx.x) % kWarp;
}

__global__ void __launch_bounds__(kThreads)
    angles_kernel(const float* inverse_frequencies, int n_pairs, float attention_factor, const int* positions,
                  int first, float2* angles) {
  after_earlier_kernels();
  const int position = positions == nullptr ? first + static_cast<int>(blockIdx.x) : positions[blockIdx.x];
  for (int pair = static_cast<int>(threadIdx.x); pair < n_pairs; pair += kThreads) {
    const double angle = position * static_cast<double>(inverse_frequencies[pair]);
    angles[int64_t{blockIdx.x} * n_pairs + pair] = {static_cast<float>(cos(angle) * attention_factor),
                                                    static_cast<float>(sin(angle) * attention_factor)};
  }
}

// The functions below work on one head in shared memory, all lanes of a warp at once; lane l owns elements l, l + 32,
// ... until a rotation mixes them.

__device__ float inverse_rms(const float* values, int n, float epsilon) {
  float squares = 0.0f;
  for (int d = lane_id(); d < n; d += kWarp) squares += values[d] * values[d];
  return 1.0f / sqrtf(warp_sum(squares) / static_cast<float>(n) + epsilon);
}

__device__ void norm_head(const float* weight, float inverse, int head_dim, float* head) {
  for (int d = lane_id(); d < head_dim; d += kWarp) head[d] = head[d] * inverse * weight[d];
}

// Head h of a row, whose queries or keys may be normed together: every head then sums up all of them again.
__device__ void norm_query_or_key(const HeadsIn& in, int64_t row, int h, float* head) {
  const bool is_query = h < in.n_heads;
  const float* weight = is_query ? in.q_norm : in.k_norm;
  if (weight == nullptr) return;
  if (!in.whole_norm) return norm_head(weight, inverse_rms(head, in.head_dim, in.epsilon), in.head_dim, head);
  const int first = is_query ? 0 : in.n_heads;
  const float* all = in.qkv + (row * (in.n_heads + 2 * in.n_kv_heads) + first) * in.head_dim;
  const float inverse = inverse_rms(all, (is_query ? in.n_heads : in.n_kv_heads) * in.head_dim, in.epsilon);
  norm_head(weight + (h - first) * in.head_dim, inverse, in.head_dim, head);
}

__device__ void rotate_head(const RotationRef& rotation, int64_t row, float* head) {
  const int n_pairs = rotation.n_rot / 2;
  const bool interleaved = rotation.layout == RopeLayout::kInterleaved;
  __syncwarp();
  for (int pair = lane_id(); pair < n_pairs; pair += kWarp) {
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

__device__ void store_f16(const float* head, int head_dim, f16* out) {
  for (int d = lane_id(); d < head_dim; d += kWarp) out[d] = float_to_half(head[d]);
}

// A block of 32 dimensions is one element a lane.
__device__ void store_codes(const float* head, int head_dim, int8_t* codes, f16* scales) {
  for (int block = 0; block < head_dim / kKvBlock; ++block) {
    const float value = head[block * kKvBlock + lane_id()];
    const f16 scale = float_to_half(warp_max(fabsf(value)) / 127.0f);
    const float inverse = half_to_float(scale) > 0.0f ? 1.0f / half_to_float(scale) : 0.0f;
    const float code = fminf(fmaxf(rintf(value * inverse), -127.0f), 127.0f);
    codes[block * kKvBlock + lane_id()] = static_cast<int8_t>(code);
    if (lane_id() == 0) scales[block] = scale;
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

__device__ void store_key(const KvView& kv, const HeadPlace& place, const float* key) {
  const auto& [at, unrotated, token] = place;
  if (kv.is_q8) {
    store_codes(key, kv.head_dim, at.key_codes() + token * kv.head_dim,
                at.key_scales() + token * (kv.head_dim / kKvBlock));
  } else {
    store_f16(key, kv.head_dim, at.keys() + token * kv.head_dim);
  }
}

__device__ void store_value(const KvView& kv, const HeadPlace& place, const float* value) {
  const auto& [at, unrotated, token] = place;
  if (kv.is_q8) {
    store_codes(value, kv.head_dim, at.value_codes() + token * kv.head_dim,
                at.value_scales() + token * (kv.head_dim / kKvBlock));
  } else {
    store_f16(value, kv.head_dim, at.values() + token * kv.head_dim);
  }
}

// Key before RoPE in `head` to its places.
__device__ void finish_key(const KvView& kv, const HeadPlace& place, const RotationRef& rotation, int64_t row,
                           float* head) {
  if (place.unrotated != nullptr) store_f16(head, kv.head_dim, place.unrotated);
  if (rotation.angles != nullptr) rotate_head(rotation, row, head);
  store_key(kv, place, head);
}

// Head h of a row: queries first, then keys, then values. Where they go was written before the kernel ahead began
// (launch_overlap.h).
__global__ void __launch_bounds__(kThreads) finish_heads_kernel(HeadsIn in, RowsView rows, int layer, float* q) {
  __shared__ float heads[kWarps][kMaxHeadDim];
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const int h = static_cast<int>(blockIdx.y) * kWarps + warp;
  const int n_all = in.n_heads + 2 * in.n_kv_heads;
  const int64_t row = blockIdx.x;
  const bool is_query = h < in.n_heads;
  const bool is_value = h >= in.n_heads + in.n_kv_heads;
  const int kv_head = is_query ? h : (h - in.n_heads) % in.n_kv_heads;
  const KvView& kv = rows.groups[rows.groups_of[row]].kv;
  const int position = rows.positions[row];
  const HeadPlace place = place_of(kv, layer, position, is_query ? 0 : kv_head);
  after_earlier_kernels();
  if (h >= n_all) return;
  const float* bias = is_query ? in.q_bias : is_value ? in.v_bias : in.k_bias;
  const float* from = in.qkv + (row * n_all + h) * in.head_dim;
  float* head = heads[warp];
  for (int d = lane_id(); d < in.head_dim; d += kWarp)
    head[d] = from[d] + (bias != nullptr ? bias[kv_head * in.head_dim + d] : 0.0f);
  if (is_value) return store_value(kv, place, head);
  norm_query_or_key(in, row, h, head);
  if (!is_query) return finish_key(kv, place, in.rotation, row, head);
  if (in.rotation.angles != nullptr) rotate_head(in.rotation, row, head);
  float* out = q + (row * in.n_heads + h) * in.head_dim;
  const QueryGrowth& growth = in.query_growth;
  const float scale =
      growth.rate == 0.0f ? 1.0f : 1.0f + growth.rate * log1pf(static_cast<float>(position / growth.every));
  for (int d = lane_id(); d < in.head_dim; d += kWarp) out[d] = head[d] * scale;
}

__global__ void __launch_bounds__(kThreads)
    place_kernel(KvView kv, KvRange range, const f16* keys, const f16* values, RotationRef rotation) {
  after_earlier_kernels();
  __shared__ float heads[kWarps][kMaxHeadDim];
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const int h = static_cast<int>(blockIdx.y) * kWarps + warp;
  if (h >= 2 * kv.n_kv_heads) return;
  const int64_t token = blockIdx.x;
  const int position = range.positions == nullptr ? range.first + static_cast<int>(token) : range.positions[token];
  const int layer = range.layer;
  const bool is_value = h >= kv.n_kv_heads;
  const int kv_head = h % kv.n_kv_heads;
  const f16* from = (is_value ? values : keys) + (token * kv.n_kv_heads + kv_head) * kv.head_dim;
  float* head = heads[warp];
  for (int d = lane_id(); d < kv.head_dim; d += kWarp) head[d] = half_to_float(from[d]);
  const HeadPlace place = place_of(kv, layer, position, kv_head);
  if (is_value) return store_value(kv, place, head);
  finish_key(kv, place, rotation, token, head);
}

__device__ void copy_out(const KvView& kv, const f16* halves, const int8_t* codes, const f16* scales, int token,
                         f16* out) {
  for (int d = lane_id(); d < kv.head_dim; d += kWarp) {
    const int at = token * kv.head_dim + d;
    out[d] =
        kv.is_q8 ? float_to_half(static_cast<float>(codes[at]) * half_to_float(scales[at / kKvBlock])) : halves[at];
  }
}

__global__ void __launch_bounds__(kThreads)
    read_kernel(KvView kv, int layer, int first, bool unrotated, f16* keys, f16* values) {
  after_earlier_kernels();
  const int h = static_cast<int>(blockIdx.y) * kWarps + static_cast<int>(threadIdx.x) / kWarp;
  if (h >= kv.n_kv_heads) return;
  const int64_t index = blockIdx.x;
  const int position = first + static_cast<int>(index);
  const int token = position % kPageTokens;
  const KvHead at = kv_head_at(kv, layer, position, h);
  const int64_t out = (index * kv.n_kv_heads + h) * kv.head_dim;
  copy_out(kv, at.values(), at.value_codes(), at.value_scales(), token, values + out);
  if (!unrotated) return copy_out(kv, at.keys(), at.key_codes(), at.key_scales(), token, keys + out);
  const f16* key = unrotated_key(kv, layer, position, h);
  for (int d = lane_id(); d < kv.head_dim; d += kWarp) keys[out + d] = key[d];
}

dim3 grid_of(int n_rows, int n_heads) {
  return dim3(static_cast<unsigned>(n_rows), static_cast<unsigned>((n_heads + kWarps - 1) / kWarps));
}

}  // namespace

cudaError_t rope_angles(cudaStream_t stream, const float* inverse_frequencies, int n_pairs, float attention_factor,
                        const AngleRows& rows, float2* angles) {
  return launch(stream, dim3(static_cast<unsigned>(rows.n_rows)), kThreads, 0, angles_kernel, inverse_frequencies,
                n_pairs, attention_factor, rows.positions, rows.first, angles);
}

cudaError_t finish_heads(cudaStream_t stream, const HeadsIn& in, const RowsView& rows, int layer, float* q) {
  return launch(stream, grid_of(rows.n_rows, in.n_heads + 2 * in.n_kv_heads), kThreads, 0, finish_heads_kernel, in,
                rows, layer, q);
}

cudaError_t place_kv(cudaStream_t stream, const KvView& kv, const KvRange& range, const f16* keys, const f16* values,
                     const RotationRef& rotation) {
  return launch(stream, grid_of(range.n, 2 * kv.n_kv_heads), kThreads, 0, place_kernel, kv, range, keys, values,
                rotation);
}

cudaError_t read_kv(cudaStream_t stream, const KvView& kv, const KvRange& range, bool unrotated, f16* keys,
                    f16* values) {
  return launch(stream, grid_of(range.n, kv.n_kv_heads), kThreads, 0, read_kernel, kv, range.layer, range.first,
                unrotated, keys, values);
}

}  // namespace mneme::engine::cuda
