// Attention of many rows on the tensor cores, after FlashAttention-2 (2307.08691): a warp keeps the scores and outputs
// of thirty-two queries in registers, so that what it reads of keys and values serves two products each; queries lie in
// shared memory. Values arrive while scores are computed, the next keys while weights are. Outputs are scaled anew only
// where scores have grown by much, as FlashAttention-4 does. Every loop over what lies in registers must be unrolled:
// an index that is not a constant moves the array to memory.
#include "engine/backend/cuda/attention_merge.cuh"
#include "engine/backend/cuda/attention_sinks.cuh"
#include "engine/backend/cuda/attention_tile.cuh"
#include "engine/backend/cuda/tensor_core.cuh"

namespace mneme::engine::cuda {
namespace {

constexpr int kKeys = kTensorKeys;
constexpr int kWarps = 4;
constexpr int kThreads = kWarps * kWarp;
constexpr int kFragments = 2;           // of sixteen queries
constexpr int kSlots = 2 * kFragments;  // queries of a lane: lane / 4 + 8 * slot of its warp's
constexpr int kRows = 16 * kFragments;
static_assert(kWarps * kRows == kTensorQueries && kThreads == kTensorQueries);

constexpr float kLog2E = 1.4426950408889634f;
constexpr float kLn2 = 0.6931471805599453f;
// Powers of two by which weights may exceed 1 before outputs are scaled anew: far from f16's largest.
constexpr float kSlack = 8.0f;

// What becomes of a score before its weight is taken.
enum class Scored { kPlain, kCapped, kSloped };

// What scores of a query fall by, as a power of two, with every token from where it stands.
struct Slope {
  float each;
  int position;
};

// The geometry, also of merging (attention_merge.cuh).
template <int kDimIn>
struct Geometry {
  static constexpr int kDim = kDimIn;
  static constexpr int kQueries = kTensorQueries;
  static constexpr int kTileKeys = kKeys;
  static constexpr int kStride = kDim + kVector;  // spreads the rows that one load names over the banks
  static constexpr size_t kSharedBytes = (kQueries + 2 * kKeys) * kStride * sizeof(f16) + kTensorQueries * sizeof(int2);
};

template <typename G>
struct Shared {
  f16* queries;   // (kQueries, kStride), scaled
  f16* keys;      // (kKeys, kStride)
  f16* values;    // likewise
  int2* limits;   // (kQueries): the first key that a query sees, and the one behind the last
  Slope* slopes;  // (kQueries) behind kSharedBytes, of kSloped
};
template <typename G>
__device__ Shared<G> shared_of() {
  Shared<G> shared{};
  shared.queries = dynamic_shared<f16>();
  shared.keys = shared.queries + G::kQueries * G::kStride;
  shared.values = shared.keys + kKeys * G::kStride;
  shared.limits = reinterpret_cast<int2*>(shared.values + kKeys * G::kStride);
  shared.slopes = reinterpret_cast<Slope*>(shared.limits + G::kQueries);
  return shared;
}

__device__ __forceinline__ int lane_id() {
  return static_cast<int>(threadIdx.x) % kWarp;
}
__device__ __forceinline__ int warp_id() {
  return static_cast<int>(threadIdx.x) / kWarp;
}
__device__ __forceinline__ int query_of(int slot) {
  return warp_id() * kRows + lane_id() / 4 + 8 * slot;
}

// Which keys the warp's queries see: all of them those in [every.x, every.y), some of them those in [some.x, some.y).
struct Reach {
  int2 some;
  int2 every;
};
__device__ __forceinline__ Reach reach_of(const AttentionCall& call, const Tile& tile) {
  const int n_queries = tile.n_queries();
  const int first = warp_id() * kRows;
  if (first >= n_queries) return {{0, 0}, {0, 0}};
  // Positions ascend within a group.
  const int low = tile.row(first);
  const int high = tile.row(min(first + kRows, n_queries) - 1);
  return {{first_key(call, low), min(tile.end, end_key(call, tile.group, high))},
          {first_key(call, high), min(tile.end, end_key(call, tile.group, low))}};
}

// Scores come out of the product as powers of two, or, where they are capped, as what cap() takes.
__device__ __forceinline__ float query_scale(const AttentionCall& call) {
  const float scale = call.shape.scale * kLog2E;
  return call.shape.softcap > 0.0f ? 2.0f * scale / call.shape.softcap : scale;
}

// Queries and their limits; zeros wherever the head is narrower than the geometry: they are multiplied along.
template <typename G, Scored kScored>
__device__ void load_queries(const AttentionCall& call, const Tile& tile, const Shared<G>& shared) {
  constexpr int kVectors = G::kDim / kVector;
  const int head_dim = call.shape.head_dim;
  const float scale = query_scale(call);
  for (int i = static_cast<int>(threadIdx.x); i < G::kQueries * kVectors; i += kThreads) {
    const int query = i / kVectors;
    const int d = i % kVectors * kVector;
    uint4 bits{0, 0, 0, 0};
    if (query < tile.n_queries() && d < head_dim) {
      const int64_t head = int64_t{tile.row(query)} * call.shape.n_heads + tile.head(query);
      const auto* from = reinterpret_cast<const float4*>(call.q + head * head_dim + d);
      const float4 a = from[0];
      const float4 b = from[1];
      bits = {pack_halves(a.x * scale, a.y * scale), pack_halves(a.z * scale, a.w * scale),
              pack_halves(b.x * scale, b.y * scale), pack_halves(b.z * scale, b.w * scale)};
    }
    *reinterpret_cast<uint4*>(shared.queries + query * G::kStride + d) = bits;
  }
  const auto query = static_cast<int>(threadIdx.x);
  const int last = tile.n_queries() - 1;
  const int row = tile.row(min(query, last));
  if constexpr (kScored == Scored::kSloped)
    shared.slopes[query] = {call.shape.slopes[tile.head(min(query, last))] * kLog2E, call.rows.positions[row]};
  shared.limits[query] = {first_key(call, row), min(tile.end, end_key(call, tile.group, row))};
  const int n_beyond = G::kDim - head_dim;
  for (int i = query; i < 2 * kKeys * n_beyond; i += kThreads)
    shared.keys[i / n_beyond * G::kStride + head_dim + i % n_beyond] = {0};
}

// Keys [first, first + kKeys) of the tile, or their values, on their way into shared memory; wait_for_copies() before
// they are read. Rows beyond the tile become zeros.
template <typename G>
__device__ void bring(const AttentionCall& call, const Tile& tile, int first, bool values, f16* to) {
  constexpr int kVectors = G::kDim / kVector;
  const KvView& kv = tile.group.kv;
  const KvHead at = kv_head_at(kv, call.layer, first, tile.kv_head);
  const int token = first % kPageTokens;
  const int n_keys = tile.end - first;
  if (kv.is_q8) {
    const int from = token * kv.head_dim;
    const int scales = token * (kv.head_dim / kKvBlock);
    load_rows<kKeys, kThreads>(nullptr, (values ? at.value_codes() : at.key_codes()) + from,
                               (values ? at.value_scales() : at.key_scales()) + scales, kv.head_dim, n_keys, G::kStride,
                               to);
    return;
  }
  const int d = static_cast<int>(threadIdx.x) % kVectors * kVector;
  if (d >= kv.head_dim) return;
  const f16* from = (values ? at.values() : at.keys()) + token * kv.head_dim + d;
#pragma unroll
  for (int i = 0; i < kKeys * kVectors / kThreads; ++i) {
    const int key = static_cast<int>(threadIdx.x) / kVectors + i * (kThreads / kVectors);
    copy_vector(to + key * G::kStride + d, from + key * kv.head_dim, key < n_keys);
  }
}

// A warp's queries so far.
template <typename G>
struct WarpState {
  float out[kFragments][G::kDim / 8][4];
  float maximum[kSlots];  // that weights are taken of, as a power of two; what they are is up to 2^kSlack
  float sum[kSlots];      // of the lane's keys alone until the end
};
// Of keys 8 n .. 8 n + 7 of a tile: first scores, then weights.
struct Scores {
  float of[kFragments][kKeys / 8][4];
};

template <typename G>
__device__ void clear(WarpState<G>& state) {
#pragma unroll
  for (int m = 0; m < kFragments; ++m)
#pragma unroll
    for (int i = 0; i < G::kDim / 8; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j) state.out[m][i][j] = 0.0f;
#pragma unroll
  for (int slot = 0; slot < kSlots; ++slot) {
    state.maximum[slot] = -INFINITY;
    state.sum[slot] = 0.0f;
  }
}

// One load brings a fragment's queries, or two groups of eight keys, for sixteen dimensions.
template <typename G>
__device__ void score(const Shared<G>& shared, Scores& scores) {
#pragma unroll
  for (int m = 0; m < kFragments; ++m)
#pragma unroll
    for (int n = 0; n < kKeys / 8; ++n)
#pragma unroll
      for (int j = 0; j < 4; ++j) scores.of[m][n][j] = 0.0f;
  const int lane = lane_id();
  const f16* query = shared.queries + (warp_id() * kRows + lane % 16) * G::kStride + lane / 16 * 8;
  const f16* key = shared.keys + (lane % 8 + lane / 16 * 8) * G::kStride + lane / 8 % 2 * 8;
#pragma unroll
  for (int step = 0; step < G::kDim / 16; ++step) {
    uint32_t a[kFragments][4];
#pragma unroll
    for (int m = 0; m < kFragments; ++m) load_matrices(a[m], query + 16 * m * G::kStride + 16 * step);
#pragma unroll
    for (int n = 0; n < kKeys / 8; n += 2) {
      uint32_t b[4];
      load_matrices(b, key + 8 * n * G::kStride + 16 * step);
      const uint32_t first[2] = {b[0], b[1]};
      const uint32_t second[2] = {b[2], b[3]};
#pragma unroll
      for (int m = 0; m < kFragments; ++m) {
        multiply_add(scores.of[m][n], a[m], first);
        multiply_add(scores.of[m][n + 1], a[m], second);
      }
    }
  }
}

// Calls body with each score of the lane: its slot, its key within the tile, and where it lies.
template <typename Body>
__device__ __forceinline__ void each_score(Scores& scores, Body body) {
#pragma unroll
  for (int m = 0; m < kFragments; ++m)
#pragma unroll
    for (int n = 0; n < kKeys / 8; ++n)
#pragma unroll
      for (int j = 0; j < 4; ++j) body(2 * m + j / 2, 8 * n + 2 * (lane_id() % 4) + j % 2, scores.of[m][n][j]);
}

template <typename G>
__device__ void hide_unseen(const Shared<G>& shared, int first, Scores& scores) {
  int2 limits[kSlots];
#pragma unroll
  for (int slot = 0; slot < kSlots; ++slot) limits[slot] = shared.limits[query_of(slot)];
  each_score(scores, [&](int slot, int key, float& score) {
    if (first + key < limits[slot].x || first + key >= limits[slot].y) score = -INFINITY;
  });
}

// c tanh(s / c), from 2 s / c; all as powers of two.
__device__ __forceinline__ void cap(float softcap, Scores& scores) {
  const float most = softcap * kLog2E;
  each_score(scores,
             [&](int, int, float& score) { score = most - 2.0f * most * reciprocal_of(1.0f + exp2_of(score)); });
}

template <typename G>
__device__ void lower_by_distance(const Shared<G>& shared, int first, Scores& scores) {
  Slope slopes[kSlots];
#pragma unroll
  for (int slot = 0; slot < kSlots; ++slot) slopes[slot] = shared.slopes[query_of(slot)];
  each_score(scores, [&](int slot, int key, float& score) {
    const auto distance = static_cast<float>(first + key - slopes[slot].position);
    score = fmaf(-slopes[slot].each, fabsf(distance), score);
  });
}

__device__ __forceinline__ float max_of_four(float value) {
  value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, 1));
  return fmaxf(value, __shfl_xor_sync(kAllLanes, value, 2));
}

