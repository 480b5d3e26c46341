// Weights of codes, sums of what shares the attention, scores of cells: PqSelector::weigh() for all KV heads of a
// layer, a block each.
#include "engine/backend/cuda/kv_access.cuh"
#include "engine/backend/cuda/pq_choice.h"
#include "engine/backend/cuda/pq_scan.cuh"

namespace mneme::engine::cuda {
namespace {

constexpr int kThreads = 512;
constexpr int kWarps = kThreads / kWarp;
constexpr int kOwnCells = kCells / kThreads;
constexpr int kWeightsOfHead = kKeyParts * kKeyCodes;
constexpr float kMostQuery = 1e15f;        // queries beyond, and those that are no numbers, count as 0
constexpr float kMostHalfVariance = 2.0f;  // beyond, no key may be as heavy as a normal distribution has some

// Of one KV head, in dynamic shared memory.
struct Shared {
  float* queries;  // (heads_per_kv, head_dim) in the order of places
  float* weights;  // (heads_per_kv, kKeyParts, kKeyCodes)
  float* largest;  // (heads_per_kv, kKeyParts): of the logarithms
  float* along;    // (heads_per_kv, kKeyParts): half the variance of keys along the query
  float* factors;  // (heads_per_kv)
  float* maxima;   // (kWarps, heads_per_kv): of the sinks' scores
  float* sums;     // (kWarps, heads_per_kv): of their weights
};
constexpr int floats_of(int heads_per_kv, int head_dim) {
  return heads_per_kv * (head_dim + kWeightsOfHead + 2 * kKeyParts + 1 + 2 * kWarps);
}
__device__ Shared shared_of(int heads_per_kv, int head_dim) {
  Shared shared{};
  shared.queries = dynamic_shared<float>();
  shared.weights = shared.queries + heads_per_kv * head_dim;
  shared.largest = shared.weights + heads_per_kv * kWeightsOfHead;
  shared.along = shared.largest + heads_per_kv * kKeyParts;
  shared.factors = shared.along + heads_per_kv * kKeyParts;
  shared.maxima = shared.factors + heads_per_kv;
  shared.sums = shared.maxima + kWarps * heads_per_kv;
  return shared;
}

__device__ __forceinline__ int cell_of(const PqLayerView& index, int head, int position) {
  const uint8_t* codes = index.codes + int64_t{head} * kKeyParts * index.code_stride + position;
  return codes[0] * kKeyCodes + codes[index.code_stride];
}

// Tokens from one border of what is counted to another join it, or leave it.
__device__ void move_border(const PqLayerView& index, int head, int from, int to, int forward) {
  int* counts = index.cell_counts + int64_t{head} * kCells;
  const int change = from < to ? forward : -forward;
  for (int i = min(from, to) + static_cast<int>(threadIdx.x); i < max(from, to); i += kThreads)
    atomicAdd(&counts[cell_of(index, head, i)], change);
}

// The cells' counts become those of this step's candidates.
__device__ void count_candidates(const PqStep& step, const PqNumbers& now, const CountedCells& before, int head) {
  const bool anew = before.edition != now.edition || now.begin >= before.end || now.end <= before.begin;
  if (anew) {
    int* counts = step.index.cell_counts + int64_t{head} * kCells;
    for (int i = static_cast<int>(threadIdx.x); i < kCells; i += kThreads) counts[i] = 0;
  }
  __syncthreads();  // also: everybody knows what has been counted
  if (threadIdx.x == 0) step.index.counted[head] = {now.edition, now.begin, now.end};
  move_border(step.index, head, anew ? now.begin : before.begin, now.begin, -1);
  move_border(step.index, head, anew ? now.begin : before.end, now.end, 1);
  __syncthreads();
}

// Queries in the order of places, and half the variance of keys along them.
__device__ void load_queries(const PqStep& step, int head, const Shared& shared) {
  const PqLayerView& index = step.index;
  const int head_dim = index.head_dim;
  const float* q = step.q + int64_t{head} * step.heads_per_kv * head_dim;
  for (int i = static_cast<int>(threadIdx.x); i < step.heads_per_kv * head_dim; i += kThreads) {
    const float value = q[i / head_dim * head_dim + index.order[i % head_dim]];
    shared.queries[i] = fabsf(value) < kMostQuery ? value : 0.0f;
  }
  __syncthreads();
  const int part_dim = head_dim / kKeyParts;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  for (int i = static_cast<int>(threadIdx.x) / kWarp; i < step.heads_per_kv * kKeyParts; i += kWarps) {
    const float* query = shared.queries + i * part_dim;
    const float* spreads = index.spreads + int64_t{head} * head_dim + i % kKeyParts * part_dim;
    float sum = 0.0f;
    for (int d = lane; d < part_dim; d += kWarp) sum += query[d] * query[d] * spreads[d];
    sum = warp_sum(sum);
    if (lane == 0) shared.along[i] = step.by_spread && step.scale > 0.0f ? 0.5f * step.scale * sum : 0.0f;
  }
  __syncthreads();
  // From here on times the scales of the centroids' bytes.
  for (int i = static_cast<int>(threadIdx.x); i < step.heads_per_kv * head_dim; i += kThreads)
    shared.queries[i] *= index.scales[int64_t{head} * head_dim + i % head_dim];
  __syncthreads();
}

// Weights of the codes of either part for every query head, relative to the part's largest.
__device__ void weigh_codes(const PqStep& step, int head, const Shared& shared) {
  const PqLayerView& index = step.index;
  const int part_dim = index.head_dim / kKeyParts;
  const float most = kMostHalfVariance / (static_cast<float>(kKeyParts) * step.scale);
  for (int i = static_cast<int>(threadIdx.x); i < step.heads_per_kv * kWeightsOfHead; i += kThreads) {
    const int part = i / kKeyCodes % kKeyParts;
    const int code = i % kKeyCodes < index.n_clusters ? i % kKeyCodes : 0;  // none that decides what is largest
    const float* query = shared.queries + i / kWeightsOfHead * index.head_dim + part * part_dim;
    const int8_t* centroids = index.centroids + (int64_t{head} * index.head_dim + part * part_dim) * kKeyCodes + code;
    float sum = 0.0f;
#pragma unroll 32
    for (int d = 0; d < part_dim; ++d) sum = fmaf(query[d], static_cast<float>(centroids[d * kKeyCodes]), sum);
    const float share = index.spread_of[(int64_t{head} * kKeyParts + part) * kKeyCodes + code];
    if (step.by_spread && step.scale > 0.0f) sum += fminf(shared.along[i / kKeyCodes] * share, most);
    shared.weights[i] = sum * step.scale;
  }
  __syncthreads();
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  for (int i = static_cast<int>(threadIdx.x) / kWarp; i < step.heads_per_kv * kKeyParts; i += kWarps) {
    float* weights = shared.weights + i * kKeyCodes;
    const float low = weights[lane];
    const float high = weights[lane + kWarp];
    const float largest = warp_max(fmaxf(low, high));
    weights[lane] = expf(fmaxf(low - largest, kCellFloor));
    weights[lane + kWarp] = expf(fmaxf(high - largest, kCellFloor));
    if (lane == 0) shared.largest[i] = largest;
  }
  __syncthreads();
}

// What the warps have of each query head to one, in the place of the first warp; a warp a head.
__device__ void merge_sinks(int heads_per_kv, const Shared& shared) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  for (int h = static_cast<int>(threadIdx.x) / kWarp; h < heads_per_kv; h += kWarps) {
    const float own = lane < kWarps ? shared.maxima[lane * heads_per_kv + h] : -INFINITY;
    const float largest = warp_max(own);
    const float sum = warp_sum(own == -INFINITY ? 0.0f : shared.sums[lane * heads_per_kv + h] * expf(own - largest));
    if (lane != 0) continue;
    shared.maxima[h] = largest;
    shared.sums[h] = sum;
  }
}

// Every warp's own sinks: the largest score and the weights relative to it.
__device__ void score_sinks(const PqStep& step, int n_sinks, int head, const Shared& shared) {
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int head_dim = step.index.head_dim;
  const float* q = step.q + int64_t{head} * step.heads_per_kv * head_dim;
  float* maxima = shared.maxima + warp * step.heads_per_kv;
  float* sums = shared.sums + warp * step.heads_per_kv;
  for (int h = lane; h < step.heads_per_kv; h += kWarp) {
    maxima[h] = -INFINITY;
    sums[h] = 0.0f;
  }
  __syncwarp();
  for (int i = warp; i < n_sinks; i += kWarps) {
    const KvHead at = kv_head_at(step.kv, step.layer, i, head);
    for (int h = 0; h < step.heads_per_kv; ++h) {
      float score = 0.0f;
      for (int d = lane; d < head_dim; d += kWarp)
        score += q[h * head_dim + d] * element_of(at, step.kv.is_q8, false, i % kPageTokens, d);
      score = warp_sum(score) * step.scale;
      if (!(fabsf(score) < kMostQuery)) score = 0.0f;
      if (lane != 0) continue;
      const float largest = fmaxf(maxima[h], score);
      sums[h] = sums[h] * expf(maxima[h] - largest) + expf(score - largest);
      maxima[h] = largest;
    }
  }
  __syncthreads();
  merge_sinks(step.heads_per_kv, shared);
  __syncthreads();
}

// A head's weight of the sinks, as the sums over cells count weights.
__device__ float sink_weight(int n_sinks, int h, float left_out, const Shared& shared) {
  if (n_sinks <= 0) return 0.0f;
  return shared.sums[h] * expf(fminf(fmaxf(shared.maxima[h] - left_out, -80.0f), 60.0f));
}

// What brings each query head's weights to shares of its attention.
__device__ void find_factors(const PqStep& step, const PqNumbers& now, int head, const float (&counts)[kOwnCells],
                             const Shared& shared) {
  for (int h = 0; h < step.heads_per_kv; ++h) {
    const float* first = shared.weights + h * kWeightsOfHead;
    const float* second = first + kKeyCodes;
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < kOwnCells; ++i) {
      const int cell = static_cast<int>(threadIdx.x) + i * kThreads;
      sum += counts[i] * (first[cell / kKeyCodes] * second[cell % kKeyCodes]);
    }
    for (int i = now.end + static_cast<int>(threadIdx.x); i < now.scored_end; i += kThreads) {
      const int cell = cell_of(step.index, head, i);
      sum += first[cell / kKeyCodes] * second[cell % kKeyCodes];
    }
    sum = block_sum(sum);
    if (threadIdx.x != 0) continue;
    const float left_out = shared.largest[h * kKeyParts] + shared.largest[h * kKeyParts + 1];
    const float factor = 1.0f / fminf(fmaxf(sum + sink_weight(now.begin, h, left_out, shared), 1e-28f), 1e9f);
    shared.factors[h] = factor;
    step.choice.factors[head * step.heads_per_kv + h] = factor;
    step.choice.left_out[head * step.heads_per_kv + h] = left_out;
  }
  __syncthreads();
}

