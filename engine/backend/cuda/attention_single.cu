// Decoding: attention of single rows to their sequences. The keys are cut among blocks, which read tokens where they
// lie, a row of 16 bytes a lane; the block that is done last merges the parts, so that nothing is launched for it.
// Every block finishes its own queries, and the one that has the newest token puts its key and value in place first.
#include <algorithm>

#include "engine/backend/cuda/attention_sinks.cuh"
#include "engine/backend/cuda/attention_tile.cuh"
#include "engine/backend/cuda/head_rows.cuh"
#include "engine/backend/cuda/next_weights.cuh"
#include "engine/backend/cuda/rounding.cuh"
#include "engine/backend/cuda/row_attention_tile.cuh"

namespace mneme::engine::cuda {
namespace rows {
namespace {

// Warps of a block: as many as leave two blocks' registers to their rows.
constexpr int warps_of(int lanes) {
  return lanes == 32 ? 6 : 8;
}

// What a block works on: a tile of query heads of one KV head, and keys [begin, end).
struct Piece {
  int row;
  int kv_head;
  int first_head;
  int n_queries;
  int begin;
  int end;
  int n_splits;  // that have keys, at least one: the plan is made for a step of more keys
};
template <typename G>
__device__ __forceinline__ Piece piece_of(const AttentionCall& call, const GroupView& group) {
  const int heads_per_kv = call.shape.n_heads / call.shape.n_kv_heads;
  Piece piece{};
  piece.row = static_cast<int>(blockIdx.x);
  piece.kv_head = static_cast<int>(blockIdx.y) / call.plan.head_tiles;
  const int first = static_cast<int>(blockIdx.y) % call.plan.head_tiles * G::kQueries;
  piece.first_head = piece.kv_head * heads_per_kv + first;
  piece.n_queries = min(G::kQueries, heads_per_kv - first);
  const int begin = first_key(call, piece.row);
  const int end = end_key(call, group, piece.row);
  piece.begin = begin + static_cast<int>(blockIdx.z) * call.plan.split_keys;
  piece.end = min(end, piece.begin + call.plan.split_keys);
  piece.n_splits = max(1, min(call.plan.n_splits, (end - begin + call.plan.split_keys - 1) / call.plan.split_keys));
  return piece;
}

// Where a query's part of a split lies: outputs, then maximum and sum.
template <typename G>
__device__ __forceinline__ float* partial_of(const AttentionCall& call, int split, int query) {
  const int64_t tile = int64_t{blockIdx.x} * gridDim.y + blockIdx.y;
  return call.partials + ((tile * call.plan.n_splits + split) * G::kQueries + query) * (G::kWidth + 2);
}

// True for all threads of the block of this tile that comes here last, when the others' parts can be seen. The counter
// is zero again for the next launch.
__device__ __forceinline__ bool comes_last(int* counter, int n_blocks) {
  __shared__ int before;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    before = atomicAdd(counter, 1);
    if (before == n_blocks - 1) *counter = 0;
  }
  __syncthreads();
  __threadfence();
  return before == n_blocks - 1;
}

// A warp finds the weights of a query's splits and what they and its sink sum up to.
template <typename G>
__device__ __forceinline__ float weigh_splits(const AttentionCall& call, const Piece& piece, int query,
                                              float* weights) {
  const int n_splits = piece.n_splits;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  constexpr int kEach = kMostSplits / kWarp;
  float maxima[kEach];
  float sums[kEach];
  float maximum = -INFINITY;
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int s = lane + kWarp * i;
    const float* part = partial_of<G>(call, s, query) + G::kWidth;
    maxima[i] = s < n_splits ? __ldcg(part) : -INFINITY;
    sums[i] = s < n_splits ? __ldcg(part + 1) : 0.0f;
    maximum = fmaxf(maximum, maxima[i]);
  }
  maximum = warp_max(maximum);
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const float weight = maxima[i] == -INFINITY ? 0.0f : expf(maxima[i] - maximum);
    weights[lane + kWarp * i] = weight;
    sum += weight * sums[i];
  }
  return warp_sum(sum) + sink_weight(call.shape, piece.first_head + query, maximum);
}

