// What the attentions of single rows share: reading tokens' rows, scores, the softmax so far, a block's parts to one.
#pragma once

#include <type_traits>

#include "engine/backend/cuda/attention_kernels.h"
#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/kv_access.cuh"

namespace mneme::engine::cuda::rows {

inline constexpr int kDims = 8;  // of a lane

// kLanes lanes read a token's row, each kDims dimensions of kQueries query heads; a warp has kRows tokens in flight.
template <int kLanesIn, int kQueriesIn, bool kBytesIn, int kWarpsIn = 4>
struct Geometry {
  static constexpr int kWarps = kWarpsIn;
  static constexpr int kThreads = kWarps * kWarp;
  static constexpr int kLanes = kLanesIn;
  static constexpr int kQueries = kQueriesIn;
  static constexpr bool kBytes = kBytesIn;
  static constexpr int kWidth = kLanes * kDims;
  static constexpr int kGroups = kWarp / kLanes;
  static constexpr int kUnroll = kQueries == 1 ? 4 : kLanes / kQueries < 4 ? kLanes / kQueries : 4;
  static constexpr int kRows = kGroups * kUnroll;
  static constexpr int kScores = kUnroll * kQueries;  // of a group at once
  static constexpr int kRepeats = kLanes / kScores;   // lanes that end up with the same score
  static constexpr int kParts = kWarps * kGroups;     // that a block merges
  // Blocks whose registers a multiprocessor holds at once.
  static constexpr int kBlocks = kQueries > 4 ? 2 : kBytes || kLanes == 32 ? 3 : 4;
  static constexpr size_t kSharedBytes = (int64_t{kParts} * kQueries * (kWidth + 2) + 2 * kQueries) * sizeof(float);
  static_assert(kScores <= kLanes);
};

// Where a token's row lies.
struct TokenPlace {
  KvHead head;
  int token;  // of its page
};

// A lane's dimensions of a row as they lie in the cache.
struct RawHalves {
  uint4 bits;
};
struct RawBytes {
  uint2 bits;
  f16 scale;
};

// kWhole: heads are whole vectors of kDims.
template <bool kWhole>
__device__ __forceinline__ void load_raw(const KvHead& at, bool value, int token, int d, RawHalves& raw) {
  const f16* row = (value ? at.values() : at.keys()) + token * at.head_dim;
  if (kWhole) {
    raw.bits = *reinterpret_cast<const uint4*>(row + d);
    return;
  }
  uint32_t words[4] = {0, 0, 0, 0};
#pragma unroll
  for (int i = 0; i < kDims; ++i)
    if (d + i < at.head_dim) words[i / 2] |= static_cast<uint32_t>(row[d + i].bits) << (16 * (i % 2));
  raw.bits = {words[0], words[1], words[2], words[3]};
}
template <bool kWhole>
__device__ __forceinline__ void load_raw(const KvHead& at, bool value, int token, int d, RawBytes& raw) {
  const int i = token * at.head_dim + d;
  raw.bits = *reinterpret_cast<const uint2*>((value ? at.value_codes() : at.key_codes()) + i);
  raw.scale = (value ? at.value_scales() : at.key_scales())[i / kKvBlock];
}

__device__ __forceinline__ void unpack(const RawHalves& raw, float (&out)[kDims]) {
  const uint32_t words[4] = {raw.bits.x, raw.bits.y, raw.bits.z, raw.bits.w};
#pragma unroll
  for (int i = 0; i < kDims; ++i) out[i] = half_to_float({static_cast<uint16_t>(words[i / 2] >> (16 * (i % 2)))});
}
__device__ __forceinline__ void unpack(const RawBytes& raw, float (&out)[kDims]) {
  const float scale = half_to_float(raw.scale);
  const uint32_t words[2] = {raw.bits.x, raw.bits.y};
#pragma unroll
  for (int i = 0; i < kDims; ++i)
    out[i] = scale * static_cast<float>(static_cast<int8_t>(words[i / 4] >> (8 * (i % 4))));
}

// The attention of a group of lanes so far. A lane knows the maximum and the sum of its own query, which is the one
// whose scores it ends up with.
template <typename G>
struct State {
  float queries[G::kQueries][kDims];
  float out[G::kQueries][kDims];
  float maximum = -INFINITY;
  float sum = 0.0f;
};

// n_queries heads of a row, from `heads` on.
template <typename G>
__device__ void load_queries(const AttentionShape& shape, const float* heads, int n_queries, State<G>& state) {
  const int d = static_cast<int>(threadIdx.x) % G::kLanes * kDims;
  const bool whole = shape.head_dim % kDims == 0 && d < shape.head_dim;
#pragma unroll
  for (int q = 0; q < G::kQueries; ++q) {
    const float* head = heads + min(q, n_queries - 1) * shape.head_dim + d;
    float(&query)[kDims] = state.queries[q];
    if (whole) {
      const float4 a = *reinterpret_cast<const float4*>(head);
      const float4 b = *reinterpret_cast<const float4*>(head + 4);
      query[0] = a.x, query[1] = a.y, query[2] = a.z, query[3] = a.w;
      query[4] = b.x, query[5] = b.y, query[6] = b.z, query[7] = b.w;
    } else {
#pragma unroll
      for (int i = 0; i < kDims; ++i) query[i] = d + i < shape.head_dim ? head[i] : 0.0f;
    }
#pragma unroll
    for (int i = 0; i < kDims; ++i) {
      query[i] *= shape.scale;
      state.out[q][i] = 0.0f;
    }
  }
}

// Of 2 * kN numbers a lane keeps the sums of half, and hands the other half over.
template <int kN, int kCount>
__device__ __forceinline__ void halve(float (&numbers)[kCount], int mask) {
  if constexpr (kN > 0) {
    const bool upper = (threadIdx.x & static_cast<unsigned>(mask)) != 0;
#pragma unroll
    for (int i = 0; i < kN; ++i) {
      const float kept = upper ? numbers[i + kN] : numbers[i];
      const float given = upper ? numbers[i] : numbers[i + kN];
      numbers[i] = kept + __shfl_xor_sync(kAllLanes, given, mask);
    }
    halve<kN / 2>(numbers, mask / 2);
  }
}
// Sums kScores numbers over the lanes of a group, so that lane l has the sum of number l / kRepeats.
template <typename G>
__device__ __forceinline__ float sum_scores(float (&scores)[G::kScores]) {
  halve<G::kScores / 2>(scores, G::kLanes / 2);
  float sum = scores[0];
#pragma unroll
  for (int mask = G::kRepeats / 2; mask > 0; mask /= 2) sum += __shfl_xor_sync(kAllLanes, sum, mask);
  return sum;
}

// The lane's weight of its own token and query; sums and outputs so far are scaled to the new maximum.
template <typename G>
__device__ __forceinline__ float soften(float score, bool sees, State<G>& state) {
  float maximum = sees ? score : -INFINITY;
#pragma unroll
  for (int u = 1; u < G::kUnroll; u *= 2)
    maximum = fmaxf(maximum, __shfl_xor_sync(kAllLanes, maximum, u * G::kQueries * G::kRepeats));
  maximum = fmaxf(maximum, state.maximum);
  const float correction = maximum == -INFINITY ? 1.0f : expf(state.maximum - maximum);
  const float weight = sees ? expf(score - maximum) : 0.0f;
  float sum = weight;
#pragma unroll
  for (int u = 1; u < G::kUnroll; u *= 2) sum += __shfl_xor_sync(kAllLanes, sum, u * G::kQueries * G::kRepeats);
  state.maximum = maximum;
  state.sum = state.sum * correction + sum;
  if (__any_sync(kAllLanes, correction != 1.0f ? 1 : 0) == 0) return weight;
  const int group = static_cast<int>(threadIdx.x) % kWarp / G::kLanes * G::kLanes;
#pragma unroll
  for (int q = 0; q < G::kQueries; ++q) {
    const float factor = __shfl_sync(kAllLanes, correction, group + q * G::kRepeats);
#pragma unroll
    for (int i = 0; i < kDims; ++i) state.out[q][i] *= factor;
  }
  return weight;
}

template <typename G>
using RawOf = std::conditional_t<G::kBytes, RawBytes, RawHalves>;

// A lane's dimensions of the keys, or of the values, of kRows tokens.
template <typename G>
struct Tokens {
  RawOf<G> rows[G::kUnroll];

