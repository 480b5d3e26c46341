// How much attention some rows pay to each token of their sequence: what fusion ranks tokens by. Enqueues and returns
// what the launch said. Threads: safe, one stream each.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "engine/backend/cuda/kv_view.h"

namespace mneme::engine::cuda {

inline constexpr int kMassRows = 4;  // at once

struct MassCall {
  KvView kv;
  int layer = 0;
  int n_heads = 0;
  int n_tokens = 0;  // keys [0, n_tokens)
  int window = 0;    // 0: all keys up to the row's own
  float scale = 1.0f;
  const float* q = nullptr;        // (rows, n_heads * head_dim) after RoPE
  const int* rows = nullptr;       // (n_rows): which of them look
  const int* positions = nullptr;  // (n_rows): where they stand
  int n_rows = 0;                  // up to kMassRows
  float* scores = nullptr;         // (n_rows * n_heads, n_tokens), scratch
  float* factors = nullptr;        // (n_rows * n_heads), scratch
  float* mass = nullptr;           // (n_tokens): softmax of the scores, summed over rows and heads, is added
};
cudaError_t add_attention_mass(cudaStream_t stream, const MassCall& call);

}  // namespace mneme::engine::cuda