// The upper halves of the f32 sums of the heads' weights, which order as they do.
__device__ __forceinline__ int score_cell(const PqStep& step, int cell, const Shared& shared) {
  const float* weights = shared.weights + cell / kKeyCodes;
  const int second = kKeyCodes + cell % kKeyCodes - cell / kKeyCodes;
  float total = __fmul_rn(weights[second], weights[0]);
  for (int h = 1; h < step.heads_per_kv; ++h) {
    weights += kWeightsOfHead;
    total = step.combine_max ? fmaxf(total, __fmul_rn(weights[second], weights[0]))
                             : fmaf(weights[second], weights[0], total);
  }
  return static_cast<int>(__float_as_uint(total) >> 16);
}

__global__ void __launch_bounds__(kThreads) weigh_kernel(PqStep step) {
  const auto head = static_cast<int>(blockIdx.x);
  const PqNumbers now = *step.numbers;
  const CountedCells counted = step.index.counted[head];  // by the step before
  after_earlier_kernels();
  __shared__ int octaves[kOctaves];
  const auto thread = static_cast<int>(threadIdx.x);
  const Shared shared = shared_of(step.heads_per_kv, step.index.head_dim);
  if (thread < kOctaves) octaves[thread] = 0;
  load_queries(step, head, shared);
  weigh_codes(step, head, shared);
  score_sinks(step, now.begin, head, shared);
  count_candidates(step, now, counted, head);
  const int* cell_counts = step.index.cell_counts + int64_t{head} * kCells;
  float counts[kOwnCells];
#pragma unroll
  for (int i = 0; i < kOwnCells; ++i) counts[i] = static_cast<float>(cell_counts[thread + i * kThreads]);
  find_factors(step, now, head, counts, shared);
  for (int i = thread; i < step.heads_per_kv * kKeyCodes; i += kThreads)
    shared.weights[i / kKeyCodes * kWeightsOfHead + i % kKeyCodes] *= shared.factors[i / kKeyCodes];
  __syncthreads();
  int16_t* scores = step.choice.scores + int64_t{head} * kCells;
#pragma unroll
  for (int i = 0; i < kOwnCells; ++i) {
    const int cell = thread + i * kThreads;
    const int score = score_cell(step, cell, shared);
    scores[cell] = static_cast<int16_t>(score);
    // Read again: held since they were read above, they would not all fit into registers.
    const int count = cell_counts[cell];
    if (count > 0) atomicAdd(&octaves[score / kOctaveScores], count);
  }
  float* weights = step.choice.weights + int64_t{head} * step.heads_per_kv * kWeightsOfHead;
  for (int i = thread; i < step.heads_per_kv * kWeightsOfHead; i += kThreads) weights[i] = shared.weights[i];
  __syncthreads();
  if (thread < kWarp) suffix_sums<kOctaves>(octaves);
  __syncthreads();
  if (thread < kOctaves) step.choice.reaching[int64_t{head} * kOctaves + thread] = octaves[thread];
}

}  // namespace

bool choice_fits(int n_kv_heads, int heads_per_kv, int head_dim) {
  return n_kv_heads <= kMostKvHeads && floats_of(heads_per_kv, head_dim) <= kMostQueryFloats;
}

cudaError_t weigh(cudaStream_t stream, const PqStep& step) {
  const size_t shared_bytes = static_cast<size_t>(floats_of(step.heads_per_kv, step.index.head_dim)) * sizeof(float);
  return launch(stream, dim3(static_cast<unsigned>(step.index.n_kv_heads)), kThreads, shared_bytes, weigh_kernel, step);
}

}  // namespace mneme::engine::cuda
