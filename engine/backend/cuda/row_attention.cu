#include "engine/backend/cuda/row_attention.h"

#include <algorithm>

#include "engine/backend/cuda/attention_sinks.cuh"
#include "engine/backend/cuda/row_attention_tile.cuh"

namespace mneme::engine::cuda {
namespace rows {
namespace {

constexpr int kBatch = 256;  // tokens whose places a block knows at once
constexpr int kMergedParts = 64;

// Where the tokens of a batch lie.
struct Places {
  const std::byte* heads[kBatch];
  int tokens[kBatch];
};

// What a block works on.
struct Share {
  int kv_head = -1;
  int begin = 0;
  int end = 0;
  int first_head = 0;
  int n_queries = 0;
};

__device__ __forceinline__ int tokens_of(const RowAttention& call, const PqNumbers& now, int kv_head) {
  return now.begin + call.tokens.heads[kv_head].k + now.n_tokens - now.end;
}
__device__ __forceinline__ int blocks_of(const RowAttention& call, const PqNumbers& now, int kv_head) {
  return (tokens_of(call, now, kv_head) + now.tokens_per_block - 1) / now.tokens_per_block;
}

template <typename G>
__device__ Share share_of(const RowAttention& call, const PqNumbers& now) {
  const int heads_per_kv = call.shape.n_heads / call.shape.n_kv_heads;
  int block = static_cast<int>(blockIdx.x);
  Share share;
  for (int h = 0; h < call.shape.n_kv_heads && share.kv_head < 0; ++h) {
    const int n = blocks_of(call, now, h);
    if (block < n) {
      share.kv_head = h;
      share.begin = block * now.tokens_per_block;
      share.end = min(tokens_of(call, now, h), share.begin + now.tokens_per_block);
    }
    block -= n;
  }
  const int first = static_cast<int>(blockIdx.y) * G::kQueries;
  share.first_head = share.kv_head * heads_per_kv + first;
  share.n_queries = min(G::kQueries, heads_per_kv - first);
  return share;
}

__device__ void find_places(const RowAttention& call, const PqNumbers& now, int kv_head, int first, int n,
                            Places& places) {
  const AttendedTokens& tokens = call.tokens;
  const int n_listed = tokens.heads[kv_head].k;
  for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x)) {
    const int at = first + i - now.begin;
    const int position = at < 0          ? first + i
                         : at < n_listed ? tokens.positions[kv_head * tokens.position_stride + at]
                                         : now.end + at - n_listed;
    const std::byte* block =
        call.blocks != nullptr ? call.blocks[kv_head * call.blocks_stride + position / kPageTokens] : nullptr;
    places.heads[i] = block != nullptr ? block : kv_head_at(call.kv, call.layer, position, kv_head).base;
    places.tokens[i] = position % kPageTokens;
  }
}

// Where a query's part of a block lies: outputs, then maximum and sum.
template <typename G>
__device__ __forceinline__ float* partial_of(const RowAttention& call, int block, int tile, int query) {
  const int n_tiles = (call.shape.n_heads / call.shape.n_kv_heads + G::kQueries - 1) / G::kQueries;
  return call.partials + ((int64_t{block} * n_tiles + tile) * G::kQueries + query) * (G::kWidth + 2);
}

template <typename G>
__global__ void __launch_bounds__(G::kThreads, G::kBlocks) rows_kernel(RowAttention call) {
  const PqNumbers now = *call.tokens.numbers;
  after_earlier_kernels();
  __shared__ Places places;
  const Share share = share_of<G>(call, now);
  if (share.kv_head < 0) return;
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const int head_dim = call.shape.head_dim;
  State<G> state;
  load_queries<G>(call.shape, call.q + int64_t{share.first_head} * head_dim, share.n_queries, state);
  const auto place = [&](int i) {
    return TokenPlace{{const_cast<std::byte*>(places.heads[i]), head_dim}, places.tokens[i]};
  };
  for (int first = share.begin; first < share.end; first += kBatch) {
    const int n = min(kBatch, share.end - first);
    __syncthreads();  // the places before have been used
    find_places(call, now, share.kv_head, first, n, places);
    __syncthreads();
    for (int i = warp * G::kRows; i < n; i += G::kWarps * G::kRows) attend_tokens<G>(call.shape, place, i, n, state);
  }
  merge_parts<G>(state, share.n_queries, [&](int q, int d, float value, float maximum, float sum) {
    float* out = partial_of<G>(call, static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y), q);
    out[d] = value;
    if (d != 0) return;
    out[G::kWidth] = maximum;
    out[G::kWidth + 1] = sum;
  });
}

