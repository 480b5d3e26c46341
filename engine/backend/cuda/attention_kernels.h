// Attention of a step's queries to their sequences' caches: streaming softmax over tiles of 32 keys, causal by
// position, window, soft cap. After FlashAttention (2205.14135) for the streaming and Flash-Decoding for the split
// along the keys. Threads: safe, one stream each.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "engine/backend/cuda/head_kernels.h"
#include "engine/backend/cuda/kv_view.h"
#include "engine/backend/cuda/next_weights.h"
#include "engine/backend/cuda/rounded_rows.h"

namespace mneme::engine::cuda {

// Rows of one group that a block takes together, with the query heads that share a KV head.
struct RowTile {
  int group = 0;
  int first_row = 0;
  int n_rows = 0;
};

struct AttentionShape {
  int n_heads = 0;
  int n_kv_heads = 0;
  int head_dim = 0;
  float scale = 0;
  float softcap = 0;  // 0: none
  int window = 0;     // 0: everything; as LayerConfig::sliding_window
  bool causal = true;
  // (n_heads) each, on the device (head_numbers.h); null: none.
  const float* sinks = nullptr;   // logits that take part in the softmax and have no value
  const float* slopes = nullptr;  // a score falls by as much with every token between its query and its key
  bool operator==(const AttentionShape&) const = default;
};

// How a step is cut. Where rows and heads make too few blocks, they are cut along the keys as well and merged.
struct AttentionPlan {
  bool single = false;  // every group has one row, and no slopes, of heads not too wide: attend_single_rows
  bool few = false;
  bool tensor_cores = false;
  int rows_per_tile = 1;   // a block's
  int heads_per_tile = 1;  // of those that share a KV head
  int head_tiles = 1;
  int split_keys = 0;  // a multiple of a tile's keys
  int n_splits = 1;    // 1: no merging
  bool operator==(const AttentionPlan&) const = default;
};
// Of a step: rows of the largest group, most keys that a tile of rows reaches over, tiles. The tiles follow from a
// first plan's rows_per_tile, made with n_tiles = 0.
struct StepSize {
  int most_rows = 0;
  int n_keys = 0;
  int n_tiles = 0;
};
// Of the device and the mode.
struct AttentionMeans {
  int n_processors = 1;
  bool tensor_cores = false;  // many rows on tensor cores, where the heads suit them
  bool one_kind = true;       // of KV in all groups, which are in the order of their rows
};
AttentionPlan plan_attention(const AttentionShape& shape, const StepSize& step, const AttentionMeans& means);
// Floats of partial results that a plan needs.
int64_t partial_floats(const AttentionShape& shape, const AttentionPlan& plan, int n_tiles);

struct AttentionCall {
  AttentionShape shape = {};
  AttentionPlan plan = {};
  int layer = 0;
  RowsView rows = {};
  const RowTile* tiles = nullptr;  // (n_tiles) on the device
  int n_tiles = 0;
  bool is_q8 = false;        // of single rows: whether their KV is Q8_0
  const float* q = nullptr;  // (n_rows, n_heads * head_dim)
  // Of single rows, instead of q: the products' outputs, from which attention makes its queries and the rows' keys and
  // values, which it also puts into their caches. Without qkv: q.
  HeadsIn heads = {};
  // Of single rows with `heads`: everything else that they read was written ahead of the product that the kernel
  // follows, so that it may be read before its turn (launch_overlap.h).
  bool reads_early = false;
  bool beside_rings = false;  // of single rows: the product behind has half a multiprocessor's shared memory
  float* partials = nullptr;
  int* counters = nullptr;  // of single rows in several parts: zero, a tile's each, and left so
  float* out = nullptr;     // as q
  // Of single rows: codes for the product behind, where heads are whole blocks of them; null: none.
  RoundedRows rounded = {};
  NextWeights ahead = {};  // of single rows: the product behind
  bool operator==(const AttentionCall&) const = default;
};
cudaError_t attend(cudaStream_t stream, const AttentionCall& call);

// Single rows (attention_single.cu): row i is group i, and all groups have one kind of KV. Without slopes.
inline constexpr int kTokensAtOnce = 64;  // that a block reads
inline constexpr int kMostSplits = 128;
inline constexpr int kMostSingleHeadDim = 256;
void plan_single_rows(const AttentionShape& shape, const StepSize& step, int n_processors, AttentionPlan& plan);
int64_t single_partial_floats(const AttentionShape& shape, const AttentionPlan& plan, int n_rows);
cudaError_t attend_single_rows(cudaStream_t stream, const AttentionCall& call);

// Many rows on the tensor cores, compute capability 8.0 and newer. Queries and, after the softmax, weights are rounded
// to f16, as keys and values are. A soft cap or slopes, not both.
inline constexpr int kTensorQueries = 128;  // of a block
inline constexpr int kTensorKeys = 64;      // of a tile
constexpr bool suits_tensor_cores(int head_dim) {
  return head_dim % 8 == 0 && head_dim <= 128;
}
// What a head's width is filled up to with zeros.
constexpr int tensor_width(int head_dim) {
  return head_dim <= 64 ? 64 : 128;
}
cudaError_t attend_on_tensor_cores(cudaStream_t stream, const AttentionCall& call);

}  // namespace mneme::engine::cuda
