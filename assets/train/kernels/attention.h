// Causal attention over one row of tokens with branches: a shared context, then questions that see it and themselves.
// Parts of the context may be hidden from the questions, or from the rest of the context.
//
// Softmax weights are never kept: the backward pass makes them again from the logarithm of each query's sum, for blocks
// of keys (the scheme of FlashAttention, 2205.14135). In terms of keys a mask is an interval and a tail: key j is seen
// by the queries j .. see_end[j] - 1 and from see_again[j] on, so nothing of size n x n is ever built.
#pragma once
#include <vector>

#include "bf16.h"
#include "memory.h"

namespace mneme_train {

constexpr int kHeadDim = 64;

// One row; its length is a multiple of 32. All indices count from its first token.
struct Segment {
  int n = 0;
  int context_end = 0;                    // tokens before stand in the context, the others in branches
  const int32_t* branch_start = nullptr;  // of the token's branch, for tokens from context_end on
  const int32_t* see_end = nullptr;       // queries from the token itself to before this index see it
  const int32_t* see_again = nullptr;  // so do the queries from this index on; >= n: none. nullptr: none of any token
};

struct Heads {
  int query, kv;
  int width() const { return (query + 2 * kv) * kHeadDim; }
  int group() const { return query / kv; }
  int k_at(int kv_head) const { return (query + kv_head) * kHeadDim; }
  int v_at(int kv_head) const { return (query + kv + kv_head) * kHeadDim; }
};

// Scratch memory of one thread.
struct AttentionWork {
  Array<bf16> packed[6], weights[2], pairs;
  Array<float> scores[2], dq, dk, dv, delta;
  std::vector<int> blocks;
};

// qkv: (n, heads.width()) after rotation. out: (n, query * 64). log_sum: (query, n).
void attend(const Segment& s, Heads heads, const bf16* qkv, bf16* out, float* log_sum, AttentionWork& w);

// dout: gradient of `out`. dqkv: (n, heads.width()) fp32, gradients of the rotated queries and keys and of the values.
void attend_backward(const Segment& s, Heads heads, const bf16* qkv, const bf16* out, const float* log_sum,
                     const bf16* dout, float* dqkv, AttentionWork& w);

}  // namespace mneme_train