// Moves the maxima to where the tile's scores are not far above them, and what was summed so far with them.
template <typename G>
__device__ void follow_maxima(Scores& scores, WarpState<G>& state) {
  float largest[kSlots];
#pragma unroll
  for (int slot = 0; slot < kSlots; ++slot) largest[slot] = -INFINITY;
  each_score(scores, [&](int slot, int, float& score) { largest[slot] = fmaxf(largest[slot], score); });
  float corrections[kSlots];
  bool moves = false;
#pragma unroll
  for (int slot = 0; slot < kSlots; ++slot) {
    const float before = state.maximum[slot];
    const float now = max_of_four(largest[slot]);
    const bool grows = now > before + kSlack;
    corrections[slot] = grows ? exp2_of(before - now) : 1.0f;
    if (grows) state.maximum[slot] = now;
    moves = moves || grows;
  }
  if (!__any_sync(kAllLanes, moves)) return;
#pragma unroll
  for (int slot = 0; slot < kSlots; ++slot) state.sum[slot] *= corrections[slot];
#pragma unroll
  for (int m = 0; m < kFragments; ++m)
#pragma unroll
    for (int i = 0; i < G::kDim / 8; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j) state.out[m][i][j] *= corrections[2 * m + j / 2];
}

template <typename G>
__device__ void soften(Scores& scores, WarpState<G>& state) {
  follow_maxima(scores, state);
  float base[kSlots];
#pragma unroll
  for (int slot = 0; slot < kSlots; ++slot) base[slot] = state.maximum[slot] == -INFINITY ? 0.0f : state.maximum[slot];
  each_score(scores, [&](int slot, int, float& score) {
    score = exp2_of(score - base[slot]);
    state.sum[slot] += score;
  });
}

