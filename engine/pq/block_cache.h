// Which blocks of tokens a faster memory would hold: the block cache of PQCache (paper 001 §3.4). After every step the
// blocks with the most retrieved tokens are offered; they replace the least recently or least often used ones. Here it
// keeps account of what is resident and how often retrieval would have hit it; a backend with memory of its own fills
// what step() names, asynchronously, and may use a block once it has arrived; a GPU decides by kernels that are
// compared with this (backend/cuda/kv_blocks.h). On the CPU all keys are in one memory: the hit rate is reported,
// nothing is copied. Threads: one object per thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/pq/retrieval_options.h"
#include "engine/types.h"

namespace mneme::engine {

inline constexpr int kCacheBlockTokens = 128;

class BlockCache {
 public:
  // capacity_tokens is rounded down to whole blocks; offered: blocks a step may bring in.
  BlockCache(int capacity_tokens, BlockEviction eviction, int offered = 32);

  // One step's retrieved positions, ascending. Counts those in resident blocks as hits, then makes the blocks with the
  // most of them resident. Gives the blocks that have to be filled.
  std::span<const int> step(std::span<const TokenPos> positions);

  // Tokens from n_tokens on are no more: blocks that hold any leave.
  void forget(int n_tokens);

  bool resident(int block) const;
  int64_t hits() const { return hits_; }
  int64_t requests() const { return requests_; }

 private:
  struct Slot {
    int block = -1;
    uint64_t last_step = 0;
    uint64_t uses = 0;  // tokens served since it came in
  };
  Slot* find(int block);
  Slot* victim();

  const BlockEviction eviction_;
  const int offered_;
  std::vector<Slot> slots_;
  std::vector<std::pair<int, int>> counts_;  // of a step: tokens, block
  std::vector<int> filled_;
  uint64_t step_ = 0;
  int64_t hits_ = 0;
  int64_t requests_ = 0;
};

}  // namespace mneme::engine