  // Tokens `first` and following of n, zeros beyond. place(i): where token i lies.
  template <typename Place>
  __device__ __forceinline__ void load(const AttentionShape& shape, Place place, bool value, int first, int n) {
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    const int d = lane % G::kLanes * kDims;
    const bool reads = d < shape.head_dim;
#pragma unroll
    for (int u = 0; u < G::kUnroll; ++u) {
      const int i = first + u * G::kGroups + lane / G::kLanes;
      rows[u] = RawOf<G>{};
      if (!reads || i >= n) continue;
      const TokenPlace at = place(i);
      shape.head_dim % kDims == 0 ? load_raw<true>(at.head, value, at.token, d, rows[u])
                                  : load_raw<false>(at.head, value, at.token, d, rows[u]);
    }
  }
};

// The lane's own of the scores of kRows tokens.
template <typename G>
__device__ __forceinline__ float scores_of(const AttentionShape& shape, const Tokens<G>& keys, const State<G>& state) {
  float scores[G::kScores];
#pragma unroll
  for (int u = 0; u < G::kUnroll; ++u) {
    float key[kDims];
    unpack(keys.rows[u], key);
#pragma unroll
    for (int q = 0; q < G::kQueries; ++q) {
      float score = 0.0f;
#pragma unroll
      for (int i = 0; i < kDims; ++i) score = fmaf(state.queries[q][i], key[i], score);
      scores[u * G::kQueries + q] = score;
    }
  }
  const float score = sum_scores<G>(scores);
  return shape.softcap > 0.0f ? shape.softcap * tanhf(score / shape.softcap) : score;
}

// The token whose score is the lane's own.
template <typename G>
__device__ __forceinline__ int own_token(int first) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int own = lane % G::kLanes / G::kRepeats;
  return first + own / G::kQueries * G::kGroups + lane / G::kLanes;
}