// Element d of query q's output, by all lanes of a warp at once, 32 neighbours.
__device__ __forceinline__ void write_output(const AttentionCall& call, const Piece& piece, int q, int d, float value) {
  if (d >= call.shape.head_dim) return;
  const int i = (piece.first_head + q) * call.shape.head_dim + d;
  call.out[int64_t{piece.row} * call.shape.n_heads * call.shape.head_dim + i] = value;
  if (call.rounded.codes != nullptr) store_rounded(call.rounded, piece.row, i, value);
}

// The outputs that a thread merges, and of how many splits it asks for at once.
template <typename G>
struct Merge {
  static constexpr int kOutputs = (G::kQueries * G::kWidth + G::kThreads - 1) / G::kThreads;
  static constexpr int kAtOnce = kOutputs == 1 ? 32 : kOutputs == 2 ? 20 : 8;
  float values[kOutputs][kAtOnce];

  static __device__ __forceinline__ int index(int i) { return static_cast<int>(threadIdx.x) + i * G::kThreads; }
  // Past the first-level cache, which does not see what other multiprocessors write.
  __device__ __forceinline__ void load(const AttentionCall& call, const Piece& piece, int first) {
#pragma unroll
    for (int i = 0; i < kOutputs; ++i)
#pragma unroll
      for (int s = 0; s < kAtOnce; ++s) {
        const bool is_there = first + s < piece.n_splits && index(i) < piece.n_queries * G::kWidth;
        const float* part = partial_of<G>(call, first + s, index(i) / G::kWidth) + index(i) % G::kWidth;
        values[i][s] = is_there ? __ldcg(part) : 0.0f;
      }
  }
};

// The first splits' values are under way while the weights of all are found.
template <typename G>
__device__ void merge_splits(const AttentionCall& call, const Piece& piece) {
  using M = Merge<G>;
  __shared__ float weights[G::kQueries][kMostSplits + M::kAtOnce];  // as many more are read, with values of zero
  __shared__ float sums[G::kQueries];
  M merge;
  merge.load(call, piece, 0);
  for (int q = static_cast<int>(threadIdx.x) / kWarp; q < piece.n_queries; q += G::kWarps) {
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    const float sum = weigh_splits<G>(call, piece, q, weights[q]);
    if (lane == 0) sums[q] = sum;
    if (lane < M::kAtOnce) weights[q][kMostSplits + lane] = 0.0f;
  }
  __syncthreads();
  float out[M::kOutputs] = {};
#pragma unroll 1
  for (int first = 0; first < piece.n_splits; first += M::kAtOnce) {
    if (first > 0) merge.load(call, piece, first);
#pragma unroll
    for (int i = 0; i < M::kOutputs; ++i) {
      const int q = min(M::index(i) / G::kWidth, piece.n_queries - 1);
#pragma unroll
      for (int s = 0; s < M::kAtOnce; ++s) out[i] = fmaf(weights[q][first + s], merge.values[i][s], out[i]);
    }
  }
#pragma unroll
  for (int i = 0; i < M::kOutputs; ++i) {
    const int q = M::index(i) / G::kWidth;
    if (q < piece.n_queries)
      write_output(call, piece, q, M::index(i) % G::kWidth, sums[q] > 0.0f ? out[i] / sums[q] : 0.0f);
  }
}

// A warp asks for the piece's first rows, kFetched tokens of a page a lane: with more of them the blocks would drive
// each other's out of the cache. Nothing is read, so it matters not that the newest are still to be written.
constexpr int kFetched = 32;
constexpr int kMostFetched = 2 * kTokensAtOnce;
__device__ __forceinline__ void fetch_rows(const AttentionCall& call, const KvView& kv, const Piece& piece) {
  if (kv.far || kv.head_dim % kDims != 0) return;
  const auto row_bytes = static_cast<int>(kv.is_q8 ? sizeof(int8_t) : sizeof(f16)) * kv.head_dim;
  const int first = piece.begin / kFetched;
  const int end = min(piece.end, piece.begin + kMostFetched);
  const int n = 2 * ((end + kFetched - 1) / kFetched - first);  // of keys and of values in turn
  for (int i = static_cast<int>(threadIdx.x) % kWarp; i < n; i += kWarp) {
    const int position = (first + i / 2) * kFetched;
    const int row = position % kPageTokens + i % 2 * kPageTokens;
    fetch_to_cache(kv_head_at(kv, call.layer, position, piece.kv_head).base + row * row_bytes, kFetched * row_bytes);
  }
}

