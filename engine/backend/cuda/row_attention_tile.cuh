// What a warp of the row attention does: which tokens a block takes, reading their rows, scores, the softmax so far.
#pragma once

#include <type_traits>

#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/kv_access.cuh"
#include "engine/backend/cuda/row_attention.h"

namespace mneme::engine::cuda::rows {

inline constexpr int kWarps = 4;
inline constexpr int kThreads = kWarps * kWarp;
inline constexpr int kDims = 8;     // of a lane
inline constexpr int kBatch = 256;  // tokens whose places a block knows at once

// kLanes lanes read a token's row, each kDims dimensions of kQueries query heads; a warp has kRows tokens in flight.
template <int kLanesIn, int kQueriesIn, bool kBytesIn>
struct Geometry {
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
  static constexpr int kBlocks = kQueries > 4 ? 2 : kBytes ? 3 : 4;
  static constexpr size_t kSharedBytes = (int64_t{kParts} * kQueries * (kWidth + 2)) * sizeof(float);
  static_assert(kScores <= kLanes);
};

// Where the tokens of a batch lie.
struct Places {
  const std::byte* heads[kBatch];
  int tokens[kBatch];
};

// What a block works on.
struct Share {
  int kv_head = -1;
  int begin = 0;
  int end = 0;
  int first_head = 0;
  int n_queries = 0;
};

__device__ __forceinline__ int tokens_of(const RowAttention& call, int kv_head) {
  return call.tokens.sinks + call.tokens.heads[kv_head].k + call.tokens.n_tokens - call.tokens.window_begin;
}
__device__ __forceinline__ int blocks_of(const RowAttention& call, int kv_head) {
  return (tokens_of(call, kv_head) + call.tokens_per_block - 1) / call.tokens_per_block;
}

template <typename G>
__device__ Share share_of(const RowAttention& call) {
  const int heads_per_kv = call.shape.n_heads / call.shape.n_kv_heads;
  int block = static_cast<int>(blockIdx.x);
  Share share;
  for (int h = 0; h < call.shape.n_kv_heads && share.kv_head < 0; ++h) {
    const int n = blocks_of(call, h);
    if (block < n) {
      share.kv_head = h;
      share.begin = block * call.tokens_per_block;
      share.end = min(tokens_of(call, h), share.begin + call.tokens_per_block);
    }
    block -= n;
  }
  const int first = static_cast<int>(blockIdx.y) * G::kQueries;
  share.first_head = share.kv_head * heads_per_kv + first;
  share.n_queries = min(G::kQueries, heads_per_kv - first);
  return share;
}

__device__ void find_places(const RowAttention& call, int kv_head, int first, int n, Places& places) {
  const AttendedTokens& tokens = call.tokens;
  const int n_listed = tokens.heads[kv_head].k;
  for (int i = static_cast<int>(threadIdx.x); i < n; i += kThreads) {
    const int at = first + i - tokens.sinks;
    const int position = at < 0          ? first + i
                         : at < n_listed ? tokens.positions[kv_head * tokens.position_stride + at]
                                         : tokens.window_begin + at - n_listed;
    const std::byte* block =
        call.blocks != nullptr ? call.blocks[kv_head * call.blocks_stride + position / kPageTokens] : nullptr;
    places.heads[i] = block != nullptr ? block : kv_head_at(call.kv, call.layer, position, kv_head).base;
    places.tokens[i] = position % kPageTokens;
  }
}

// A lane's dimensions of a row as they lie in the cache.
struct RawHalves {
  uint4 bits;
};
struct RawBytes {
  uint2 bits;
  f16 scale;
};

__device__ __forceinline__ void load_raw(const KvHead& at, bool value, int token, int d, RawHalves& raw) {
  const f16* row = (value ? at.values() : at.keys()) + int64_t{token} * at.head_dim;
  if (at.head_dim % kDims == 0) {
    raw.bits = *reinterpret_cast<const uint4*>(row + d);
    return;
  }
  uint32_t words[4] = {0, 0, 0, 0};
#pragma unroll
  for (int i = 0; i < kDims; ++i)
    if (d + i < at.head_dim) words[i / 2] |= static_cast<uint32_t>(row[d + i].bits) << (16 * (i % 2));
  raw.bits = {words[0], words[1], words[2], words[3]};
}
__device__ __forceinline__ void load_raw(const KvHead& at, bool value, int token, int d, RawBytes& raw) {
  const int64_t i = int64_t{token} * at.head_dim + d;
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

template <typename G>
__device__ void load_queries(const RowAttention& call, const Share& share, int d, State<G>& state) {
#pragma unroll
  for (int q = 0; q < G::kQueries; ++q) {
    const int64_t head = share.first_head + min(q, share.n_queries - 1);
#pragma unroll
    for (int i = 0; i < kDims; ++i) {
      const bool is_there = d + i < call.shape.head_dim;
      state.queries[q][i] = is_there ? call.q[head * call.shape.head_dim + d + i] * call.shape.scale : 0.0f;
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

// kRows tokens of a batch from `first` on, of which there are n.
template <typename G>
__device__ void attend_tokens(const RowAttention& call, const Places& places, int first, int n, State<G>& state) {
  using Raw = std::conditional_t<G::kBytes, RawBytes, RawHalves>;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int group = lane / G::kLanes;
  const int d = lane % G::kLanes * kDims;
  const bool reads = d < call.shape.head_dim;
  Raw keys[G::kUnroll];
  Raw values[G::kUnroll];
#pragma unroll
  for (int u = 0; u < G::kUnroll; ++u) {
    const int i = first + u * G::kGroups + group;
    keys[u] = values[u] = Raw{};
    if (!reads || i >= n) continue;
    const KvHead at{const_cast<std::byte*>(places.heads[i]), call.shape.head_dim};
    load_raw(at, false, places.tokens[i], d, keys[u]);
    load_raw(at, true, places.tokens[i], d, values[u]);
  }
  float scores[G::kScores];
#pragma unroll
  for (int u = 0; u < G::kUnroll; ++u) {
    float key[kDims];
    unpack(keys[u], key);
#pragma unroll
    for (int q = 0; q < G::kQueries; ++q) {
      float score = 0.0f;
#pragma unroll
      for (int i = 0; i < kDims; ++i) score = fmaf(state.queries[q][i], key[i], score);
      scores[u * G::kQueries + q] = score;
    }
  }
  float score = sum_scores<G>(scores);
  const int own = lane % G::kLanes / G::kRepeats;
  const bool sees = first + own / G::kQueries * G::kGroups + group < n;
  if (call.shape.softcap > 0.0f) score = call.shape.softcap * tanhf(score / call.shape.softcap);
  const float weight = soften<G>(score, sees, state);
#pragma unroll
  for (int u = 0; u < G::kUnroll; ++u) {
    float value[kDims];
    unpack(values[u], value);
#pragma unroll
    for (int q = 0; q < G::kQueries; ++q) {
      const int from = group * G::kLanes + (u * G::kQueries + q) * G::kRepeats;
      const float of_query = __shfl_sync(kAllLanes, weight, from);
#pragma unroll
      for (int i = 0; i < kDims; ++i) state.out[q][i] = fmaf(of_query, value[i], state.out[q][i]);
    }
  }
}

}  // namespace mneme::engine::cuda::rows