// What a product leaves in a lane is what the next one wants as its left side: two key groups make one step.
template <typename G>
__device__ void add_values(const Shared<G>& shared, const Scores& weights, WarpState<G>& state) {
  const int lane = lane_id();
  // Lanes 0 to 15 name the sixteen keys' rows of one group of dimensions, the others those of the next.
  const f16* value = shared.values + lane % 16 * G::kStride + lane / 16 * 8;
#pragma unroll
  for (int step = 0; step < kKeys / 16; ++step) {
    uint32_t a[kFragments][4];
#pragma unroll
    for (int m = 0; m < kFragments; ++m)
#pragma unroll
      for (int part = 0; part < 4; ++part) {
        const float(&four)[4] = weights.of[m][2 * step + part / 2];
        a[m][part] = pack_halves(four[part % 2 * 2], four[part % 2 * 2 + 1]);
      }
#pragma unroll
    for (int i = 0; i < G::kDim / 8; i += 2) {
      uint32_t b[4];
      load_matrices_transposed(b, value + 16 * step * G::kStride + 8 * i);
      const uint32_t first[2] = {b[0], b[1]};
      const uint32_t second[2] = {b[2], b[3]};
#pragma unroll
      for (int m = 0; m < kFragments; ++m) {
        multiply_add(state.out[m][i], a[m], first);
        multiply_add(state.out[m][i + 1], a[m], second);
      }
    }
  }
}

