// Attention that is cut along the keys: where a block leaves its part, and putting the parts together. G is a kernel's
// geometry: kQueries of a block, kDim what a head's width is filled up to, kTileKeys of a tile.
#pragma once

#include "engine/backend/cuda/attention_sinks.cuh"
#include "engine/backend/cuda/attention_tile.cuh"

namespace mneme::engine::cuda {

inline dim3 attention_grid(const AttentionCall& call) {
  const int n_blocks = call.n_tiles * call.shape.n_kv_heads * call.plan.head_tiles;
  return {static_cast<unsigned>(n_blocks), 1, static_cast<unsigned>(call.plan.n_splits)};
}

// Where a query's partial result lies: outputs, then maximum and sum.
template <typename G>
__device__ float* partial_of(const AttentionCall& call, int split, int query) {
  return call.partials + ((int64_t{blockIdx.x} * call.plan.n_splits + split) * G::kQueries + query) * (G::kDim + 2);
}

// Splits of this block's rows that have keys, at least one: the plan is made for a step of more keys.
template <typename G>
__device__ int live_splits(const AttentionCall& call, const GroupView& group) {
  const RowTile& rows = row_tile_of(call);
  const int begin = first_key(call, rows.first_row) / G::kTileKeys * G::kTileKeys;
  const int n_keys = end_key(call, group, rows.first_row + rows.n_rows - 1) - begin;
  return max(1, min(call.plan.n_splits, (n_keys + call.plan.split_keys - 1) / call.plan.split_keys));
}

inline constexpr int kMergedSplits = 128;  // weights of splits that are at hand at once

// One query's splits, each weighted by its maximum. The threads take the maxima and weights in turn, then an element
// each; their loads do not wait for one another.
template <typename G>
__global__ void __launch_bounds__(G::kDim) merge_kernel(AttentionCall call) {
  after_earlier_kernels();
  __shared__ float weights[kMergedSplits];
  const Tile tile = tile_of<G::kTileKeys>(call);
  const int query = static_cast<int>(blockIdx.z);
  if (query >= tile.n_queries()) return;
  const auto thread = static_cast<int>(threadIdx.x);
  const int n_splits = live_splits<G>(call, tile.group);
  float maximum = -INFINITY;
  for (int s = thread; s < n_splits; s += G::kDim) maximum = fmaxf(maximum, partial_of<G>(call, s, query)[G::kDim]);
  maximum = block_max(maximum);
  float sum = 0.0f;
  float value = 0.0f;
  for (int first = 0; first < n_splits; first += kMergedSplits) {
    const int n = min(kMergedSplits, n_splits - first);
    __syncthreads();  // the weights of the splits before have been used
    for (int s = thread; s < n; s += G::kDim) {
      const float* part = partial_of<G>(call, first + s, query);
      const float weight = part[G::kDim] == -INFINITY ? 0.0f : expf(part[G::kDim] - maximum);
      weights[s] = weight;
      sum += weight * part[G::kDim + 1];
    }
    __syncthreads();
    if (thread >= call.shape.head_dim) continue;
#pragma unroll 8
    for (int s = 0; s < n; ++s) value += weights[s] * partial_of<G>(call, first + s, query)[thread];
  }
  sum = block_sum(sum) + sink_weight(call.shape, tile.head(query), maximum);
  const int64_t head = int64_t{tile.row(query)} * call.shape.n_heads + tile.head(query);
  if (thread < call.shape.head_dim) call.out[head * call.shape.head_dim + thread] = sum > 0.0f ? value / sum : 0.0f;
}

// Behind a kernel that was launched with attention_grid().
template <typename G>
cudaError_t merge_splits(cudaStream_t stream, const AttentionCall& call) {
  if (call.plan.n_splits == 1) return cudaSuccess;
  dim3 grid = attention_grid(call);
  grid.z = G::kQueries;
  return launch(stream, grid, G::kDim, 0, merge_kernel<G>, call);
}

}  // namespace mneme::engine::cuda
