// Attention of one row to single tokens of its sequence: the initial ones, those retrieved, and the latest. Their keys
// and values are read where they lie, a row of 16 bytes a lane; the tokens of all heads are cut evenly among the blocks
// and the parts merged, with the estimate of what is left out as one more. Tokens may lie in the host's memory, with
// copies of some in the device's (kv_block_cache.h): rows of both are on their way at once, so that the attention to
// those at hand is done while the others come over the bus. Threads: safe, one stream each.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "engine/backend/cuda/attention_kernels.h"
#include "engine/backend/cuda/kv_view.h"
#include "engine/backend/cuda/pq_choice.h"

namespace mneme::engine::cuda {

// Tokens [0, numbers->begin), heads[h].k of `positions`, [numbers->end, numbers->n_tokens).
struct AttendedTokens {
  const PqNumbers* numbers = nullptr;
  const HeadChoice* heads = nullptr;  // (n_kv_heads)
  const int* positions = nullptr;     // (n_kv_heads, position_stride)
  int64_t position_stride = 0;
  bool operator==(const AttendedTokens&) const = default;
};

struct RowAttention {
  AttentionShape shape = {};  // without slopes
  KvView kv = {};
  int layer = 0;
  // (n_kv_heads, blocks_stride): where the tokens of a page lie for a head, instead of in the page; null: there.
  const std::byte* const* blocks = nullptr;
  int64_t blocks_stride = 0;
  AttendedTokens tokens = {};
  int n_blocks = 0;          // for all KV heads together; some may have nothing to do
  const float* q = nullptr;  // (n_heads, head_dim)
  float* partials = nullptr;
  // The estimate of the rest: weighted sums (n_heads, head_dim), their weights and what these are relative to
  // (n_heads); null: none.
  const float* tail_values = nullptr;
  const float* tail_sums = nullptr;
  const float* tail_maxima = nullptr;
  float* out = nullptr;  // as q
  bool operator==(const RowAttention&) const = default;
};

// n_tokens, of all KV heads together, are cut into pieces of so many (PqNumbers) for a device of so many
// multiprocessors. It depends on the shape and on where the KV lies.
int tokens_per_block(const RowAttention& call, int64_t n_tokens, int n_processors);
// Blocks that are enough for up to n_tokens.
int most_blocks(const RowAttention& call, int64_t n_tokens, int n_processors);
int64_t partial_floats(const RowAttention& call);
cudaError_t attend_rows(cudaStream_t stream, const RowAttention& call);

}  // namespace mneme::engine::cuda