template <typename G>
__device__ void write(const AttentionCall& call, const Tile& tile, const WarpState<G>& state) {
  const bool whole = call.plan.n_splits == 1;
#pragma unroll
  for (int slot = 0; slot < kSlots; ++slot) {
    float sum = state.sum[slot];
    sum += __shfl_xor_sync(kAllLanes, sum, 1);
    sum += __shfl_xor_sync(kAllLanes, sum, 2);
    const int query = query_of(slot);
    if (query >= tile.n_queries()) continue;
    const int64_t head = int64_t{tile.row(query)} * call.shape.n_heads + tile.head(query);
    float* out =
        whole ? call.out + head * call.shape.head_dim : partial_of<G>(call, static_cast<int>(blockIdx.z), query);
    const float maximum = state.maximum[slot] * kLn2;
    if (whole) sum += sink_weight(call.shape, tile.head(query), maximum);
    const float scale = !whole ? 1.0f : sum > 0.0f ? 1.0f / sum : 0.0f;
#pragma unroll
    for (int i = 0; i < G::kDim / 8; ++i) {
      const int d = 8 * i + 2 * (lane_id() % 4);
      const float* pair = state.out[slot / 2][i] + slot % 2 * 2;
      if (d < call.shape.head_dim) *reinterpret_cast<float2*>(out + d) = {pair[0] * scale, pair[1] * scale};
    }
    if (whole || lane_id() % 4 != 0) continue;
    out[G::kDim] = maximum;
    out[G::kDim + 1] = sum;
  }
}

