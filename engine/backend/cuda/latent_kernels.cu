#include "engine/backend/cuda/latent_kernels.h"

#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/row_norm.cuh"

namespace mneme::engine::cuda {
namespace {

constexpr int kThreads = 128;

__device__ __forceinline__ void copy(const float* from, int n, float* to) {
  for (int i = static_cast<int>(threadIdx.x); i < n; i += kThreads) to[i] = from[i];
}

// A row's key (rotated part | normed latent) and value (zeros | the same).
__device__ void place_key_and_value(const LatentShape& shape, const MadeRows& made, int64_t row, float* key) {
  const float* const latent = made.kv + row * (shape.rank + shape.n_rot);
  float* const value = key + shape.n_rot + shape.rank;
  float squares = 0.0f;
  for (int i = static_cast<int>(threadIdx.x); i < shape.rank; i += kThreads) squares = plus_square(squares, latent[i]);
  const float inverse = inverse_deviation(block_sum(squares), shape.rank, made.epsilon);
  for (int i = static_cast<int>(threadIdx.x); i < shape.rank; i += kThreads)
    key[shape.n_rot + i] = value[shape.n_rot + i] = normed(latent[i], inverse, made.kv_norm[i], 0.0f);
  copy(latent + shape.rank, shape.n_rot, key);
  for (int i = static_cast<int>(threadIdx.x); i < shape.n_rot; i += kThreads) value[i] = 0.0f;
}

// A block a head of a row; the last has its key and value.
__global__ void __launch_bounds__(kThreads)
    place_kernel(LatentShape shape, MadeRows made, int n_rows, float* plain, float* heads) {
  after_earlier_kernels();
  const int64_t row = blockIdx.x;
  const auto head = static_cast<int>(blockIdx.y);
  float* const to = heads + (row * (shape.n_heads + 2) + head) * (shape.n_rot + shape.rank);
  if (head == shape.n_heads) return place_key_and_value(shape, made, row, to);
  const float* const query = made.queries + (row * shape.n_heads + head) * (shape.plain_dim + shape.n_rot);
  copy(query, shape.plain_dim, plain + (int64_t{head} * n_rows + row) * shape.plain_dim);
  copy(query + shape.plain_dim, shape.n_rot, to);
}

__global__ void __launch_bounds__(kThreads)
    gather_kernel(LatentShape shape, const float* attended, int n_rows, float* latents) {
  after_earlier_kernels();
  const int64_t row = blockIdx.x;
  const auto head = static_cast<int>(blockIdx.y);
  const float* const from = attended + (row * shape.n_heads + head) * (shape.n_rot + shape.rank) + shape.n_rot;
  copy(from, shape.rank, latents + (int64_t{head} * n_rows + row) * shape.rank);
}

dim3 grid_of(int n_rows, int n_heads) {
  return dim3(static_cast<unsigned>(n_rows), static_cast<unsigned>(n_heads));
}

}  // namespace

cudaError_t place_latent_parts(cudaStream_t stream, const LatentShape& shape, const MadeRows& made, int n_rows,
                               float* plain, float* heads) {
  return launch(stream, grid_of(n_rows, shape.n_heads + 1), kThreads, 0, place_kernel, shape, made, n_rows, plain,
                heads);
}

cudaError_t gather_latents(cudaStream_t stream, const LatentShape& shape, const float* attended, int n_rows,
                           float* latents) {
  return launch(stream, grid_of(n_rows, shape.n_heads), kThreads, 0, gather_kernel, shape, attended, n_rows, latents);
}

}  // namespace mneme::engine::cuda
