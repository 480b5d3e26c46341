// Attention of many rows on the tensor cores, after FlashAttention-2 (2307.08691): a warp keeps sixteen queries, their
// scores and their outputs in registers; keys and values pass through shared memory. Every loop over what lies in
// registers must be unrolled: an index that is not a constant moves the array to memory.
#include "engine/backend/cuda/attention_tile.cuh"
#include "engine/backend/cuda/tensor_core.cuh"

namespace mneme::engine::cuda {
namespace {

constexpr int kKeys = 64;  // of a tile
constexpr int kWarps = 4;
constexpr int kThreads = kWarps * kWarp;
constexpr int kRows = 16;  // queries of a warp
static_assert(kWarps * kRows == kTensorQueries);

template <int kDim>
struct Layout {
  static constexpr int kStride = kDim + kVector;  // spreads the rows that one load names over the banks
  static constexpr size_t kSharedBytes = 2 * kKeys * kStride * sizeof(f16);
};

// A warp's queries as fragments, in two parts that add up to f32's precision, and its state. Element [0] of a pair
// belongs to the lane's first row (lane / 4), [1] to its second (8 below).
template <int kDim>
struct WarpState {
  uint32_t high[kDim / 16][4];
  uint32_t low[kDim / 16][4];
  float out[kDim / 8][4];
  float maximum[2];
  float sum[2];
  int first_key[2];
  int end_key[2];
};

__device__ __forceinline__ int lane_id() {
  return static_cast<int>(threadIdx.x) % kWarp;
}
__device__ __forceinline__ int query_of(int which) {
  return static_cast<int>(threadIdx.x) / kWarp * kRows + lane_id() / 4 + 8 * which;
}

// Two neighbouring elements of a query, scaled; zeros beyond the head and beyond the queries.
__device__ __forceinline__ float2 query_pair(const AttentionCall& call, const Tile& tile, int query, int d) {
  if (query >= tile.n_queries() || d >= call.shape.head_dim) return {0.0f, 0.0f};
  const int64_t head = int64_t{tile.row(query)} * call.shape.n_heads + tile.head(query);
  const float* from = call.q + head * call.shape.head_dim + d;
  return {from[0] * call.shape.scale, from[1] * call.shape.scale};
}

template <int kDim>
__device__ void load_queries(const AttentionCall& call, const Tile& tile, WarpState<kDim>& state) {
  const int t = lane_id() % 4;
#pragma unroll
  for (int step = 0; step < kDim / 16; ++step)
#pragma unroll
    for (int part = 0; part < 4; ++part) {
      const float2 pair = query_pair(call, tile, query_of(part % 2), 16 * step + 8 * (part / 2) + 2 * t);
      const uint32_t high = pack_halves(pair.x, pair.y);
      state.high[step][part] = high;
      state.low[step][part] = pack_halves(pair.x - low_half(high), pair.y - high_half(high));
    }
#pragma unroll
  for (int i = 0; i < kDim / 8; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j) state.out[i][j] = 0.0f;
#pragma unroll
  for (int which = 0; which < 2; ++which) {
    const int row = tile.row(min(query_of(which), tile.n_queries() - 1));
    state.maximum[which] = -INFINITY;
    state.sum[which] = 0.0f;
    state.first_key[which] = first_key(call, row);
    state.end_key[which] = min(tile.end, end_key(call, tile.group, row));
  }
}

// scores[n]: keys 8 n .. 8 n + 7 of the tile. One load brings two key groups for sixteen dimensions.
template <int kDim>
__device__ void score(const WarpState<kDim>& state, const f16* keys, float (&scores)[kKeys / 8][4]) {
#pragma unroll
  for (int n = 0; n < kKeys / 8; ++n)
#pragma unroll
    for (int j = 0; j < 4; ++j) scores[n][j] = 0.0f;
  const int lane = lane_id();
  const int key = lane % 8 + lane / 16 * 8;
  const int d = lane / 8 % 2 * 8;
#pragma unroll
  for (int step = 0; step < kDim / 16; ++step)
#pragma unroll
    for (int n = 0; n < kKeys / 8; n += 2) {
      uint32_t b[4];
      load_matrices(b, keys + (8 * n + key) * Layout<kDim>::kStride + 16 * step + d);
      const uint32_t first[2] = {b[0], b[1]};
      const uint32_t second[2] = {b[2], b[3]};
      multiply_add(scores[n], state.high[step], first);
      multiply_add(scores[n], state.low[step], first);
      multiply_add(scores[n + 1], state.high[step], second);
      multiply_add(scores[n + 1], state.low[step], second);
    }
}

__device__ __forceinline__ float max_of_four(float value) {
  value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, 1));
  return fmaxf(value, __shfl_xor_sync(kAllLanes, value, 2));
}

