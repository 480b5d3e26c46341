#include "engine/backend/cuda/head_kernels.h"

#include "engine/backend/cuda/head_rows.cuh"
#include "engine/backend/cuda/placing_vectors.h"

namespace mneme::engine::cuda {
namespace {

constexpr int kWarps = 4;  // a warp works on one head of one row
constexpr int kThreads = kWarps * kWarp;

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

// Head h of a row: queries first, then keys, then values. Where they go was written before the kernel ahead began
// (launch_overlap.h).
__global__ void __launch_bounds__(kThreads) finish_heads_kernel(HeadsIn in, RowsView rows, int layer, float* q) {
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const int h = static_cast<int>(blockIdx.y) * kWarps + warp;
  const int64_t row = blockIdx.x;
  const bool is_query = h < in.n_heads;
  const KvView& kv = rows.groups[rows.groups_of[row]].kv;
  const int position = rows.positions[row];
  const bool has_place = !is_query && in.n_kv_heads > 0;
  const HeadPlace place = place_of(kv, layer, position, has_place ? (h - in.n_heads) % in.n_kv_heads : 0);
  after_earlier_kernels();
  if (h >= in.n_heads + 2 * in.n_kv_heads) return;
  float* head = dynamic_shared<float>() + warp * in.head_dim;
  take_head(in, row, h, head);
  finish_head<0>(in, kv, AnglesOfRow(in.rotation, row), row, h, position, [&] { return place; }, head);
  if (!is_query) return;
  float* out = q + (row * (in.gated ? 2 : 1) * in.n_heads + h) * in.head_dim;
  for (int d = head_lane(); d < in.head_dim; d += kWarp) out[d] = head[d];
  if (!in.gated) return;
  const float* gates = head_of(in, row, h) + in.head_dim;
  out += in.n_heads * in.head_dim;
  for (int d = head_lane(); d < in.head_dim; d += kWarp) out[d] = gates[d];
}

__global__ void __launch_bounds__(kThreads)
    place_kernel(KvView kv, KvRange range, const f16* keys, const f16* values, RotationRef rotation) {
  after_earlier_kernels();
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const int h = static_cast<int>(blockIdx.y) * kWarps + warp;
  if (h >= 2 * kv.n_kv_heads) return;
  const int64_t token = blockIdx.x;
  const int position = range.positions == nullptr ? range.first + static_cast<int>(token) : range.positions[token];
  const int layer = range.layer;
  const bool is_value = h >= kv.n_kv_heads;
  const int kv_head = h % kv.n_kv_heads;
  const f16* from = (is_value ? values : keys) + (token * kv.n_kv_heads + kv_head) * kv.head_dim;
  float* head = dynamic_shared<float>() + warp * kv.head_dim;
  for (int d = head_lane(); d < kv.head_dim; d += kWarp) head[d] = half_to_float(from[d]);
  const HeadPlace place = place_of(kv, layer, position, kv_head);
  if (!is_value && place.unrotated != nullptr) store_f16<0>(head, kv.head_dim, place.unrotated);
  if (!is_value && rotation.angles != nullptr) rotate_head<0>(rotation, AnglesOfRow(rotation, token), head);
  store_head(kv, place, is_value, head);
}

__device__ void copy_out(const KvView& kv, const f16* halves, const int8_t* codes, const f16* scales, int token,
                         f16* out) {
  for (int d = head_lane(); d < kv.head_dim; d += kWarp) {
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
  for (int d = head_lane(); d < kv.head_dim; d += kWarp) keys[out + d] = key[d];
}

dim3 grid_of(int n_rows, int n_heads) {
  return dim3(static_cast<unsigned>(n_rows), static_cast<unsigned>((n_heads + kWarps - 1) / kWarps));
}

// A head a warp.
size_t shared_bytes(int head_dim) {
  return sizeof(float) * kWarps * static_cast<size_t>(head_dim);
}

}  // namespace

cudaError_t rope_angles(cudaStream_t stream, const float* inverse_frequencies, int n_pairs, float attention_factor,
                        const AngleRows& rows, float2* angles) {
  return launch(stream, dim3(static_cast<unsigned>(rows.n_rows)), kThreads, 0, angles_kernel, inverse_frequencies,
                n_pairs, attention_factor, rows.positions, rows.first, angles);
}

cudaError_t finish_heads(cudaStream_t stream, const HeadsIn& in, const RowsView& rows, int layer, float* q) {
  return launch(stream, grid_of(rows.n_rows, in.n_heads + 2 * in.n_kv_heads), kThreads, shared_bytes(in.head_dim),
                finish_heads_kernel, in, rows, layer, q);
}

cudaError_t place_kv(cudaStream_t stream, const KvView& kv, const KvRange& range, const f16* keys, const f16* values,
                     const RotationRef& rotation) {
  if (places_vectors(kv, rotation)) return place_kv_vectors(stream, kv, range, keys, values, rotation);
  return launch(stream, grid_of(range.n, 2 * kv.n_kv_heads), kThreads, shared_bytes(kv.head_dim), place_kernel, kv,
                range, keys, values, rotation);
}

cudaError_t read_kv(cudaStream_t stream, const KvView& kv, const KvRange& range, bool unrotated, f16* keys,
                    f16* values) {
  return launch(stream, grid_of(range.n, kv.n_kv_heads), kThreads, 0, read_kernel, kv, range.layer, range.first,
                unrotated, keys, values);
}

}  // namespace mneme::engine::cuda
