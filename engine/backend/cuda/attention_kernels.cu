#include "engine/backend/cuda/attention_kernels.h"

#include <algorithm>

#include "engine/backend/cuda/attention_merge.cuh"
#include "engine/backend/cuda/attention_sinks.cuh"
#include "engine/backend/cuda/attention_tile.cuh"
#include "engine/backend/cuda/device_language.cuh"

namespace mneme::engine::cuda {
namespace {

constexpr int kKeys = 32;    // of a tile: a lane's each
constexpr int kFewRows = 8;  // groups up to this many rows take the geometry for few

// A kernel's geometry: kPerWarp queries for each of kWarps warps. Widths are what 48 KiB of shared memory allow; there
// is no room for keys and values of the widest heads at once, so with kInTurn values take the place of keys.
template <int kDimIn, int kWarpsIn, int kPerWarpIn, bool kInTurnIn = false>
struct Geometry {
  static constexpr bool kInTurn = kInTurnIn;
  static constexpr int kDim = kDimIn;  // the head's width is at most this
  static constexpr int kWarps = kWarpsIn;
  static constexpr int kPerWarp = kPerWarpIn;
  static constexpr int kQueries = kWarps * kPerWarp;
  static constexpr int kThreads = kWarps * kWarp;
  static constexpr int kTileKeys = kKeys;
  // A lane reads 16 bytes of its own key: rows 16 bytes longer than a power of two spread them over the banks.
  static constexpr int kKeyStride = kDim + kVector;
  static constexpr int kValueStride = kInTurn ? kKeyStride : kDim;  // what keys have of zeros stays zeros
  static constexpr size_t kSharedBytes =
      kQueries * kDim * sizeof(float) + kKeys * (kKeyStride + (kInTurn ? 0 : kDim)) * sizeof(uint16_t);
};
using Few64 = Geometry<64, 4, 2>;
using Few128 = Geometry<128, 4, 2>;
using Few256 = Geometry<256, 4, 2>;
using Many64 = Geometry<64, 8, 4>;
using Many128 = Geometry<128, 8, 4>;
using Many256 = Geometry<256, 8, 1>;
using Few512 = Geometry<512, 4, 1, true>;
using Many512 = Geometry<512, 6, 1, true>;
using Widest = Geometry<kMaxHeadDim, 4, 1, true>;  // latent attention's

template <typename G>
struct Shared {
  float* queries;  // (kQueries, kDim), scaled
  f16* keys;       // (kKeys, kKeyStride)
  f16* values;     // (kKeys, kValueStride); with kInTurn where keys are
};
template <typename G>
__device__ Shared<G> shared_of() {
  Shared<G> shared{};
  shared.queries = dynamic_shared<float>();
  shared.keys = reinterpret_cast<f16*>(shared.queries + G::kQueries * G::kDim);
  shared.values = G::kInTurn ? shared.keys : shared.keys + kKeys * G::kKeyStride;
  return shared;
}

// Queries, and zeros wherever the head is narrower than the geometry: they are multiplied along.
template <typename G>
__device__ void load_queries(const AttentionCall& call, const Tile& tile, const Shared<G>& shared) {
  const int head_dim = call.shape.head_dim;
  for (int i = static_cast<int>(threadIdx.x); i < G::kQueries * G::kDim; i += G::kThreads) {
    const int query = i / G::kDim;
    const int d = i % G::kDim;
    float value = 0.0f;
    if (query < tile.n_queries() && d < head_dim) {
      const int64_t head = int64_t{tile.row(query)} * call.shape.n_heads + tile.head(query);
      value = call.q[head * head_dim + d] * call.shape.scale;
    }
    shared.queries[i] = value;
  }
  for (int i = static_cast<int>(threadIdx.x); i < kKeys * G::kKeyStride; i += G::kThreads) shared.keys[i] = {0};
  if constexpr (!G::kInTurn) {
    for (int i = static_cast<int>(threadIdx.x); i < kKeys * G::kDim; i += G::kThreads) shared.values[i] = {0};
  }
}

__device__ __forceinline__ void unpack(const uint4& bits, float (&out)[kVector]) {
  const uint32_t words[4] = {bits.x, bits.y, bits.z, bits.w};
  for (int j = 0; j < kVector; ++j) out[j] = half_to_float({static_cast<uint16_t>(words[j / 2] >> (16 * (j % 2)))});
}

// A warp's queries and what it knows of their attention so far: query j of the warp is number warp + kWarps * j.
template <typename G>
struct WarpState {
  static constexpr int kPairs = G::kDim / (2 * kWarp);
  float maximum[G::kPerWarp];
  float sum[G::kPerWarp];
  float out[G::kPerWarp][kPairs][2];  // elements 2 * lane + 64 * i and the next
};

// Scores of the lane's key: one reading of the key serves all of the warp's queries.
template <typename G>
__device__ void score_keys(const Shared<G>& shared, int warp, int lane, float (&scores)[G::kPerWarp]) {
  for (int j = 0; j < G::kPerWarp; ++j) scores[j] = 0.0f;
  for (int d = 0; d < G::kDim; d += kVector) {
    float key[kVector];
    unpack(*reinterpret_cast<const uint4*>(shared.keys + lane * G::kKeyStride + d), key);
    for (int j = 0; j < G::kPerWarp; ++j) {
      const auto* query = reinterpret_cast<const float4*>(shared.queries + (warp + G::kWarps * j) * G::kDim + d);
      const float4 a = query[0];
      const float4 b = query[1];
      scores[j] += a.x * key[0] + a.y * key[1] + a.z * key[2] + a.w * key[3];
      scores[j] += b.x * key[4] + b.y * key[5] + b.z * key[6] + b.w * key[7];
    }
  }
}

// The lane's weight of its key; sums and outputs so far are scaled to the new maximum.
template <typename G>
__device__ float soften(float score, bool sees, int j, WarpState<G>& state) {
  const float maximum = fmaxf(state.maximum[j], warp_max(sees ? score : -INFINITY));
  if (maximum == -INFINITY) return 0.0f;
  const float correction = expf(state.maximum[j] - maximum);
  const float weight = sees ? expf(score - maximum) : 0.0f;
  state.maximum[j] = maximum;
  state.sum[j] = state.sum[j] * correction + warp_sum(weight);
  for (int i = 0; i < WarpState<G>::kPairs; ++i)
    for (int k = 0; k < 2; ++k) state.out[j][i][k] *= correction;
  return weight;
}

template <typename G>
__device__ void add_values(const Shared<G>& shared, int lane, const float (&weights)[G::kPerWarp],
                           WarpState<G>& state) {
  for (int key = 0; key < kKeys; ++key) {
    float weight[G::kPerWarp];
    for (int j = 0; j < G::kPerWarp; ++j) weight[j] = __shfl_sync(kAllLanes, weights[j], key);
    for (int i = 0; i < WarpState<G>::kPairs; ++i) {
      const auto* pair = reinterpret_cast<const uint32_t*>(shared.values + key * G::kValueStride) + lane + kWarp * i;
      const float low = half_to_float({static_cast<uint16_t>(*pair)});
      const float high = half_to_float({static_cast<uint16_t>(*pair >> 16)});
      for (int j = 0; j < G::kPerWarp; ++j) {
        state.out[j][i][0] += weight[j] * low;
        state.out[j][i][1] += weight[j] * high;
      }
    }
  }
}

// What the warp's queries give the lane's key; those of warps without queries are left alone.
template <typename G, bool kSloped>
__device__ void weigh_keys(const AttentionCall& call, const Tile& tile, int first, const Shared<G>& shared,
                           WarpState<G>& state, float (&weights)[G::kPerWarp]) {
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  if (warp >= tile.n_queries()) return;
  const int key = first + lane;
  score_keys<G>(shared, warp, lane, weights);
  for (int j = 0; j < G::kPerWarp; ++j) {
    const int query = min(warp + G::kWarps * j, tile.n_queries() - 1);
    const int row = tile.row(query);
    const bool sees = key >= first_key(call, row) && key < min(tile.end, end_key(call, tile.group, row));
    float score = weights[j];
    if constexpr (kSloped)
      score -= call.shape.slopes[tile.head(query)] * fabsf(static_cast<float>(call.rows.positions[row] - key));
    if (call.shape.softcap > 0.0f) score = call.shape.softcap * tanhf(score / call.shape.softcap);
    weights[j] = soften<G>(score, sees, j, state);
  }
}

// One tile of keys, from bringing them to adding their values.
template <typename G, bool kSloped>
__device__ void attend_keys(const AttentionCall& call, const Tile& tile, int first, const Shared<G>& shared,
                            WarpState<G>& state) {
  const bool has_queries = static_cast<int>(threadIdx.x) / kWarp < tile.n_queries();
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  float weights[G::kPerWarp];
  __syncthreads();
  if constexpr (G::kInTurn) {
    load_keys_or_values<kKeys, G::kThreads>(call, tile, first, false, G::kKeyStride, shared.keys);
    __syncthreads();
    weigh_keys<G, kSloped>(call, tile, first, shared, state, weights);
    __syncthreads();
    load_keys_or_values<kKeys, G::kThreads>(call, tile, first, true, G::kValueStride, shared.values);
  } else {
    load_keys_values<kKeys, G::kThreads>(call, tile, first,
                                         {shared.keys, shared.values, G::kKeyStride, G::kValueStride});
    __syncthreads();
    weigh_keys<G, kSloped>(call, tile, first, shared, state, weights);
  }
  if constexpr (G::kInTurn) __syncthreads();
  if (has_queries) add_values<G>(shared, lane, weights, state);
}

template <typename G>
__device__ void write_query(const AttentionCall& call, const Tile& tile, int query, int j, const WarpState<G>& state) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int64_t head = int64_t{tile.row(query)} * call.shape.n_heads + tile.head(query);
  const bool whole = call.plan.n_splits == 1;
  float* out = whole ? call.out + head * call.shape.head_dim : partial_of<G>(call, static_cast<int>(blockIdx.z), query);
  float scale = 1.0f;
  if (whole) {
    const float sum = state.sum[j] + sink_weight(call.shape, tile.head(query), state.maximum[j]);
    scale = sum > 0.0f ? 1.0f / sum : 0.0f;
  }
  for (int i = 0; i < WarpState<G>::kPairs; ++i)
    for (int k = 0; k < 2; ++k) {
      const int d = 2 * (lane + kWarp * i) + k;
      if (d < call.shape.head_dim) out[d] = state.out[j][i][k] * scale;
    }
  if (whole || lane != 0) return;
  out[G::kDim] = state.maximum[j];
  out[G::kDim + 1] = state.sum[j];
}

template <typename G, bool kSloped>
__global__ void __launch_bounds__(G::kThreads) attend_kernel(AttentionCall call) {
  after_earlier_kernels();
  const Tile tile = tile_of<kKeys>(call);
  // The merge knows how many splits there are and reads none beyond.
  if (blockIdx.z > 0 && tile.begin >= tile.end) return;
  const Shared<G> shared = shared_of<G>();
  load_queries<G>(call, tile, shared);
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  WarpState<G> state;
  for (int j = 0; j < G::kPerWarp; ++j) {
    state.maximum[j] = -INFINITY;
    state.sum[j] = 0.0f;
    for (int i = 0; i < WarpState<G>::kPairs; ++i) state.out[j][i][0] = state.out[j][i][1] = 0.0f;
  }
  for (int first = tile.begin; first < tile.end; first += kKeys)
    attend_keys<G, kSloped>(call, tile, first, shared, state);
  for (int j = 0; j < G::kPerWarp; ++j)
    if (warp + G::kWarps * j < tile.n_queries()) write_query<G>(call, tile, warp + G::kWarps * j, j, state);
}

template <typename G>
cudaError_t run(cudaStream_t stream, const AttentionCall& call) {
  const auto kernel = call.shape.slopes != nullptr ? attend_kernel<G, true> : attend_kernel<G, false>;
  const cudaError_t error = launch(stream, attention_grid(call), G::kThreads, G::kSharedBytes, kernel, call);
  return error == cudaSuccess ? merge_splits<G>(stream, call) : error;
}

// Calls body with the geometry for the shape.
template <typename Body>
auto with_geometry(int head_dim, bool few, Body body) {
  if (head_dim <= 64) return few ? body(Few64{}) : body(Many64{});
  if (head_dim <= 128) return few ? body(Few128{}) : body(Many128{});
  if (head_dim <= 256) return few ? body(Few256{}) : body(Many256{});
  if (head_dim <= 512) return few ? body(Few512{}) : body(Many512{});
  return body(Widest{});
}

// Enough blocks for all multiprocessors, and no split shorter than a few tiles of keys. A window may begin within a
// tile of keys, hence one tile more.
void split_keys(const AttentionShape& shape, const StepSize& step, const AttentionMeans& means, AttentionPlan& plan) {
  if (!plan.few && !plan.tensor_cores) return;
  const int tile_keys = plan.tensor_cores ? kTensorKeys : kKeys;
  const int blocks_per_processor = plan.tensor_cores ? 2 : 4;
  const int shortest = plan.tensor_cores ? 4 * kTensorKeys : 2 * kKeys;
  const int n_blocks = step.n_tiles * shape.n_kv_heads * plan.head_tiles;
  const int wanted = std::max(1, blocks_per_processor * means.n_processors / n_blocks);
  if (plan.tensor_cores && (wanted == 1 || step.n_keys <= shortest)) return;
  const int keys = (step.n_keys + wanted - 1) / wanted;
  plan.split_keys = std::max(shortest, (keys + tile_keys - 1) / tile_keys * tile_keys);
  plan.n_splits = (step.n_keys + tile_keys + plan.split_keys - 1) / plan.split_keys;
}

}  // namespace

