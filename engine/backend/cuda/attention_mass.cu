#include "engine/backend/cuda/attention_mass.h"

#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/head_kernels.h"
#include "engine/backend/cuda/kv_access.cuh"

namespace mneme::engine::cuda {
namespace {

constexpr int kKeys = 128;  // of a block: a thread each
constexpr int kThreads = 256;
constexpr float kLargestHalf = 65504.0f;

// Keys [first, end) that a row sees.
struct Seen {
  int first;
  int end;
};
__device__ __forceinline__ Seen seen_by(const MassCall& call, int row) {
  const int position = call.positions[row];
  const bool is_cut = call.window > 0 && position >= call.window;
  return {is_cut ? position - call.window + 1 : 0, min(call.n_tokens, position + 1)};
}

// All rows of one head by kKeys keys. What is not a finite number counts as zero, as on the host.
__global__ void __launch_bounds__(kKeys) scores_kernel(MassCall call) {
  after_earlier_kernels();
  __shared__ float queries[kMassRows][kMaxHeadDim];
  const int head = static_cast<int>(blockIdx.y);
  const int head_dim = call.kv.head_dim;
  const auto thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < kMassRows * head_dim; i += kKeys) {
    const int row = i / head_dim;
    const int64_t from = (int64_t{call.rows[min(row, call.n_rows - 1)]} * call.n_heads + head) * head_dim;
    queries[row][i % head_dim] = call.q[from + i % head_dim];
  }
  __syncthreads();
  const int token = static_cast<int>(blockIdx.x) * kKeys + thread;
  if (token >= call.n_tokens) return;
  const KvHead at = kv_head_at(call.kv, call.layer, token, head / (call.n_heads / call.kv.n_kv_heads));
  float sums[kMassRows] = {};
  for (int d = 0; d < head_dim; ++d) {
    const float key = element_of(at, call.kv.is_q8, false, token % kPageTokens, d);
    const float finite = fabsf(key) <= kLargestHalf ? key : 0.0f;
#pragma unroll
    for (int row = 0; row < kMassRows; ++row) sums[row] = fmaf(queries[row][d], finite, sums[row]);
  }
#pragma unroll
  for (int row = 0; row < kMassRows; ++row)
    if (row < call.n_rows) call.scores[(int64_t{row} * call.n_heads + head) * call.n_tokens + token] = sums[row];
}

// Scores of one row and head to weights, and what makes them add up to one.
__global__ void __launch_bounds__(kThreads) weights_kernel(MassCall call) {
  after_earlier_kernels();
  const auto query = static_cast<int>(blockIdx.x);
  const Seen seen = seen_by(call, query / call.n_heads);
  float* scores = call.scores + int64_t{query} * call.n_tokens;
  const int begin = seen.first + static_cast<int>(threadIdx.x);
  float highest = -INFINITY;
  for (int token = begin; token < seen.end; token += kThreads) highest = fmaxf(highest, scores[token]);
  highest = block_max(highest);
  const float scale = call.scale * 1.44269504f;
  float total = 0.0f;
  for (int token = begin; token < seen.end; token += kThreads) {
    const float weight = exp2f(scale * (scores[token] - highest));
    scores[token] = weight;
    total += weight;
  }
  total = block_sum(total);
  if (threadIdx.x == 0) call.factors[query] = total > 0.0f ? 1.0f / total : 0.0f;
}

__global__ void __launch_bounds__(kThreads) mass_kernel(MassCall call) {
  after_earlier_kernels();
  const int token = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  if (token >= call.n_tokens) return;
  float mass = call.mass[token];
  for (int row = 0; row < call.n_rows; ++row) {
    const Seen seen = seen_by(call, row);
    if (token < seen.first || token >= seen.end) continue;
    for (int query = row * call.n_heads; query < (row + 1) * call.n_heads; ++query)
      mass += call.scores[int64_t{query} * call.n_tokens + token] * call.factors[query];
  }
  call.mass[token] = mass;
}

}  // namespace

cudaError_t add_attention_mass(cudaStream_t stream, const MassCall& call) {
  const auto blocks = [&](int of) { return static_cast<unsigned>((call.n_tokens + of - 1) / of); };
  const auto n_queries = static_cast<unsigned>(call.n_rows * call.n_heads);
  cudaError_t error =
      launch(stream, dim3(blocks(kKeys), static_cast<unsigned>(call.n_heads)), kKeys, 0, scores_kernel, call);
  if (error == cudaSuccess) error = launch(stream, dim3(n_queries), kThreads, 0, weights_kernel, call);
  if (error == cudaSuccess) error = launch(stream, dim3(blocks(kThreads)), kThreads, 0, mass_kernel, call);
  return error;
}

}  // namespace mneme::engine::cuda
