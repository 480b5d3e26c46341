// Weights of codes, sums of what shares the attention, scores of cells: PqSelector::weigh() for all KV heads of a
// layer, a block each. So few blocks do not wait for the memory's speed but for one read after the other: what does not
// depend on the queries is asked for while the kernel ahead still runs, all that may come together comes together.
#include "engine/backend/cuda/head_kernels.h"
#include "engine/backend/cuda/kv_access.cuh"
#include "engine/backend/cuda/pq_choice.h"
#include "engine/backend/cuda/pq_scan.cuh"

namespace mneme::engine::cuda {
namespace {

constexpr int kThreads = 512;
constexpr int kWarps = kThreads / kWarp;
constexpr int kOwnCells = kCells / kThreads;
constexpr int kWeightsOfHead = kKeyParts * kKeyCodes;
constexpr int kHeadsAtOnce = 4;       // query heads whose sums are made together
constexpr int kBytesOfVector = 16;    // of centroids
constexpr int kMostBytes = 45 << 10;  // of dynamic shared memory
constexpr int kDimsOfLane = kMaxIndexedHeadDim / kWarp;
constexpr float kMostQuery = 1e15f;        // queries beyond, and those that are no numbers, count as 0
constexpr float kMostHalfVariance = 2.0f;  // beyond, no key may be as heavy as a normal distribution has some

// Of one KV head, in dynamic shared memory. Of the index, which only training changes: centroids where they fit, the
// order of dimensions, scales, spreads.
struct Shared {
  int8_t* centroids;  // (head_dim, kKeyCodes)
  int* order;         // (head_dim)
  float* scales;      // (head_dim)
  float* spreads;     // (head_dim)
  float* spread_of;   // (kKeyParts, kKeyCodes)
  float* queries;     // (heads_per_kv, head_dim) in the order of places
  float* weights;     // (heads_per_kv, kKeyParts, kKeyCodes)
  float* largest;     // (heads_per_kv, kKeyParts): of the logarithms
  float* along;       // (heads_per_kv, kKeyParts): half the variance of keys along the query
  float* factors;     // (heads_per_kv)
  float* maxima;      // (kWarps, heads_per_kv): of the sinks' scores
  float* sums;        // (kWarps, heads_per_kv): of their weights
};
constexpr int floats_of(int heads_per_kv, int head_dim) {
  return heads_per_kv * (head_dim + kWeightsOfHead + 2 * kKeyParts + 1 + 2 * kWarps);
}
constexpr int bytes_of(int heads_per_kv, int head_dim) {
  return (floats_of(heads_per_kv, head_dim) + 3 * head_dim + kWeightsOfHead) * static_cast<int>(sizeof(float));
}
static_assert(kMostQueryFloats * sizeof(float) + (3 * kMaxIndexedHeadDim + kWeightsOfHead) * sizeof(float) <=
              kMostBytes);
// 0: they do not fit, and are read where they lie.
constexpr int bytes_of_centroids(int heads_per_kv, int head_dim) {
  const int n_bytes = head_dim * kKeyCodes;
  return bytes_of(heads_per_kv, head_dim) + n_bytes <= kMostBytes ? n_bytes : 0;
}
__device__ Shared shared_of(int heads_per_kv, int head_dim) {
  Shared shared{};
  shared.centroids = dynamic_shared<int8_t>();
  shared.order = reinterpret_cast<int*>(shared.centroids + bytes_of_centroids(heads_per_kv, head_dim));
  shared.scales = reinterpret_cast<float*>(shared.order + head_dim);
  shared.spreads = shared.scales + head_dim;
  shared.spread_of = shared.spreads + head_dim;
  shared.queries = shared.spread_of + kWeightsOfHead;
  shared.weights = shared.queries + heads_per_kv * head_dim;
  shared.largest = shared.weights + heads_per_kv * kWeightsOfHead;
  shared.along = shared.largest + heads_per_kv * kKeyParts;
  shared.factors = shared.along + heads_per_kv * kKeyParts;
  shared.maxima = shared.factors + heads_per_kv;
  shared.sums = shared.maxima + kWarps * heads_per_kv;
  return shared;
}

// What only training changes, long before this step.
__device__ void fetch_index(const PqStep& step, int head, const Shared& shared) {
  const PqLayerView& index = step.index;
  const int head_dim = index.head_dim;
  const int64_t places = int64_t{head} * head_dim;
  const auto* centroids = reinterpret_cast<const uint4*>(index.centroids + places * kKeyCodes);
  const int n_vectors = bytes_of_centroids(step.heads_per_kv, head_dim) / kBytesOfVector;
  for (int i = static_cast<int>(threadIdx.x); i < n_vectors; i += kThreads)
    reinterpret_cast<uint4*>(shared.centroids)[i] = centroids[i];
  for (int i = static_cast<int>(threadIdx.x); i < head_dim; i += kThreads) {
    shared.order[i] = index.order[i];
    shared.scales[i] = index.scales[places + i];
    shared.spreads[i] = index.spreads[places + i];
  }
  for (int i = static_cast<int>(threadIdx.x); i < kWeightsOfHead; i += kThreads)
    shared.spread_of[i] = index.spread_of[int64_t{head} * kWeightsOfHead + i];
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
  const int head_dim = step.index.head_dim;
  const float* q = step.q + int64_t{head} * step.heads_per_kv * head_dim;
  for (int i = static_cast<int>(threadIdx.x); i < step.heads_per_kv * head_dim; i += kThreads) {
    const float value = q[i / head_dim * head_dim + shared.order[i % head_dim]];
    shared.queries[i] = fabsf(value) < kMostQuery ? value : 0.0f;
  }
  __syncthreads();
  const int part_dim = head_dim / kKeyParts;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  for (int i = static_cast<int>(threadIdx.x) / kWarp; i < step.heads_per_kv * kKeyParts; i += kWarps) {
    const float* query = shared.queries + i * part_dim;
    const float* spreads = shared.spreads + i % kKeyParts * part_dim;
    float sum = 0.0f;
    for (int d = lane; d < part_dim; d += kWarp) sum += query[d] * query[d] * spreads[d];
    sum = warp_sum(sum);
    if (lane == 0) shared.along[i] = step.by_spread && step.scale > 0.0f ? 0.5f * step.scale * sum : 0.0f;
  }
  __syncthreads();
  // From here on times the scales of the centroids' bytes.
  for (int i = static_cast<int>(threadIdx.x); i < step.heads_per_kv * head_dim; i += kThreads)
    shared.queries[i] *= shared.scales[i % head_dim];
  __syncthreads();
}

// Weights of the codes of either part for every query head, relative to the part's largest.
__device__ void weigh_codes(const PqStep& step, int head, const Shared& shared) {
  const PqLayerView& index = step.index;
  const int part_dim = index.head_dim / kKeyParts;
  const float most = kMostHalfVariance / (static_cast<float>(kKeyParts) * step.scale);
  const bool at_hand = bytes_of_centroids(step.heads_per_kv, index.head_dim) > 0;
  const int8_t* of_head = at_hand ? shared.centroids : index.centroids + int64_t{head} * index.head_dim * kKeyCodes;
  for (int i = static_cast<int>(threadIdx.x); i < step.heads_per_kv * kWeightsOfHead; i += kThreads) {
    const int part = i / kKeyCodes % kKeyParts;
    const int code = i % kKeyCodes < index.n_clusters ? i % kKeyCodes : 0;  // none that decides what is largest
    const float* query = shared.queries + i / kWeightsOfHead * index.head_dim + part * part_dim;
    const int8_t* centroids = of_head + part * part_dim * kKeyCodes + code;
    float sum = 0.0f;
#pragma unroll 16
    for (int d = 0; d < part_dim; ++d) sum = fmaf(query[d], static_cast<float>(centroids[d * kKeyCodes]), sum);
    const float share = shared.spread_of[part * kKeyCodes + code];
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

// A lane's dimensions of an initial token's key.
struct SinkKey {
  float of[kDimsOfLane];
};
__device__ __forceinline__ SinkKey sink_key(const PqStep& step, int head, int token) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const KvHead at = kv_head_at(step.kv, step.layer, token, head);
  SinkKey key{};
#pragma unroll
  for (int i = 0; i < kDimsOfLane; ++i)
    if (lane + i * kWarp < step.index.head_dim)
      key.of[i] = element_of(at, step.kv.is_q8, false, token % kPageTokens, lane + i * kWarp);
  return key;
}
// Of a warp's first two, which is all there are by default.
struct SinkKeys {
  SinkKey first{};
  SinkKey second{};
};
__device__ __forceinline__ SinkKeys first_sinks(const PqStep& step, int n_sinks, int head) {
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  SinkKeys keys;
  if (warp < n_sinks) keys.first = sink_key(step, head, warp);
  if (warp + kWarps < n_sinks) keys.second = sink_key(step, head, warp + kWarps);
  return keys;
}
__device__ __forceinline__ float score_of(const float* q, int head_dim, const SinkKey& key) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  float score = 0.0f;
#pragma unroll
  for (int i = 0; i < kDimsOfLane; ++i)
    if (lane + i * kWarp < head_dim) score += q[lane + i * kWarp] * key.of[i];
  return warp_sum(score);
}

// Every warp's own sinks: the largest score and the weights relative to it, a lane a query head.
__device__ void score_sinks(const PqStep& step, int n_sinks, int head, const SinkKeys& keys, const Shared& shared) {
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int head_dim = step.index.head_dim;
  const float* q = step.q + int64_t{head} * step.heads_per_kv * head_dim;
  for (int first = 0; first < step.heads_per_kv; first += kWarp) {
    const int n_heads = min(kWarp, step.heads_per_kv - first);
    float maximum = -INFINITY;
    float sum = 0.0f;
    for (int i = warp; i < n_sinks; i += kWarps) {
      const SinkKey key = i < kWarps ? keys.first : i < 2 * kWarps ? keys.second : sink_key(step, head, i);
      float own = 0.0f;
#pragma unroll 4
      for (int h = 0; h < n_heads; ++h) {
        const float score = score_of(q + (first + h) * head_dim, head_dim, key);
        own = lane == h ? score : own;
      }
      own *= step.scale;
      if (!(fabsf(own) < kMostQuery)) own = 0.0f;
      const float largest = fmaxf(maximum, own);
      sum = sum * expf(maximum - largest) + expf(own - largest);
      maximum = largest;
    }
    if (lane >= n_heads) continue;
    shared.maxima[warp * step.heads_per_kv + first + lane] = maximum;
    shared.sums[warp * step.heads_per_kv + first + lane] = sum;
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

// A query head's sums of weights, a thread's part of them; of kHeadsAtOnce heads from `first` on.
struct Sums {
  float of[kHeadsAtOnce];
};
__device__ Sums sum_weights(const PqStep& step, const PqNumbers& now, int head, int first,
                            const int (&counts)[kOwnCells], const Shared& shared) {
  Sums sums{};
  const auto add = [&](int h, float count, int cell) {
    const float* weights = shared.weights + min(first + h, step.heads_per_kv - 1) * kWeightsOfHead;
    sums.of[h] += count * (weights[cell / kKeyCodes] * weights[kKeyCodes + cell % kKeyCodes]);
  };
#pragma unroll
  for (int i = 0; i < kOwnCells; ++i)
#pragma unroll
    for (int h = 0; h < kHeadsAtOnce; ++h)
      add(h, static_cast<float>(counts[i]), static_cast<int>(threadIdx.x) + i * kThreads);
  for (int i = now.end + static_cast<int>(threadIdx.x); i < now.scored_end; i += kThreads) {
    const int cell = cell_of(step.index, head, i);
#pragma unroll
    for (int h = 0; h < kHeadsAtOnce; ++h) add(h, 1.0f, cell);
  }
  return sums;
}

// What brings each query head's weights to shares of its attention; a warp ends a head's sum.
__device__ void find_factors(const PqStep& step, const PqNumbers& now, int head, const int (&counts)[kOwnCells],
                             const Shared& shared) {
  __shared__ float of_warps[kHeadsAtOnce][kWarps];
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  for (int first = 0; first < step.heads_per_kv; first += kHeadsAtOnce) {
    const Sums sums = sum_weights(step, now, head, first, counts, shared);
#pragma unroll
    for (int i = 0; i < kHeadsAtOnce; ++i) {
      const float sum = warp_sum(sums.of[i]);
      if (lane == 0) of_warps[i][warp] = sum;
    }
    __syncthreads();
    const int h = first + warp;
    if (warp < kHeadsAtOnce && h < step.heads_per_kv) {
      const float sum = warp_sum(lane < kWarps ? of_warps[warp][lane] : 0.0f);
      const float left_out = shared.largest[h * kKeyParts] + shared.largest[h * kKeyParts + 1];
      const float factor = 1.0f / fminf(fmaxf(sum + sink_weight(now.begin, h, left_out, shared), 1e-28f), 1e9f);
      if (lane == 0) {
        shared.factors[h] = factor;
        step.choice.factors[head * step.heads_per_kv + h] = factor;
        step.choice.left_out[head * step.heads_per_kv + h] = left_out;
      }
    }
    __syncthreads();
  }
}

// The scores of a thread's cells, which have one second code: the upper halves of the f32 sums of the heads' weights,
// which order as they do.
struct OwnScores {
  int of[kOwnCells];
};
__device__ OwnScores score_cells(const PqStep& step, const Shared& shared) {
  static_assert(kThreads % kKeyCodes == 0);
  const auto thread = static_cast<int>(threadIdx.x);
  float totals[kOwnCells] = {};
  for (int h = 0; h < step.heads_per_kv; ++h) {
    const float* weights = shared.weights + h * kWeightsOfHead;
    const float second = weights[kKeyCodes + thread % kKeyCodes];
#pragma unroll
    for (int i = 0; i < kOwnCells; ++i) {
      const float first = weights[thread / kKeyCodes + i * (kThreads / kKeyCodes)];
      if (h == 0) {
        totals[i] = __fmul_rn(second, first);
      } else {
        totals[i] = step.combine_max ? fmaxf(totals[i], __fmul_rn(second, first)) : fmaf(second, first, totals[i]);
      }
    }
  }
  OwnScores scores;
#pragma unroll
  for (int i = 0; i < kOwnCells; ++i) scores.of[i] = static_cast<int>(__float_as_uint(totals[i]) >> 16);
  return scores;
}

// Ahead of its turn it reads what no kernel of this step writes: the index, what the step before has counted, and the
// initial tokens' keys where these lie on the device (others may come by another stream).
__global__ void __launch_bounds__(kThreads, 1) weigh_kernel(PqStep step) {
  const auto head = static_cast<int>(blockIdx.x);
  const Shared shared = shared_of(step.heads_per_kv, step.index.head_dim);
  const PqNumbers now = *step.numbers;
  const CountedCells counted = step.index.counted[head];
  fetch_index(step, head, shared);
  SinkKeys sinks;
  if (!step.kv.far) sinks = first_sinks(step, now.begin, head);
  after_earlier_kernels();
  if (step.kv.far) sinks = first_sinks(step, now.begin, head);
  __shared__ int octaves[kOctaves];
  const auto thread = static_cast<int>(threadIdx.x);
  if (thread < kOctaves) octaves[thread] = 0;
  score_sinks(step, now.begin, head, sinks, shared);
  count_candidates(step, now, counted, head);
  // Not used before the sums: they come while the codes are weighed.
  const int* cell_counts = step.index.cell_counts + int64_t{head} * kCells;
  int counts[kOwnCells];
#pragma unroll
  for (int i = 0; i < kOwnCells; ++i) counts[i] = cell_counts[thread + i * kThreads];
  load_queries(step, head, shared);
  weigh_codes(step, head, shared);
  find_factors(step, now, head, counts, shared);
  for (int i = thread; i < step.heads_per_kv * kKeyCodes; i += kThreads)
    shared.weights[i / kKeyCodes * kWeightsOfHead + i % kKeyCodes] *= shared.factors[i / kKeyCodes];
  __syncthreads();
  const OwnScores own = score_cells(step, shared);
  int16_t* scores = step.choice.scores + int64_t{head} * kCells;
#pragma unroll
  for (int i = 0; i < kOwnCells; ++i) {
    scores[thread + i * kThreads] = static_cast<int16_t>(own.of[i]);
    if (counts[i] > 0) atomicAdd(&octaves[own.of[i] / kOctaveScores], counts[i]);
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
  return n_kv_heads <= kMostKvHeads && head_dim <= kMaxIndexedHeadDim &&
         floats_of(heads_per_kv, head_dim) <= kMostQueryFloats;
}

cudaError_t weigh(cudaStream_t stream, const PqStep& step) {
  const int shared_bytes =
      bytes_of(step.heads_per_kv, step.index.head_dim) + bytes_of_centroids(step.heads_per_kv, step.index.head_dim);
  return launch(stream, dim3(static_cast<unsigned>(step.index.n_kv_heads)), kThreads, static_cast<size_t>(shared_bytes),
                weigh_kernel, step);
}

}  // namespace mneme::engine::cuda