AttentionPlan plan_attention(const AttentionShape& shape, const StepSize& step, const AttentionMeans& means) {
  AttentionPlan plan;
  plan.few = step.most_rows <= kFewRows;
  if (step.most_rows == 1 && means.one_kind && shape.slopes == nullptr && shape.head_dim <= kMostSingleHeadDim) {
    plan_single_rows(shape, step, means.n_processors, plan);
    return plan;
  }
  const bool caps_alone = shape.softcap <= 0 || shape.slopes == nullptr;
  plan.tensor_cores = !plan.few && means.tensor_cores && caps_alone && suits_tensor_cores(shape.head_dim);
  const int n_queries = plan.tensor_cores ? kTensorQueries : with_geometry(shape.head_dim, plan.few, [](auto geometry) {
    return decltype(geometry)::kQueries;
  });
  const int heads_per_kv = shape.n_heads / shape.n_kv_heads;
  plan.heads_per_tile = std::min(heads_per_kv, n_queries);
  plan.head_tiles = (heads_per_kv + n_queries - 1) / n_queries;
  plan.rows_per_tile = std::max(1, n_queries / heads_per_kv);
  if (step.n_tiles > 0) split_keys(shape, step, means, plan);
  return plan;
}

int64_t partial_floats(const AttentionShape& shape, const AttentionPlan& plan, int n_tiles) {
  if (plan.n_splits == 1) return 0;
  if (plan.single) return single_partial_floats(shape, plan, n_tiles);
  if (plan.tensor_cores) {
    const int per_query = tensor_width(shape.head_dim) + 2;
    return int64_t{n_tiles} * shape.n_kv_heads * plan.head_tiles * plan.n_splits * kTensorQueries * per_query;
  }
  const int per_block = with_geometry(shape.head_dim, plan.few, [](auto geometry) {
    using G = decltype(geometry);
    return G::kQueries * (G::kDim + 2);
  });
  return int64_t{n_tiles} * shape.n_kv_heads * plan.head_tiles * plan.n_splits * per_block;
}

cudaError_t attend(cudaStream_t stream, const AttentionCall& call) {
  if (call.plan.single) return attend_single_rows(stream, call);
  if (call.plan.tensor_cores) return attend_on_tensor_cores(stream, call);
  return with_geometry(call.shape.head_dim, call.plan.few, [&](auto geometry) {
    using G = decltype(geometry);
    static_assert(G::kSharedBytes <= size_t{48} << 10);
    return run<G>(stream, call);
  });
}

}  // namespace mneme::engine::cuda