// Scores to weights, rounded to f16 as they will be used; sums and outputs are scaled to the new maximum. The sum is of
// the lane's keys alone until the end.
template <int kDim>
__device__ void soften(const AttentionCall& call, int first, float (&scores)[kKeys / 8][4], WarpState<kDim>& state) {
  const int t = lane_id() % 4;
  const float softcap = call.shape.softcap;
#pragma unroll
  for (int which = 0; which < 2; ++which) {
    float largest = -INFINITY;
#pragma unroll
    for (int n = 0; n < kKeys / 8; ++n)
#pragma unroll
      for (int j = 0; j < 2; ++j) {
        float& score = scores[n][2 * which + j];
        if (softcap > 0.0f) score = softcap * tanhf(score / softcap);
        const int key = first + 8 * n + 2 * t + j;
        if (key < state.first_key[which] || key >= state.end_key[which]) score = -INFINITY;
        largest = fmaxf(largest, score);
      }
    const float maximum = fmaxf(state.maximum[which], max_of_four(largest));
    const bool sees = maximum != -INFINITY;
    const float correction = sees ? expf(state.maximum[which] - maximum) : 1.0f;
    state.maximum[which] = maximum;
    state.sum[which] *= correction;
#pragma unroll
    for (int i = 0; i < kDim / 8; ++i)
#pragma unroll
      for (int j = 0; j < 2; ++j) state.out[i][2 * which + j] *= correction;
#pragma unroll
    for (int n = 0; n < kKeys / 8; ++n)
#pragma unroll
      for (int j = 0; j < 2; ++j) {
        float& score = scores[n][2 * which + j];
        score = sees ? half_to_float(float_to_half(expf(score - maximum))) : 0.0f;
        state.sum[which] += score;
      }
  }
}

// What a product leaves in a lane is what the next one wants as its left side: two key groups make one step.
template <int kDim>
__device__ void add_values(const f16* values, const float (&weights)[kKeys / 8][4], WarpState<kDim>& state) {
  const int lane = lane_id();
#pragma unroll
  for (int step = 0; step < kKeys / 16; ++step) {
    const float(&low)[4] = weights[2 * step];
    const float(&high)[4] = weights[2 * step + 1];
    const uint32_t a[4] = {pack_halves(low[0], low[1]), pack_halves(low[2], low[3]), pack_halves(high[0], high[1]),
                           pack_halves(high[2], high[3])};
    // Lanes 0 to 15 name the sixteen keys' rows of one group of dimensions, the others those of the next.
    const f16* row = values + (16 * step + lane % 16) * Layout<kDim>::kStride + lane / 16 * 8;
#pragma unroll
    for (int i = 0; i < kDim / 8; i += 2) {
      uint32_t b[4];
      load_matrices_transposed(b, row + 8 * i);
      const uint32_t first[2] = {b[0], b[1]};
      const uint32_t second[2] = {b[2], b[3]};
      multiply_add(state.out[i], a, first);
      multiply_add(state.out[i + 1], a, second);
    }
  }
}

template <int kDim>
__device__ void write(const AttentionCall& call, const Tile& tile, const WarpState<kDim>& state) {
  const int t = lane_id() % 4;
#pragma unroll
  for (int which = 0; which < 2; ++which) {
    float sum = state.sum[which];
    sum += __shfl_xor_sync(kAllLanes, sum, 1);
    sum += __shfl_xor_sync(kAllLanes, sum, 2);
    const float scale = sum > 0.0f ? 1.0f / sum : 0.0f;
    const int query = query_of(which);
    if (query >= tile.n_queries()) continue;
    const int64_t head = int64_t{tile.row(query)} * call.shape.n_heads + tile.head(query);
    float* out = call.out + head * call.shape.head_dim;
#pragma unroll
    for (int i = 0; i < kDim / 8; ++i)
#pragma unroll
      for (int j = 0; j < 2; ++j) {
        const int d = 8 * i + 2 * t + j;
        if (d < call.shape.head_dim) out[d] = state.out[i][2 * which + j] * scale;
      }
  }
}

template <int kDim>
__global__ void __launch_bounds__(kThreads) attend_kernel(AttentionCall call) {
  after_earlier_kernels();
  constexpr int kStride = Layout<kDim>::kStride;
  const Tile tile = tile_of<kKeys>(call);
  f16* keys = dynamic_shared<f16>();
  f16* values = keys + kKeys * kStride;
  // Beyond the head's width everything is zero: it is multiplied along.
  for (int i = static_cast<int>(threadIdx.x); i < 2 * kKeys * kStride; i += kThreads) keys[i] = {0};
  WarpState<kDim> state;
  load_queries(call, tile, state);
  const bool has_queries = static_cast<int>(threadIdx.x) / kWarp * kRows < tile.n_queries();
  for (int first = tile.begin; first < tile.end; first += kKeys) {
    __syncthreads();
    load_keys_values<kKeys, kThreads>(call, tile, first, {keys, values, kStride, kStride});
    __syncthreads();
    if (!has_queries) continue;
    float weights[kKeys / 8][4];
    score<kDim>(state, keys, weights);
    soften<kDim>(call, first, weights, state);
    add_values<kDim>(values, weights, state);
  }
  if (has_queries) write<kDim>(call, tile, state);
}

template <int kDim>
cudaError_t run(cudaStream_t stream, const AttentionCall& call) {
  static_assert(Layout<kDim>::kSharedBytes <= size_t{48} << 10);
  const dim3 grid(static_cast<unsigned>(call.n_tiles),
                  static_cast<unsigned>(call.shape.n_kv_heads * call.plan.head_tiles));
  return launch(stream, grid, kThreads, Layout<kDim>::kSharedBytes, attend_kernel<kDim>, call);
}

}  // namespace

cudaError_t attend_on_tensor_cores(cudaStream_t stream, const AttentionCall& call) {
  return call.shape.head_dim <= 64 ? run<64>(stream, call) : run<128>(stream, call);
}

}  // namespace mneme::engine::cuda