// A block's queries, and behind them the key and the value of the newest token.
template <typename G>
struct alignas(16) Heads {
  float values[(G::kQueries + 2) * G::kWidth];  // heads side by side, head_dim each
};

// The block's queries, finished. Where the newest token is among the keys of several tiles of query heads, each of them
// writes its key and value: the same bits, which the others need not wait for.
template <typename G>
__device__ __forceinline__ const float* queries_of(const AttentionCall& call, const GroupView& group,
                                                   const Piece& piece) {
  const HeadsIn& in = call.heads;
  if (in.qkv == nullptr)
    return call.q + (int64_t{piece.row} * call.shape.n_heads + piece.first_head) * call.shape.head_dim;
  __shared__ Heads<G> heads;
  const int position = call.rows.positions[piece.row];
  const bool has_newest = position >= piece.begin && position < piece.end;
  const int n = piece.n_queries + (has_newest ? 2 : 0);
  for (int i = static_cast<int>(threadIdx.x) / kWarp; i < n; i += G::kWarps) {
    float* head = heads.values + i * in.head_dim;
    const int of_kv = i - piece.n_queries;  // 0: the key, 1: the value
    const int h = of_kv < 0 ? piece.first_head + i : in.n_heads + of_kv * in.n_kv_heads + piece.kv_head;
    take_head(in, piece.row, h, head);
    if (of_kv < 0) {
      finish_query(in, piece.row, h, position, head);
    } else {
      finish_key_or_value(in, group.kv, place_of(group.kv, call.layer, position, piece.kv_head), piece.row, h, head);
    }
  }
  __syncthreads();
  return heads.values;
}

// What the kernel ahead writes are the queries and the newest token's keys and values, or what they are made from.
// Where the rows lie was written before that kernel began (launch_overlap.h), so they are asked for while it still
// runs.
template <typename G>
__global__ void __launch_bounds__(G::kThreads, 2) single_kernel(AttentionCall call) {
  const GroupView& group = call.rows.groups[blockIdx.x];
  __shared__ Piece piece;  // which leaves the registers to the rows
  if (threadIdx.x == 0) piece = piece_of<G>(call, group);
  __syncthreads();
  if (threadIdx.x < kWarp) fetch_rows(call, group.kv, piece);
  fetch_weights(call.ahead);
  after_earlier_kernels();
  if (static_cast<int>(blockIdx.z) >= piece.n_splits) return;
  const int head_dim = call.shape.head_dim;
  State<G> state;
  load_queries<G>(call.shape, queries_of<G>(call, group, piece), piece.n_queries, state);
  std::byte* const* pages = group.kv.pages;
  const int64_t in_page = head_in_page(group.kv, call.layer, piece.kv_head);
  const auto place = [&](int i) {
    const int position = piece.begin + i;
    return TokenPlace{{pages[position / kPageTokens] + in_page, head_dim}, position % kPageTokens};
  };
  const int n = piece.end - piece.begin;
  for (int i = static_cast<int>(threadIdx.x) / kWarp * G::kRows; i < n; i += G::kWarps * G::kRows)
    attend_tokens<G>(call.shape, place, i, n, state);
  const bool whole = piece.n_splits == 1;
  merge_parts<G>(state, piece.n_queries, [&](int q, int d, float value, float maximum, float sum) {
    if (whole) {
      const float total = sum + sink_weight(call.shape, piece.first_head + q, maximum);
      write_output(call, piece, q, d, total > 0.0f ? value / total : 0.0f);
      return;
    }
    float* part = partial_of<G>(call, static_cast<int>(blockIdx.z), q);
    part[d] = value;
    if (d != 0) return;
    part[G::kWidth] = maximum;
    part[G::kWidth + 1] = sum;
  });
  if (whole) return;
  if (comes_last(call.counters + blockIdx.x * gridDim.y + blockIdx.y, piece.n_splits)) merge_splits<G>(call, piece);
}