// One query head's parts and the estimate of the rest, each weighted by its maximum. Groups of threads take every
// fourth part each, kPartsAtOnce asked for together; the first ones while the weights are found.
constexpr int kMergeGroups = 4;
constexpr int kPartsAtOnce = kMergedParts / kMergeGroups;
template <typename G>
__global__ void __launch_bounds__(kMergeGroups* G::kWidth) merge_kernel(RowAttention call) {
  const PqNumbers now = *call.tokens.numbers;
  after_earlier_kernels();
  constexpr int kThreads = kMergeGroups * G::kWidth;
  __shared__ float weights[kMergedParts];
  __shared__ float of_groups[kMergeGroups][G::kWidth];
  const auto head = static_cast<int>(blockIdx.x);
  const auto thread = static_cast<int>(threadIdx.x);
  const int group = thread / G::kWidth;
  const int d = thread % G::kWidth;
  const int heads_per_kv = call.shape.n_heads / call.shape.n_kv_heads;
  const int kv_head = head / heads_per_kv;
  // Asked for with what the heads take, not when it is needed.
  const bool estimates = call.tail_values != nullptr;
  const int64_t at = int64_t{head} * call.shape.head_dim + d;
  const float tail_sum = estimates ? call.tail_sums[head] : 0.0f;
  const float tail_maximum = estimates ? call.tail_maxima[head] : -INFINITY;
  const float tail_value = estimates && d < call.shape.head_dim ? call.tail_values[at] : 0.0f;
  const bool has_tail = tail_sum > 0.0f;
  int first_block = 0;
  for (int h = 0; h < kv_head; ++h) first_block += blocks_of(call, now, h);
  const int n_parts = blocks_of(call, now, kv_head);
  const auto part_at = [&](int p) {
    const int query = head % heads_per_kv;
    return partial_of<G>(call, first_block + p, query / G::kQueries, query % G::kQueries);
  };
  float values[kPartsAtOnce];
  const auto load = [&](int first) {
#pragma unroll
    for (int j = 0; j < kPartsAtOnce; ++j) {
      const int p = first + j * kMergeGroups + group;
      values[j] = p < n_parts ? part_at(p)[d] : 0.0f;
    }
  };
  load(0);
  float maximum = has_tail && thread == 0 ? tail_maximum : -INFINITY;
  for (int p = thread; p < n_parts; p += kThreads) maximum = fmaxf(maximum, part_at(p)[G::kWidth]);
  maximum = block_max(maximum);
  const float of_tail = has_tail ? expf(tail_maximum - maximum) : 0.0f;
  float sum = has_tail && thread == 0 ? of_tail * tail_sum : 0.0f;
  float value = 0.0f;
#pragma unroll 1
  for (int first = 0; first < n_parts; first += kMergedParts) {
    if (first > 0) load(first);
    __syncthreads();  // the weights before have been used
    const int p = first + thread;
    if (thread < kMergedParts) {
      const float of_part = p < n_parts ? part_at(p)[G::kWidth] : -INFINITY;
      const float sum_of_part = p < n_parts ? part_at(p)[G::kWidth + 1] : 0.0f;
      const float weight = of_part == -INFINITY ? 0.0f : expf(of_part - maximum);
      weights[thread] = weight;
      sum += weight > 0.0f ? weight * sum_of_part : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < kPartsAtOnce; ++j) value = fmaf(weights[j * kMergeGroups + group], values[j], value);
  }
  of_groups[group][d] = value;
  sum = block_sum(sum) + sink_weight(call.shape, head, maximum);
  if (group != 0 || d >= call.shape.head_dim) return;
  value = has_tail ? of_tail * tail_value : 0.0f;
#pragma unroll
  for (int g = 0; g < kMergeGroups; ++g) value += of_groups[g][d];
  call.out[at] = sum > 0.0f ? value / sum : 0.0f;
}

