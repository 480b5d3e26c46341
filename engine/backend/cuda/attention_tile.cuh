// What the attention kernels share: which rows, heads and keys a block works on, and bringing keys and values into
// shared memory.
#pragma once

#include "engine/backend/cuda/attention_kernels.h"
#include "engine/backend/cuda/device_language.cuh"
#include "engine/backend/cuda/kv_access.cuh"

namespace mneme::engine::cuda {

inline constexpr int kVector = 8;  // halves in 16 bytes

// What a block works on.
struct Tile {
  GroupView group;
  int first_row;
  int n_rows;
  int kv_head;
  int first_head;
  int n_heads;
  int begin;  // keys, begin a multiple of the tile's keys
  int end;

  __device__ int n_queries() const { return n_rows * n_heads; }
  __device__ int row(int query) const { return first_row + query / n_heads; }
  __device__ int head(int query) const { return first_head + query % n_heads; }
};

__device__ __forceinline__ int first_key(const AttentionCall& call, int row) {
  const int before = call.shape.causal ? call.shape.window - 1 : call.shape.window / 2;
  return call.shape.window > 0 ? max(0, call.rows.positions[row] - before) : 0;
}
__device__ __forceinline__ int end_key(const AttentionCall& call, const GroupView& group, int row) {
  if (call.shape.causal) return call.rows.positions[row] + 1;
  return call.shape.window > 0 ? min(group.n_keys, call.rows.positions[row] + call.shape.window / 2 + 1) : group.n_keys;
}

// Blocks are numbered tile of rows by tile of rows, all heads of one before the next: the rows that see the most keys
// come first (StepRows) and then begin first on all heads.
__device__ __forceinline__ int heads_of_tile(const AttentionCall& call) {
  return call.shape.n_kv_heads * call.plan.head_tiles;
}
__device__ __forceinline__ const RowTile& row_tile_of(const AttentionCall& call) {
  return call.tiles[static_cast<int>(blockIdx.x) / heads_of_tile(call)];
}

template <int kKeys>
__device__ __forceinline__ Tile tile_of(const AttentionCall& call) {
  const RowTile& rows = row_tile_of(call);
  const int heads = static_cast<int>(blockIdx.x) % heads_of_tile(call);
  const int heads_per_kv = call.shape.n_heads / call.shape.n_kv_heads;
  Tile tile{};
  tile.group = call.rows.groups[rows.group];
  tile.first_row = rows.first_row;
  tile.n_rows = rows.n_rows;
  tile.kv_head = heads / call.plan.head_tiles;
  const int first = heads % call.plan.head_tiles * call.plan.heads_per_tile;
  tile.first_head = tile.kv_head * heads_per_kv + first;
  tile.n_heads = min(call.plan.heads_per_tile, heads_per_kv - first);
  // Positions ascend within a group, so the first row sees the earliest key and the last row the latest.
  const int begin = first_key(call, rows.first_row) / kKeys * kKeys;
  const int end = end_key(call, tile.group, rows.first_row + rows.n_rows - 1);
  tile.begin = begin;
  tile.end = end;
  if (call.plan.n_splits > 1) {
    tile.begin = begin + static_cast<int>(blockIdx.z) * call.plan.split_keys;
    tile.end = min(end, tile.begin + call.plan.split_keys);
  }
  return tile;
}

// kKeys rows of halves or codes into shared memory, 16 bytes of it a thread. Rows from n_keys on become zeros: what
// lies there may be NaN, which even a weight of zero would spread.
template <int kKeys, int kThreads>
__device__ void load_rows(const f16* halves, const int8_t* codes, const f16* scales, int head_dim, int n_keys,
                          int stride, f16* out) {
  const int n_vectors = head_dim / kVector;
  for (int i = static_cast<int>(threadIdx.x); i < kKeys * n_vectors; i += kThreads) {
    const int key = i / n_vectors;
    const int d = i % n_vectors * kVector;
    uint4 bits{0, 0, 0, 0};
    if (key < n_keys && codes == nullptr) {
      bits = *reinterpret_cast<const uint4*>(halves + key * head_dim + d);
    } else if (key < n_keys) {
      const int at = key * head_dim + d;
      const float scale = half_to_float(scales[at / kKvBlock]);
      const uint2 eight = *reinterpret_cast<const uint2*>(codes + at);
      uint32_t words[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const uint32_t pair = (j < 2 ? eight.x : eight.y) >> (16 * (j % 2));
        const uint32_t low = float_to_half(scale * static_cast<float>(static_cast<int8_t>(pair))).bits;
        const uint32_t high = float_to_half(scale * static_cast<float>(static_cast<int8_t>(pair >> 8))).bits;
        words[j] = low | high << 16;
      }
      bits = {words[0], words[1], words[2], words[3]};
    }
    *reinterpret_cast<uint4*>(out + key * stride + d) = bits;
  }
}

// Heads of odd widths, whose rows start anywhere.
template <int kKeys, int kThreads>
__device__ void load_odd_rows(const f16* halves, int head_dim, int n_keys, int stride, f16* out) {
  for (int i = static_cast<int>(threadIdx.x); i < kKeys * head_dim; i += kThreads) {
    const int key = i / head_dim;
    const int d = i % head_dim;
    out[key * stride + d] = key < n_keys ? halves[key * head_dim + d] : f16{0};
  }
}

// Keys [first, first + kKeys) of a tile, or their values; first is a multiple of kKeys, so they lie in one page.
struct TileTarget {
  f16* keys;
  f16* values;
  int key_stride;
  int value_stride;
};
// Either alone.
template <int kKeys, int kThreads>
__device__ void load_keys_or_values(const AttentionCall& call, const Tile& tile, int first, bool values, int stride,
                                    f16* to) {
  const KvView& kv = tile.group.kv;
  const KvHead at = kv_head_at(kv, call.layer, first, tile.kv_head);
  const int token = first % kPageTokens;
  const int n_keys = min(kKeys, tile.end - first);
  const int64_t from = int64_t{token} * kv.head_dim;
  if (kv.is_q8) {
    const int scales = token * (kv.head_dim / kKvBlock);
    load_rows<kKeys, kThreads>(nullptr, (values ? at.value_codes() : at.key_codes()) + from,
                               (values ? at.value_scales() : at.key_scales()) + scales, kv.head_dim, n_keys, stride,
                               to);
  } else if (kv.head_dim % kVector == 0) {
    load_rows<kKeys, kThreads>((values ? at.values() : at.keys()) + from, nullptr, nullptr, kv.head_dim, n_keys, stride,
                               to);
  } else {
    load_odd_rows<kKeys, kThreads>((values ? at.values() : at.keys()) + from, kv.head_dim, n_keys, stride, to);
  }
}
template <int kKeys, int kThreads>
__device__ void load_keys_values(const AttentionCall& call, const Tile& tile, int first, const TileTarget& to) {
  load_keys_or_values<kKeys, kThreads>(call, tile, first, false, to.key_stride, to.keys);
  load_keys_or_values<kKeys, kThreads>(call, tile, first, true, to.value_stride, to.values);
}

}  // namespace mneme::engine::cuda
