#include "engine/backend/cuda/attention_mass.h"

#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/head_kernels.h"
#include "engine/backend/cuda/kv_access.cuh"

namespace mneme::engine::cuda {
namespace {

constexpr int kKeys = 128;  // of a block: a thread each
constexpr int kHeads = 4;   // query heads that read a key together
constexpr int kQueries = kHeads * kMassRows;
constexpr int kQueryStride = kQueries + 4;  // whole vectors, and not all of them in the same banks
constexpr int kVector = 8;                  // halves of a key at once
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

// A key's element times that of all queries. What is not a finite number counts as zero, as on the host.
__device__ __forceinline__ void add_element(float key, const float* queries, float (&sums)[kQueries]) {
  const float finite = fabsf(key) <= kLargestHalf ? key : 0.0f;
#pragma unroll
  for (int i = 0; i < kQueries; i += 4) {
    const float4 four = *reinterpret_cast<const float4*>(queries + i);
    sums[i] = fmaf(four.x, finite, sums[i]);
    sums[i + 1] = fmaf(four.y, finite, sums[i + 1]);
    sums[i + 2] = fmaf(four.z, finite, sums[i + 2]);
    sums[i + 3] = fmaf(four.w, finite, sums[i + 3]);
  }
}

// Query heads of one KV head: [first, first + n), up to kHeads of them.
struct HeadGroup {
  int kv_head;
  int first;
  int n;
};
__device__ __forceinline__ HeadGroup head_group(const MassCall& call, int index) {
  const int of_each = call.n_heads / call.kv.n_kv_heads;
  const int groups_of_each = (of_each + kHeads - 1) / kHeads;
  const int begin = index % groups_of_each * kHeads;
  const int kv_head = index / groups_of_each;
  return {kv_head, kv_head * of_each + begin, min(kHeads, of_each - begin)};
}

// All rows of some heads that share their keys, by kKeys keys. in_vectors: keys are f16, whole vectors of them.
template <bool in_vectors>
__global__ void __launch_bounds__(kKeys) scores_kernel(MassCall call) {
  after_earlier_kernels();
  auto* const queries = dynamic_shared<float[kQueryStride]>();  // (head_dim)
  const HeadGroup heads = head_group(call, static_cast<int>(blockIdx.y));
  const int head_dim = call.kv.head_dim;
  const auto thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < kQueries * head_dim; i += kKeys) {
    const int query = i / head_dim;
    const int row = min(query / kHeads, call.n_rows - 1);
    const int head = heads.first + min(query % kHeads, heads.n - 1);
    const int64_t from = (int64_t{call.rows[row]} * call.n_heads + head) * head_dim;
    queries[i % head_dim][query] = call.q[from + i % head_dim];
  }
  __syncthreads();
  const int token = static_cast<int>(blockIdx.x) * kKeys + thread;
  if (token >= call.n_tokens) return;
  const KvHead at = kv_head_at(call.kv, call.layer, token, heads.kv_head);
  float sums[kQueries] = {};
  if constexpr (in_vectors) {
    const f16* key = at.keys() + int64_t{token % kPageTokens} * head_dim;
#pragma unroll 2
    for (int d = 0; d < head_dim; d += kVector) {
      const uint4 four = *reinterpret_cast<const uint4*>(key + d);
      const uint32_t words[] = {four.x, four.y, four.z, four.w};
#pragma unroll
      for (int k = 0; k < kVector; ++k)
        add_element(half_to_float({static_cast<uint16_t>(words[k / 2] >> (16 * (k % 2)))}), queries[d + k], sums);
    }
  } else {
    for (int d = 0; d < head_dim; ++d)
      add_element(element_of(at, call.kv.is_q8, false, token % kPageTokens, d), queries[d], sums);
  }
#pragma unroll
  for (int query = 0; query < kQueries; ++query) {
    const int row = query / kHeads;
    const int head = query % kHeads;
    if (row >= call.n_rows || head >= heads.n) continue;
    call.scores[(int64_t{row} * call.n_heads + heads.first + head) * call.n_tokens + token] = sums[query];
  }
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
#pragma unroll 8
    for (int query = row * call.n_heads; query < (row + 1) * call.n_heads; ++query)
      mass += call.scores[int64_t{query} * call.n_tokens + token] * call.factors[query];
  }
  call.mass[token] = mass;
}

}  // namespace

cudaError_t add_attention_mass(cudaStream_t stream, const MassCall& call) {
  const auto blocks = [](int all, int of) { return static_cast<unsigned>((all + of - 1) / of); };
  const auto n_queries = static_cast<unsigned>(call.n_rows * call.n_heads);
  const int n_kv_heads = call.kv.n_kv_heads;
  const dim3 grid(blocks(call.n_tokens, kKeys),
                  static_cast<unsigned>(n_kv_heads) * blocks(call.n_heads / n_kv_heads, kHeads));
  const size_t query_bytes = sizeof(float[kQueryStride]) * static_cast<size_t>(call.kv.head_dim);
  static_assert(sizeof(float[kQueryStride]) * kMaxHeadDim <= kSharedBytesOfAnyKernel);
  const bool in_vectors = !call.kv.is_q8 && call.kv.head_dim % kVector == 0;
  cudaError_t error =
      launch(stream, grid, kKeys, query_bytes, in_vectors ? scores_kernel<true> : scores_kernel<false>, call);
  if (error == cudaSuccess) error = launch(stream, dim3(n_queries), kThreads, 0, weights_kernel, call);
  if (error == cudaSuccess)
    error = launch(stream, dim3(blocks(call.n_tokens, kThreads)), kThreads, 0, mass_kernel, call);
  return error;
}

}  // namespace mneme::engine::cuda