template <typename G, Scored kScored>
__global__ void __launch_bounds__(kThreads, 2) attend_kernel(AttentionCall call) {
  after_earlier_kernels();
  const Tile tile = tile_of<kKeys>(call);
  // The merge knows how many splits there are and reads none beyond.
  if (blockIdx.z > 0 && tile.begin >= tile.end) return;
  const Shared<G> shared = shared_of<G>();
  const Reach reach = reach_of(call, tile);
  load_queries<G, kScored>(call, tile, shared);
  WarpState<G> state;
  clear(state);
  if (tile.begin < tile.end) bring<G>(call, tile, tile.begin, false, shared.keys);
  for (int first = tile.begin; first < tile.end; first += kKeys) {
    const bool sees = first < reach.some.y && first + kKeys > reach.some.x;
    Scores scores;
    wait_for_copies();
    __syncthreads();  // the keys are there, the values before have been used
    bring<G>(call, tile, first, true, shared.values);
    if (sees) score(shared, scores);
    wait_for_copies();
    __syncthreads();  // the values are there, the keys have been used
    if (first + kKeys < tile.end) bring<G>(call, tile, first + kKeys, false, shared.keys);
    if (!sees) continue;
    if constexpr (kScored == Scored::kCapped) cap(call.shape.softcap, scores);
    if constexpr (kScored == Scored::kSloped) lower_by_distance(shared, first, scores);
    if (first < reach.every.x || first + kKeys > reach.every.y) hide_unseen(shared, first, scores);
    soften(scores, state);
    add_values(shared, scores, state);
  }
  if (warp_id() * kRows < tile.n_queries()) write(call, tile, state);
}

template <typename G, Scored kScored>
cudaError_t run(cudaStream_t stream, const AttentionCall& call) {
  const auto kernel = attend_kernel<G, kScored>;
  constexpr size_t kBytes = G::kSharedBytes + (kScored == Scored::kSloped ? G::kQueries * sizeof(Slope) : 0);
  cudaError_t error = cudaSuccess;
  if constexpr (kBytes > kSharedBytesOfAnyKernel)
    error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
  if (error == cudaSuccess) error = launch(stream, attention_grid(call), kThreads, kBytes, kernel, call);
  return error == cudaSuccess ? merge_splits<G>(stream, call) : error;
}

template <typename G>
cudaError_t run_scored(cudaStream_t stream, const AttentionCall& call) {
  if (call.shape.slopes != nullptr) return run<G, Scored::kSloped>(stream, call);
  if (call.shape.softcap > 0.0f) return run<G, Scored::kCapped>(stream, call);
  return run<G, Scored::kPlain>(stream, call);
}

}  // namespace

cudaError_t attend_on_tensor_cores(cudaStream_t stream, const AttentionCall& call) {
  return tensor_width(call.shape.head_dim) == 64 ? run_scored<Geometry<64>>(stream, call)
                                                 : run_scored<Geometry<128>>(stream, call);
}

}  // namespace mneme::engine::cuda
