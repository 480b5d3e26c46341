// The layer's budget split among its heads, each head's threshold, and the estimate of what it leaves out: a block for
// each KV head, which makes the split for itself, as that costs less than another launch.
#include "engine/backend/cuda/pq_choice.h"

#include <algorithm>

#include "engine/backend/cuda/next_weights.cuh"
#include "engine/backend/cuda/pq_scan.cuh"
#include "engine/pq/head_budgets.h"

namespace mneme::engine::cuda {
namespace {

constexpr int kThreads = 512;
constexpr int kWarps = kThreads / kWarp;
constexpr int kOwnCells = kCells / kThreads;  // a thread's, side by side: a vector of scores
static_assert(kOwnCells == 8);
constexpr int kHeadsAtOnce = 4;             // query heads whose rest is weighed together
constexpr int kHeadsRead = 4;               // KV heads whose scores are on their way at once
constexpr int kRestStride = kKeyCodes + 1;  // so that a column lies in as many banks as a row
constexpr int kWeightsOfHead = kKeyParts * kKeyCodes;
static_assert(kHeadsAtOnce * kWeightsOfHead == kThreads);
constexpr int kWarpsOfHead = kWeightsOfHead / kWarp;
// Sums of values are read by kSlices threads a dimension, each those of its codes.
constexpr int kSlices = 4;
constexpr int kSliceDims = kThreads / kSlices;
constexpr int kSliceCodes = kWeightsOfHead / kSlices;
constexpr int kSumsRead = 16;  // of a thread at once
constexpr int kPartFloats = (kHeadsAtOnce + 1) * kThreads;
static_assert(kHeadsAtOnce * kSliceDims == kThreads);
static_assert(kSlices / kKeyParts * kSliceCodes == kKeyCodes);

struct Scores {
  int of[kOwnCells];
};
__device__ __forceinline__ Scores scores_at(const int16_t* scores, int vector) {
  const uint4 bits = reinterpret_cast<const uint4*>(scores)[vector];
  const uint32_t words[4] = {bits.x, bits.y, bits.z, bits.w};
  Scores out;
#pragma unroll
  for (int i = 0; i < kOwnCells; ++i) out.of[i] = static_cast<int>(words[i / 2] >> (16 * (i % 2)) & 0xffffu);
  return out;
}

struct Counts {
  int of[kOwnCells];
};
__device__ __forceinline__ Counts counts_at(const int* counts, int vector) {
  const uint4 low = reinterpret_cast<const uint4*>(counts)[2 * vector];
  const uint4 high = reinterpret_cast<const uint4*>(counts)[2 * vector + 1];
  const uint32_t words[kOwnCells] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
  Counts out;
#pragma unroll
  for (int i = 0; i < kOwnCells; ++i) out.of[i] = static_cast<int>(words[i]);
  return out;
}

// How many keys of a head reach the first score of an octave; beyond the last: none.
__device__ __forceinline__ int reaching(const PqChoice& choice, int head, int octave) {
  return octave < kOctaves ? choice.reaching[int64_t{head} * kOctaves + octave] : 0;
}

// near[score within the octave] += keys of a head that have it.
__device__ __forceinline__ void count_octave(const Scores& scores, const int* counts, int octave, int* near) {
#pragma unroll
  for (int i = 0; i < kOwnCells; ++i)
    if (scores.of[i] / kOctaveScores == octave && counts[i] > 0)
      atomicAdd(&near[scores.of[i] % kOctaveScores], counts[i]);
}

// The same for all heads, near: (n_kv_heads, kOctaveScores). What several heads need is asked for before any of it is
// counted, so that memory is waited for once.
__device__ void count_octave_of_all(const PqStep& step, int octave, int* near) {
  const auto thread = static_cast<int>(threadIdx.x);
  const int n_heads = step.index.n_kv_heads;
  for (int first = 0; first < n_heads; first += kHeadsRead) {
    Scores scores[kHeadsRead];
    Counts counts[kHeadsRead];
#pragma unroll
    for (int i = 0; i < kHeadsRead; ++i) {
      const int64_t cells = int64_t{min(first + i, n_heads - 1)} * kCells;
      scores[i] = scores_at(step.choice.scores + cells, thread);
      counts[i] = counts_at(step.index.cell_counts + cells, thread);
    }
#pragma unroll
    for (int i = 0; i < kHeadsRead; ++i)
      if (first + i < n_heads) count_octave(scores[i], counts[i].of, octave, near + (first + i) * kOctaveScores);
  }
}

// How many the head takes when all heads take keys down to one common score, but none fewer than its least share
// (split_among_heads). near: (n_kv_heads, kOctaveScores).
__device__ int split_budget(const PqStep& step, const PqNumbers& now, int own_head, int* near) {
  __shared__ int taken;
  const auto thread = static_cast<int>(threadIdx.x);
  const int n_heads = step.index.n_kv_heads;
  const int least = min(now.k / kLeastShare, now.end - now.begin);
  const int64_t wanted = int64_t{n_heads} * now.k;
  int64_t total = 0;
#pragma unroll 8
  for (int h = 0; h < (thread < kOctaves ? n_heads : 0); ++h) total += max(least, reaching(step.choice, h, thread));
  const int octave = max(0, block_count(thread < kOctaves && total >= wanted) - 1);
  for (int i = thread; i < n_heads * kOctaveScores; i += kThreads) near[i] = 0;
  __syncthreads();
  count_octave_of_all(step, octave, near);
  __syncthreads();
  for (int h = thread / kWarp; h < n_heads; h += kWarps) suffix_sums<kOctaveScores>(near + h * kOctaveScores);
  __syncthreads();
  total = 0;
  for (int h = 0; h < n_heads && thread < kOctaveScores; ++h)
    total += max(least, near[h * kOctaveScores + thread] + reaching(step.choice, h, octave + 1));
  const int score = max(0, block_count(thread < kOctaveScores && total >= wanted) - 1);
  if (thread == 0) {
    const auto reach = [&](int h, int s) {
      return reaching(step.choice, h, octave + 1) + (s < kOctaveScores ? near[h * kOctaveScores + s] : 0);
    };
    int64_t left = wanted;
    for (int h = 0; h < n_heads; ++h) left -= max(least, reach(h, score + 1));
    for (int h = 0; h <= own_head; ++h) {
      taken = max(least, reach(h, score + 1));
      const int64_t more = min(left, static_cast<int64_t>(max(0, reach(h, score) - taken)));
      if (more <= 0) continue;
      taken += static_cast<int>(more);
      left -= more;
    }
  }
  __syncthreads();
  return taken;
}

// The largest score that at least k keys of the head reach, and how many do.
struct Threshold {
  int score;
  int n_reaching;
};
__device__ Threshold find_threshold(const PqStep& step, int n_candidates, int head, int k, const Scores& scores,
                                    const int* counts, int* near) {
  const auto thread = static_cast<int>(threadIdx.x);
  if (k <= 0) return {kScoreEnd, 0};
  if (k >= n_candidates) return {0, n_candidates};
  const int octave = max(0, block_count(thread < kOctaves && reaching(step.choice, head, thread) >= k) - 1);
  if (thread < kOctaveScores) near[thread] = 0;
  __syncthreads();
  count_octave(scores, counts, octave, near);
  __syncthreads();
  if (thread < kWarp) suffix_sums<kOctaveScores>(near);
  __syncthreads();
  const int above = reaching(step.choice, head, octave + 1);
  const int score = max(0, block_count(thread < kOctaveScores && near[thread] + above >= k) - 1);
  const Threshold found{octave * kOctaveScores + score, near[score] + above};
  __syncthreads();
  return found;
}

// Of the cells that score as the threshold does, whole ones go, the last ones first, as long as they hold no more than
// the surplus; what is left of it are the last keys of one cell. Shared: bits of the cells that go.
struct Ties {
  uint16_t cells[kCells];
  uint8_t dropped[kThreads];  // a bit for each of a thread's cells
  int cut;
  int n_cut;
};
__device__ void drop_ties(const Scores& scores, const int* counts, const int* all_counts, int threshold, int surplus,
                          Ties& ties) {
  const auto thread = static_cast<int>(threadIdx.x);
  int n_own = 0;
#pragma unroll
  for (int i = 0; i < kOwnCells; ++i) n_own += scores.of[i] == threshold && counts[i] > 0 ? 1 : 0;
  int at = block_sum_before(n_own);
  const int n_ties = static_cast<int>(block_sum(static_cast<float>(n_own)));
#pragma unroll
  for (int i = 0; i < kOwnCells; ++i)
    if (scores.of[i] == threshold && counts[i] > 0) ties.cells[at++] = static_cast<uint16_t>(thread * kOwnCells + i);
  ties.dropped[thread] = 0;
  __syncthreads();
  if (thread == 0) {
    ties.cut = -1;
    int left = surplus;
    for (int i = n_ties - 1; i >= 0 && left > 0; --i) {
      const int cell = ties.cells[i];
      if (all_counts[cell] > left) {
        ties.cut = cell;
      } else {
        left -= all_counts[cell];
        ties.dropped[cell / kOwnCells] |= static_cast<uint8_t>(1u << (cell % kOwnCells));
      }
    }
    if (left <= 0) ties.cut = -1;
    ties.n_cut = left;
  }
  __syncthreads();
}

// A thread's bits of whole cells taken, and, per cell, the keys that are not taken.
struct Taken {
  uint32_t bits = 0;
  float rest[kOwnCells];
};
__device__ __forceinline__ Taken take_cells(const Scores& scores, const int* counts, int threshold, const Ties& ties) {
  const auto thread = static_cast<int>(threadIdx.x);
  Taken taken;
#pragma unroll
  for (int i = 0; i < kOwnCells; ++i) {
    const bool dropped = (ties.dropped[thread] >> i & 1) != 0;
    const bool cut = ties.cut == thread * kOwnCells + i;
    const bool whole = scores.of[i] >= threshold && !dropped && !cut;
    if (whole) taken.bits |= 1u << i;
    taken.rest[i] = whole ? 0.0f : static_cast<float>(cut ? ties.n_cut : counts[i]);
  }
  return taken;
}

// What kHeadsAtOnce query heads leave out.
struct Rest {
  float weights[kThreads];   // (heads, kKeyParts, kKeyCodes) of the codes
  float of_codes[kThreads];  // likewise, of what is left out, divided by the values that a code's sum is of
  float whole[kWarps];       // a warp's part of a head's weight
  float unknown[kWarps];     // likewise, of codes that no value is known of
};
__device__ void weigh_rest(const PqStep& step, int kv_head, int first_head, int end_head, const float* rest,
                           Rest& out) {
  const auto thread = static_cast<int>(threadIdx.x);
  const int head = first_head + thread / kWeightsOfHead;
  const int code = thread % kKeyCodes;
  const bool second = thread / kKeyCodes % kKeyParts != 0;
  const int n_values = step.index.value_counts[int64_t{kv_head} * kWeightsOfHead + thread % kWeightsOfHead];
  const float factor = step.choice.factors[min(head, end_head - 1)];
  const float own = head < end_head ? step.choice.weights[int64_t{first_head} * kWeightsOfHead + thread] : 0.0f;
  out.weights[thread] = own;
  __syncthreads();
  float sum = 0.0f;
  if (head < end_head) {
    const float* others = out.weights + thread / kWeightsOfHead * kWeightsOfHead + (second ? 0 : kKeyCodes);
#pragma unroll 16
    for (int i = 0; i < kKeyCodes; ++i)
      sum += rest[second ? i * kRestStride + code : code * kRestStride + i] * others[i];
    sum *= own / factor;
  }
  const float whole = warp_sum(second ? 0.0f : sum);
  const float unknown = warp_sum(n_values == 0 ? sum : 0.0f);
  __syncthreads();  // those of the heads before have been read
  out.of_codes[thread] = n_values == 0 ? 0.0f : sum / static_cast<float>(n_values);
  if (thread % kWarp == 0) {
    out.whole[thread / kWarp] = whole;
    out.unknown[thread / kWarp] = unknown;
  }
  __syncthreads();
}

// A slice of the codes, for one dimension: the sums of values weighted for each query head, and those of all keys, to
// parts (kHeadsAtOnce + 1, kSlices, kSliceDims). kSumsRead are on their way at once: one after the other, each would
// be waited for.
__device__ void add_slice(const PqStep& step, int kv_head, int d, const Rest& rest, float* parts) {
  const auto thread = static_cast<int>(threadIdx.x);
  const int head_dim = step.index.head_dim;
  const int first = thread / kSliceDims * kSliceCodes;
  const float* sums = step.index.value_sums + (int64_t{kv_head} * kWeightsOfHead + first) * head_dim + d;
  float values[kHeadsAtOnce] = {};
  float all = 0.0f;
#pragma unroll 1
  for (int begin = 0; begin < kSliceCodes; begin += kSumsRead) {
    float sum_of[kSumsRead];
#pragma unroll
    for (int i = 0; i < kSumsRead; ++i) sum_of[i] = d < head_dim ? sums[(begin + i) * head_dim] : 0.0f;
#pragma unroll
    for (int i = 0; i < kSumsRead; ++i) {
      all += sum_of[i];
#pragma unroll
      for (int h = 0; h < kHeadsAtOnce; ++h)
        values[h] = fmaf(rest.of_codes[h * kWeightsOfHead + first + begin + i], sum_of[i], values[h]);
    }
  }
#pragma unroll
  for (int h = 0; h < kHeadsAtOnce; ++h) parts[h * kThreads + thread] = values[h];
  parts[kHeadsAtOnce * kThreads + thread] = first < kKeyCodes ? all : 0.0f;
}

// The outputs of the rest: a value is the mean of all plus what either code adds to it.
__device__ void add_values(const PqStep& step, int kv_head, int first_head, int end_head, float n_all, const Rest& rest,
                           float* parts) {
  const auto thread = static_cast<int>(threadIdx.x);
  const int head_dim = step.index.head_dim;
  const int own = thread / kSliceDims;
  float whole = 0.0f;
  float unknown = 0.0f;
#pragma unroll
  for (int w = own * kWarpsOfHead; w < (own + 1) * kWarpsOfHead; ++w) {
    whole += rest.whole[w];
    unknown += rest.unknown[w];
  }
  for (int first_d = 0; first_d < head_dim; first_d += kSliceDims) {
    const int d = first_d + thread % kSliceDims;
    add_slice(step, kv_head, d, rest, parts);
    __syncthreads();
    float value = 0.0f;
    float all = 0.0f;
#pragma unroll
    for (int slice = 0; slice < kSlices; ++slice) {
      value += parts[own * kThreads + slice * kSliceDims + thread % kSliceDims];
      all += parts[kHeadsAtOnce * kThreads + slice * kSliceDims + thread % kSliceDims];
    }
    const float mean = n_all > 0.0f ? all / n_all : 0.0f;
    if (first_head + own < end_head && d < head_dim) {
      step.choice.tail_values[int64_t{first_head + own} * head_dim + d] = value + (unknown - whole) * mean;
      if (d == 0) step.choice.tail_sums[first_head + own] = n_all > 0.0f ? whole : 0.0f;
    }
    __syncthreads();  // the parts have been read
  }
}

// memory: the weights by cell of what is not taken, and parts.
__device__ void estimate_tail(const PqStep& step, int kv_head, const Taken& taken, float* memory) {
  __shared__ Rest of_heads;
  const auto thread = static_cast<int>(threadIdx.x);
  float* rest = memory;
  float* parts = memory + kKeyCodes * kRestStride;
#pragma unroll
  for (int i = 0; i < kOwnCells; ++i) {
    const int cell = thread * kOwnCells + i;
    rest[cell / kKeyCodes * kRestStride + cell % kKeyCodes] = taken.rest[i];
  }
  const int* counts = step.index.value_counts + int64_t{kv_head} * kWeightsOfHead;
  const float n_all = block_sum(thread < kKeyCodes ? static_cast<float>(counts[thread]) : 0.0f);
  const int begin = kv_head * step.heads_per_kv;
  const int end = begin + step.heads_per_kv;
  for (int head = begin; head < end; head += kHeadsAtOnce) {
    weigh_rest(step, kv_head, head, end, rest, of_heads);
    add_values(step, kv_head, head, min(end, head + kHeadsAtOnce), n_all, of_heads, parts);
  }
}

// Asks for the sums of values, which no kernel of the step writes.
__device__ __forceinline__ void fetch_value_sums(const PqLayerView& index) {
  NextWeights sums;
  sums.parts[0] = reinterpret_cast<const std::byte*>(index.value_sums);
  sums.bytes[0] = int64_t{index.n_kv_heads} * kWeightsOfHead * index.head_dim * static_cast<int64_t>(sizeof(float));
  fetch_weights(sums);
}

__global__ void __launch_bounds__(kThreads, 1) choose_kernel(PqStep step) {
  const PqNumbers now = *step.numbers;
  if (step.tail) fetch_value_sums(step.index);
  after_earlier_kernels();
  __shared__ Ties ties;
  const auto thread = static_cast<int>(threadIdx.x);
  const auto head = static_cast<int>(blockIdx.x);
  int* near = dynamic_shared<int>();
  const int* all_counts = step.index.cell_counts + int64_t{head} * kCells;
  const Scores scores = scores_at(step.choice.scores + int64_t{head} * kCells, thread);
  int counts[kOwnCells];
#pragma unroll
  for (int i = 0; i < kOwnCells; ++i) counts[i] = all_counts[thread * kOwnCells + i];
  const int n_candidates = now.end - now.begin;
  const int k = step.split ? split_budget(step, now, head, near) : now.k;
  __syncthreads();
  const Threshold threshold = find_threshold(step, n_candidates, head, k, scores, counts, near);
  drop_ties(scores, counts, all_counts, threshold.score, threshold.n_reaching - max(0, k), ties);
  const Taken taken = take_cells(scores, counts, threshold.score, ties);
  auto* bytes = reinterpret_cast<uint8_t*>(step.choice.taken + int64_t{head} * (kCells / 32));
  bytes[thread] = static_cast<uint8_t>(taken.bits);
  if (thread == 0) {
    const int n_kept = ties.cut < 0 ? 0 : all_counts[ties.cut] - ties.n_cut;
    step.choice.heads[head] = {min(max(0, k), n_candidates), ties.cut, n_kept};
  }
  if (step.tail) estimate_tail(step, head, taken, reinterpret_cast<float*>(near));
}

}  // namespace

cudaError_t choose(cudaStream_t stream, const PqStep& step) {
  const int n_kv_heads = step.index.n_kv_heads;
  const size_t words = static_cast<size_t>(std::max(n_kv_heads * kOctaveScores, kKeyCodes * kRestStride + kPartFloats));
  return launch(stream, dim3(static_cast<unsigned>(n_kv_heads)), kThreads, words * sizeof(int), choose_kernel, step);
}

}  // namespace mneme::engine::cuda