template <int kLanes, typename Body>
auto with_kind(bool bytes, bool several_queries, Body body) {
  constexpr int kFour = 4;
  constexpr int kWarps = warps_of(kLanes);
  if (several_queries)
    return bytes ? body(Geometry<kLanes, kFour, true, kWarps>{}) : body(Geometry<kLanes, kFour, false, kWarps>{});
  return bytes ? body(Geometry<kLanes, 1, true, kWarps>{}) : body(Geometry<kLanes, 1, false, kWarps>{});
}
// Calls body with the geometry for the shape.
template <typename Body>
auto with_geometry(const AttentionShape& shape, bool bytes, Body body) {
  const bool several_queries = shape.n_heads > shape.n_kv_heads;
  if (shape.head_dim <= 64) return with_kind<8>(bytes, several_queries, body);
  if (shape.head_dim <= 128) return with_kind<16>(bytes, several_queries, body);
  return with_kind<32>(bytes, several_queries, body);
}

}  // namespace
}  // namespace rows

void plan_single_rows(const AttentionShape& shape, const StepSize& step, int n_processors, AttentionPlan& plan) {
  plan.single = true;
  plan.rows_per_tile = 1;
  plan.heads_per_tile = rows::with_geometry(shape, false, [](auto geometry) { return decltype(geometry)::kQueries; });
  plan.head_tiles = (shape.n_heads / shape.n_kv_heads + plan.heads_per_tile - 1) / plan.heads_per_tile;
  // Parts of 128 keys where they give every multiprocessor one, else of 64, which a block reads at once; longer ones
  // where there are two for each.
  const int n_tiles = step.n_tiles * shape.n_kv_heads * plan.head_tiles;
  if (n_tiles == 0) return;
  const int shortest =
      n_tiles * (step.n_keys / (2 * kTokensAtOnce)) >= n_processors ? 2 * kTokensAtOnce : kTokensAtOnce;
  const int wanted = std::clamp(2 * n_processors / n_tiles, 1, kMostSplits);
  const int keys = (step.n_keys + wanted - 1) / wanted;
  plan.split_keys = std::max(shortest, (keys + kTokensAtOnce - 1) / kTokensAtOnce * kTokensAtOnce);
  plan.n_splits = (step.n_keys + plan.split_keys - 1) / plan.split_keys;
}

int64_t single_partial_floats(const AttentionShape& shape, const AttentionPlan& plan, int n_rows) {
  const int per_part = rows::with_geometry(shape, false, [](auto geometry) {
    using G = decltype(geometry);
    return G::kQueries * (G::kWidth + 2);
  });
  return int64_t{n_rows} * shape.n_kv_heads * plan.head_tiles * plan.n_splits * per_part;
}

cudaError_t attend_single_rows(cudaStream_t stream, const AttentionCall& call) {
  const dim3 grid(static_cast<unsigned>(call.n_tiles),
                  static_cast<unsigned>(call.shape.n_kv_heads * call.plan.head_tiles),
                  static_cast<unsigned>(call.plan.n_splits));
  return rows::with_geometry(call.shape, call.is_q8, [&](auto geometry) {
    using G = decltype(geometry);
    constexpr size_t kMergeBytes = (kMostSplits + rows::Merge<G>::kAtOnce + 1) * G::kQueries * sizeof(float);
    static_assert(G::kSharedBytes + kMergeBytes + sizeof(rows::Heads<G>) + sizeof(rows::Piece) + 64 <=
                  kSharedBytesOfAnyKernel);
    return launch(stream, grid, G::kThreads, G::kSharedBytes, rows::single_kernel<G>, call);
  });
}

}  // namespace mneme::engine::cuda
