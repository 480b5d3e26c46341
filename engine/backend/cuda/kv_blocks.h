// Kernels of the block cache of KV that lies in the host's memory: which blocks of a KV head (kPageTokens tokens: keys
// and values lie side by side, KvView::head_bytes) are copied into the device's memory, by the rules of
// engine/pq/block_cache.h, ties included, without a word from the host. Each enqueues on a stream and returns what the
// launch said. Threads: safe, one stream each.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "engine/backend/cuda/kv_view.h"
#include "engine/backend/cuda/pq_choice.h"

namespace mneme::engine::cuda {

inline constexpr int kOfferedBlocks = 32;  // a step may bring in, of each head
inline constexpr int kMostSlots = 1024;    // of a head, and
inline constexpr int kMostBlocks = 8192;   // of a sequence, that one block of threads looks after

struct BlockSlot {
  int block = -1;  // none
  int last_step = 0;
  unsigned uses = 0;  // tokens served since it came in
};
struct BlockFill {
  int block = 0;
  int slot = 0;
};

// One layer's cache.
struct CachedBlocks {
  int n_kv_heads = 0;
  int n_slots = 0;      // of a head
  int most_blocks = 0;  // of the sequence
  int64_t head_bytes = 0;
  bool by_uses = true;                 // the least often used leaves; else the one used longest ago
  std::byte* memory = nullptr;         // (n_kv_heads, n_slots, head_bytes)
  BlockSlot* slots = nullptr;          // (n_kv_heads, n_slots)
  const std::byte** places = nullptr;  // (n_kv_heads, most_blocks): where a block lies here; null: it does not
  BlockFill* fills = nullptr;          // (n_kv_heads, kOfferedBlocks): blocks on their way, which are not in places yet
  int* n_fills = nullptr;              // (n_kv_heads)
  int64_t* counts = nullptr;           // (n_kv_heads, 2): tokens served, tokens asked for; and
  int64_t* told = nullptr;             // the same, written to the host's memory
};

// Empties it and begins to count.
cudaError_t clear_blocks(cudaStream_t stream, const CachedBlocks& cache);
// What the fills of the step before brought is there now. Counts the tokens chosen in this step, of blocks [0,
// n_blocks), and decides which blocks are to be brought in and what leaves for them. step: 1, 2, ...
cudaError_t serve_blocks(cudaStream_t stream, const CachedBlocks& cache, const HeadChoice* heads, const int* positions,
                         int64_t position_stride, int n_blocks, int step);
// Copies them in from their pages; those who look in places do not see them yet.
cudaError_t fill_blocks(cudaStream_t stream, const CachedBlocks& cache, const KvView& home, int layer);
// Blocks from this one on leave; what is on its way has come.
cudaError_t forget_blocks(cudaStream_t stream, const CachedBlocks& cache, int first_block);

}  // namespace mneme::engine::cuda