template <typename G>
cudaError_t run(cudaStream_t stream, const RowAttention& call) {
  const int n_tiles = (call.shape.n_heads / call.shape.n_kv_heads + G::kQueries - 1) / G::kQueries;
  const dim3 grid(static_cast<unsigned>(call.n_blocks), static_cast<unsigned>(n_tiles));
  const cudaError_t error = launch(stream, grid, G::kThreads, G::kSharedBytes, rows_kernel<G>, call);
  if (error != cudaSuccess) return error;
  return launch(stream, dim3(static_cast<unsigned>(call.shape.n_heads)), kMergeGroups * G::kWidth, 0, merge_kernel<G>,
                call);
}

template <int kLanes, bool kBytes, typename Body>
auto with_queries(const RowAttention& call, Body body) {
  const int n = call.shape.n_heads / call.shape.n_kv_heads;
  if (n == 1) return body(Geometry<kLanes, 1, kBytes>{});
  // What comes over the bus is read once for as many queries as can be.
  if (n > 4 && call.kv.far) return body(Geometry<kLanes, 8, kBytes>{});
  return body(Geometry<kLanes, 4, kBytes>{});
}
template <int kLanes, typename Body>
auto with_type(const RowAttention& call, Body body) {
  return call.kv.is_q8 ? with_queries<kLanes, true>(call, body) : with_queries<kLanes, false>(call, body);
}
// Calls body with the geometry for the shape.
template <typename Body>
auto with_geometry(const RowAttention& call, Body body) {
  if (call.shape.head_dim <= 64) return with_type<8>(call, body);
  if (call.shape.head_dim <= 128) return with_type<16>(call, body);
  return with_type<32>(call, body);
}

}  // namespace
}  // namespace rows

namespace {

constexpr int64_t kFewestTokens = 64;  // of a block

// That have a place on the device at once.
int64_t blocks_at_once(const RowAttention& call, int n_processors) {
  return n_processors * rows::with_geometry(call, [](auto geometry) -> int64_t { return decltype(geometry)::kBlocks; });
}

}  // namespace

int tokens_per_block(const RowAttention& call, int64_t n_tokens, int n_processors) {
  const int64_t n_blocks = blocks_at_once(call, n_processors);
  return static_cast<int>(std::max(kFewestTokens, (n_tokens + n_blocks - 1) / n_blocks));
}

// Each head's tokens may end with a block that is not full.
int most_blocks(const RowAttention& call, int64_t n_tokens, int n_processors) {
  const int64_t full = std::min(blocks_at_once(call, n_processors), n_tokens / kFewestTokens);
  return static_cast<int>(full) + call.shape.n_kv_heads;
}

int64_t partial_floats(const RowAttention& call) {
  const int heads_per_kv = call.shape.n_heads / call.shape.n_kv_heads;
  return rows::with_geometry(call, [&](auto geometry) {
    using G = decltype(geometry);
    const int n_tiles = (heads_per_kv + G::kQueries - 1) / G::kQueries;
    return int64_t{call.n_blocks} * n_tiles * G::kQueries * (G::kWidth + 2);
  });
}

cudaError_t attend_rows(cudaStream_t stream, const RowAttention& call) {
  return rows::with_geometry(call, [&](auto geometry) {
    using G = decltype(geometry);
    static_assert(G::kSharedBytes + sizeof(rows::Places) <= size_t{48} << 10);
    return rows::run<G>(stream, call);
  });
}

}  // namespace mneme::engine::cuda
