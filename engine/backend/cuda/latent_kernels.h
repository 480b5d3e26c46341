// What latent attention (ModelConfig::latent) needs beside products: parts of heads put where they belong. Each
// enqueues on the stream and returns what the launch said. Threads: safe, one stream each.
#pragma once

#include <cuda_runtime.h>

namespace mneme::engine::cuda {

struct LatentShape {
  int n_heads = 0;
  int n_rot = 0;
  int rank = 0;
  int plain_dim = 0;
  bool operator==(const LatentShape&) const = default;
};

// Rows as the products make them.
struct MadeRows {
  const float* queries = nullptr;  // (n_rows, n_heads, plain_dim + n_rot)
  const float* kv = nullptr;       // (n_rows, rank + n_rot)
  const float* kv_norm = nullptr;  // (rank): RMS, of the latent
  float epsilon = 0;
  bool operator==(const MadeRows&) const = default;
};
// Rotated parts of queries, keys and values to heads (n_rows, n_heads + 2, n_rot + rank), whose queries still lack what
// stands in latent space; it is to be made of plain (n_heads, n_rows, plain_dim).
cudaError_t place_latent_parts(cudaStream_t stream, const LatentShape& shape, const MadeRows& made, int n_rows,
                               float* plain, float* heads);

// attended (n_rows, n_heads, n_rot + rank) to latents (n_heads, n_rows, rank).
cudaError_t gather_latents(cudaStream_t stream, const LatentShape& shape, const float* attended, int n_rows,
                           float* latents);

}  // namespace mneme::engine::cuda
