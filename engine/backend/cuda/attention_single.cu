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
#include "engine/backend/cuda/shared_memory.cuh"

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
  int position;  // of the row's token, the newest
  std::byte* const* pages;
  int64_t in_page;  // where the KV head begins in a page
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
  piece.pages = group.kv.pages;
  piece.in_page = head_in_page(group.kv, call.layer, piece.kv_head);
  piece.position = call.rows.positions[piece.row];
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
// is zero again for the next launch. One thread's fences count for the block: the barriers put what the others wrote
// before the first, and what they read behind the second.
__device__ __forceinline__ bool comes_last(int* counter, int n_blocks) {
  __shared__ int before;
  __syncthreads();
  if (threadIdx.x == 0) {
    fence_device();
    before = atomicAdd(counter, 1);
    fence_device();
    if (before == n_blocks - 1) *counter = 0;
  }
  __syncthreads();
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
    const auto* part = reinterpret_cast<const float2*>(partial_of<G>(call, s, query) + G::kWidth);
    const float2 both = s < n_splits ? __ldcg(part) : float2{-INFINITY, 0.0f};
    maxima[i] = both.x;
    sums[i] = both.y;
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
  static constexpr int kAtOnce = kOutputs <= 2 ? 36 : 8;
  float values[kOutputs][kAtOnce];

  static __device__ __forceinline__ int index(int i) { return static_cast<int>(threadIdx.x) + i * G::kThreads; }
  // Past the first-level cache, which does not see what other multiprocessors write.
  __device__ __forceinline__ void load(const AttentionCall& call, const Piece& piece, int first) {
    constexpr int kSplit = G::kQueries * (G::kWidth + 2);  // from one split's part to the next
#pragma unroll
    for (int i = 0; i < kOutputs; ++i) {
      const float* part = partial_of<G>(call, first, index(i) / G::kWidth) + index(i) % G::kWidth;
      const int n = index(i) < piece.n_queries * G::kWidth ? piece.n_splits - first : 0;
#pragma unroll
      for (int s = 0; s < kAtOnce; ++s) values[i][s] = s < n ? __ldcg(part + s * kSplit) : 0.0f;
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
  float out[M::kOutputs] = {};
#pragma unroll 1
  for (int first = 0; first < piece.n_splits; first += M::kAtOnce) {
    merge.load(call, piece, first);
    if (first == 0) {
      const int q = static_cast<int>(threadIdx.x) / kWarp;
      const int lane = static_cast<int>(threadIdx.x) % kWarp;
      if (q < piece.n_queries) {
        const float sum = weigh_splits<G>(call, piece, q, weights[q]);
        if (lane == 0) sums[q] = sum;
        for (int s = lane; s < M::kAtOnce; s += kWarp) weights[q][kMostSplits + s] = 0.0f;
      }
      __syncthreads();
    }
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
__device__ __forceinline__ void fetch_rows(const KvView& kv, const Piece& piece) {
  if (kv.far || kv.head_dim % kDims != 0) return;
  const auto row_bytes = static_cast<int>(kv.is_q8 ? sizeof(int8_t) : sizeof(f16)) * kv.head_dim;
  const int first = piece.begin / kFetched;
  const int end = min(piece.end, piece.begin + kMostFetched);
  const int n = 2 * ((end + kFetched - 1) / kFetched - first);  // of keys and of values in turn
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x) % kWarp; i < n; i += kWarp) {
    const int position = (first + i / 2) * kFetched;
    const int row = position % kPageTokens + i % 2 * kPageTokens;
    fetch_to_cache(piece.pages[position / kPageTokens] + piece.in_page + row * row_bytes, kFetched * row_bytes);
  }
}

// A lane's part of a row of any width.
template <bool kWhole, typename Raw>
__device__ __forceinline__ void load_part(const KvHead& at, bool value, int token, int d, Raw& raw) {
  if constexpr (kWhole || std::is_same_v<Raw, RawBytes>) {
    load_raw<true>(at, value, token, d, raw);
  } else {
    // Seldom: one by one, the last first, in a loop that stays one, which leaves the registers to other rows.
    const f16* row = (value ? at.values() : at.keys()) + token * at.head_dim;
    uint4 bits{0, 0, 0, 0};
#pragma unroll 1
    for (int i = kDims - 1; i >= 0; --i) {
      const uint32_t half = d + i < at.head_dim ? row[d + i].bits : uint16_t{0};
      bits = {bits.x << 16 | half, bits.y << 16 | bits.x >> 16, bits.z << 16 | bits.y >> 16,
              bits.w << 16 | bits.z >> 16};
    }
    raw.bits = bits;
  }
}

// Where the kRows tokens of a warp lie that begin at position `at`, a multiple of kRows: in one page. Beyond the
// piece's end its last ones do.
template <typename G>
struct Neighbours {
  static_assert(kPageTokens % G::kRows == 0);
  KvHead head;
  int token;  // of the page, the lane's first

  __device__ __forceinline__ Neighbours(const Piece& piece, int head_dim, int at) {
    at = min(at, (piece.end - 1) / G::kRows * G::kRows);
    std::byte* page = in_global_memory(in_global_memory(piece.pages)[at / kPageTokens]);
    head = {page + piece.in_page, head_dim};
    token = at % kPageTokens + group();
  }
  // Of the first n, which are at least one, those from `first` on; what lies in place of others behind is the last.
  __device__ __forceinline__ void load(bool value, int first, int n, Tokens<G>& out) const {
    head.head_dim % kDims == 0 ? load_from<true>(value, first, n, out) : load_from<false>(value, first, n, out);
  }

 private:
  template <bool kWhole>
  __device__ __forceinline__ void load_from(bool value, int first, int n, Tokens<G>& out) const {
    const int d = dimension();
    const int last = token - group() + n - 1;
#pragma unroll
    for (int u = 0; u < G::kUnroll; ++u) {
      const int own = token + u * G::kGroups;
      if (group() + u * G::kGroups >= first) load_part<kWhole>(head, value, min(own, last), d, out.rows[u]);
    }
  }
  static __device__ __forceinline__ int group() { return static_cast<int>(threadIdx.x) % kWarp / G::kLanes; }
  // Lanes beyond the head read its first dimensions, with queries of zero.
  __device__ __forceinline__ int dimension() const {
    const int d = static_cast<int>(threadIdx.x) % G::kLanes * kDims;
    return d < head.head_dim ? d : 0;
  }
};

// A block's queries, and behind them the key and the value of the newest token.
template <typename G>
struct alignas(16) Heads {
  float values[(G::kQueries + 2) * G::kWidth];  // heads side by side, head_dim each
};

// A warp brings one head to shared memory, finished: a query of the block's, or, where the newest token is among its
// keys, the token's key or value. What no kernel of the step writes near by, bias and rotation, it asks for early.
template <typename G>
struct HeadOfWarp {
  static constexpr int kElements = (G::kWidth + kWarp - 1) / kWarp;
  static constexpr int kPairs = (kElements + 1) / 2;
  static_assert(G::kQueries + 2 <= G::kWarps);
  int index = -1;  // among Heads; -1: none
  int h = 0;       // among the row's
  float bias[kElements] = {};
  float2 angles[kPairs] = {};

  __device__ __forceinline__ HeadOfWarp(const AttentionCall& call, const Piece& piece) {
    const HeadsIn& in = call.heads;
    const int warp = static_cast<int>(threadIdx.x) / kWarp;
    const bool has_newest = in.qkv != nullptr && piece.position >= piece.begin && piece.position < piece.end;
    if (warp >= piece.n_queries + (has_newest ? 2 : 0)) return;
    index = warp;
    const int of_kv = index - piece.n_queries;  // 0: the key, 1: the value
    h = of_kv < 0 ? piece.first_head + index : in.n_heads + of_kv * in.n_kv_heads + piece.kv_head;
    if (in.qkv == nullptr) return;
    const float* from = bias_of(in, h);
    if (from != nullptr) for_own<G::kWidth>(in.head_dim, [&](int d, int i) { bias[i] = from[d]; });
  }
  __device__ __forceinline__ void ask_for_angles(const HeadsIn& in, const Piece& piece) {
    if (index < 0 || in.qkv == nullptr || in.rotation.angles == nullptr) return;
    const AnglesOfRow of_row(in.rotation, piece.row);
    for_own<G::kWidth / 2>(in.rotation.n_rot / 2, [&](int pair, int i) { angles[i] = of_row(pair, i); });
  }
  // Several tiles of query heads may have the newest token: each writes its key and value, the same bits, which the
  // others need not wait for.
  __device__ __forceinline__ void finish(const AttentionCall& call, const KvView& kv, const Piece& piece,
                                         float* heads) const {
    if (index < 0) return;
    const HeadsIn& in = call.heads;
    const int head_dim = call.shape.head_dim;
    const float* from = in.qkv != nullptr ? head_of(in, piece.row, h)
                                          : call.q + (int64_t{piece.row} * call.shape.n_heads + h) * head_dim;
    float* head = heads + index * head_dim;
    float values[kElements] = {};
    for_own<G::kWidth>(head_dim, [&](int d, int i) { values[i] = from[d]; });
    for_own<G::kWidth>(head_dim, [&](int d, int i) { head[d] = values[i] + bias[i]; });
    if (in.qkv == nullptr) return;
    finish_head<G::kWidth>(
        in, kv, [&](int, int i) { return angles[i]; }, piece.row, h, piece.position,
        [&] { return place_of(kv, call.layer, piece.position, piece.kv_head); }, head);
  }
};

// What the kernel ahead writes are the queries and the newest token's keys and values, or what they are made from.
// Where the rows lie was written before that kernel began (launch_overlap.h), and so were the rows, if a product is
// ahead: a warp's first are read while it still runs, with the rotation's angles.
template <typename G>
__global__ void __launch_bounds__(G::kThreads, 2) single_kernel(AttentionCall call) {
  const GroupView& group = call.rows.groups[blockIdx.x];
  const AttentionShape& shape = call.shape;
  __shared__ Piece piece;  // which leaves the registers to the rows
  __shared__ Heads<G> heads;
  if (threadIdx.x == 0) piece = piece_of<G>(call, group);
  __syncthreads();
  if (threadIdx.x < kWarp) fetch_rows(group.kv, piece);
  fetch_weights(call.ahead);
  // A window may begin anywhere: what lies before it in the first kRows tokens is read and not seen.
  int at = piece.begin / G::kRows * G::kRows + static_cast<int>(threadIdx.x) / kWarp * G::kRows;
  const int n_early = call.reads_early ? min(piece.end, piece.position) - at : 0;
  const Neighbours<G> first(piece, shape.head_dim, at);
  Tokens<G> keys, values;
  if (n_early > 0) {
    first.load(false, 0, n_early, keys);
    first.load(true, 0, n_early, values);
  }
  HeadOfWarp<G> head(call, piece);
  if (call.reads_early) head.ask_for_angles(call.heads, piece);
  after_earlier_kernels();
  if (static_cast<int>(blockIdx.z) >= piece.n_splits) return;
  if (!call.reads_early) head.ask_for_angles(call.heads, piece);
  head.finish(call, group.kv, piece, heads.values);
  __syncthreads();
  State<G> state;
  load_queries<G>(shape, heads.values, piece.n_queries, state);
  if (max(0, n_early) < piece.end - at) {
    first.load(false, max(0, n_early), piece.end - at, keys);
    first.load(true, max(0, n_early), piece.end - at, values);
  }
  // The next rows are on their way while these are used.
#pragma unroll 1
  while (at < piece.end) {
    const Neighbours<G> next(piece, shape.head_dim, at + G::kWarps * G::kRows);
    const int n_next = piece.end - min(at + G::kWarps * G::kRows, (piece.end - 1) / G::kRows * G::kRows);
    const float score = scores_of(shape, keys, state);
    if (!G::kBytes) next.load(false, 0, n_next, keys);
    const int own = own_token<G>(at);
    const float weight = soften<G>(score, own >= piece.begin && own < piece.end, state);
    add_values(values, weight, state);
    if (G::kBytes) next.load(false, 0, n_next, keys);  // codes and scales: registers do not suffice for more
    next.load(true, 0, n_next, values);
    at += G::kWarps * G::kRows;
  }
  const bool whole = piece.n_splits == 1;
  merge_parts<G>(state, piece.n_queries, [&](int q, int d, float value, float maximum, float sum) {
    if (whole) {
      const float total = sum + sink_weight(shape, piece.first_head + q, maximum);
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

template <typename G>
cudaError_t launch_single(cudaStream_t stream, dim3 grid, const AttentionCall& call) {
  static std::atomic<uint64_t> given{0};
  if (launches_overlap && call.beside_rings) {
    const cudaError_t error = give_shared_memory(given, single_kernel<G>, G::kSharedBytes);
    if (error != cudaSuccess) return error;
  }
  return launch(stream, grid, G::kThreads, G::kSharedBytes, single_kernel<G>, call);
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
    return rows::launch_single<G>(stream, grid, call);
  });
}

}  // namespace mneme::engine::cuda