template <typename G>
__device__ __forceinline__ void add_values(const Tokens<G>& values, float weight, State<G>& state) {
  const int group = static_cast<int>(threadIdx.x) % kWarp / G::kLanes;
#pragma unroll
  for (int u = 0; u < G::kUnroll; ++u) {
    float value[kDims];
    unpack(values.rows[u], value);
#pragma unroll
    for (int q = 0; q < G::kQueries; ++q) {
      const int from = group * G::kLanes + (u * G::kQueries + q) * G::kRepeats;
      const float of_query = __shfl_sync(kAllLanes, weight, from);
#pragma unroll
      for (int i = 0; i < kDims; ++i) state.out[q][i] = fmaf(of_query, value[i], state.out[q][i]);
    }
  }
}

// kRows of n tokens from `first` on; place(i): where token i lies.
template <typename G, typename Place>
__device__ void attend_tokens(const AttentionShape& shape, Place place, int first, int n, State<G>& state) {
  Tokens<G> keys, values;
  keys.load(shape, place, false, first, n);
  values.load(shape, place, true, first, n);
  const float weight = soften<G>(scores_of(shape, keys, state), own_token<G>(first) < n, state);
  add_values(values, weight, state);
}

// A warp finds what the parts of one query weigh; instead of their maxima, in (kParts) steps of kQueries. Its lanes
// return the query's maximum and sum.
struct QueryTotal {
  float maximum;
  float sum;
};
template <typename G>
__device__ QueryTotal weigh_parts(float* maxima, const float* sums) {
  static_assert(G::kParts <= kWarp);
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int at = lane * G::kQueries;
  const float own = lane < G::kParts ? maxima[at] : -INFINITY;
  const float maximum = warp_max(own);
  const float weight = own == -INFINITY ? 0.0f : expf(own - maximum);
  const float sum = warp_sum(lane < G::kParts ? weight * sums[at] : 0.0f);
  if (lane < G::kParts) maxima[at] = weight;
  return {maximum, sum};
}

// The parts of a block's groups to one: write(q, d, value, maximum, sum) for every query and dimension.
template <typename G, typename Write>
__device__ void merge_parts(const State<G>& state, int n_queries, Write write) {
  float* values = dynamic_shared<float>();                       // (kParts, kQueries, kWidth)
  float* maxima = values + G::kParts * G::kQueries * G::kWidth;  // (kParts, kQueries)
  float* sums = maxima + G::kParts * G::kQueries;
  auto* totals = reinterpret_cast<QueryTotal*>(sums + G::kParts * G::kQueries);  // (kQueries)
  const auto thread = static_cast<int>(threadIdx.x);
  const int lane = thread % G::kLanes;
  const int part = thread / G::kLanes;
#pragma unroll
  for (int q = 0; q < G::kQueries; ++q) {
    auto* to = reinterpret_cast<float4*>(values + (part * G::kQueries + q) * G::kWidth + lane * kDims);
    const float(&out)[kDims] = state.out[q];
    to[0] = {out[0], out[1], out[2], out[3]};
    to[1] = {out[4], out[5], out[6], out[7]};
  }
  if (lane % G::kRepeats == 0 && lane / G::kRepeats < G::kQueries) {
    maxima[part * G::kQueries + lane / G::kRepeats] = state.maximum;
    sums[part * G::kQueries + lane / G::kRepeats] = state.sum;
  }
  __syncthreads();
  for (int q = thread / kWarp; q < n_queries; q += G::kWarps) {
    const QueryTotal total = weigh_parts<G>(maxima + q, sums + q);
    if (thread % kWarp == 0) totals[q] = total;
  }
  __syncthreads();
#pragma unroll 1
  for (int i = thread; i < n_queries * G::kWidth; i += G::kThreads) {
    const int q = i / G::kWidth;
    const int d = i % G::kWidth;
    float value = 0.0f;
#pragma unroll
    for (int p = 0; p < G::kParts; ++p)
      value = fmaf(maxima[p * G::kQueries + q], values[(p * G::kQueries + q) * G::kWidth + d], value);
    write(q, d, value, totals[q].maximum, totals[q].sum);
  }
}

}  // namespace mneme::engine::cuda::rows
