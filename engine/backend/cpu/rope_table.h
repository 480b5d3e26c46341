// Cosines and sines of RoPE angles by position, computed once in double from integer positions and kept.
// Threads: prepare() by one thread, then rotate() by any. RopeTables::get() by several at once that ask for the same
// positions: the first prepares them.
#pragma once

#include <memory>
#include <vector>

#include "base/mutex.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/model/model_config.h"
#include "engine/types.h"

namespace mneme::engine::cpu {

class RopeTable {
 public:
  explicit RopeTable(const RopeConfig& config) : config_(config) {}

  // Whether this table serves `config` (same angles and layout).
  bool serves(const RopeConfig& config) const;

  // Makes positions up to `last` available.
  void prepare(TokenPos last);

  // Rotates the first n_rot dimensions of one head in place. prepare(position) was called.
  void rotate(const Kernels& kernels, TokenPos position, float* head) const;

 private:
  static constexpr int kBlock = 256;  // positions filled at a time
  int n_pairs() const { return config_.n_rot / 2; }
  void fill(int block);

  RopeConfig config_;
  // Per block: (kBlock, n_pairs) cosines, then as many sines. Blocks never move. Null where not needed yet.
  std::vector<std::unique_ptr<float[]>> blocks_;
};

// The tables of a backend: few, found by content.
class RopeTables {
 public:
  // The table for `config` with positions up to `last` prepared.
  const RopeTable& get(const RopeConfig& config, TokenPos last);

 private:
  Mutex mutex_;
  std::vector<std::unique_ptr<RopeTable>> tables_ MNEME_GUARDED_BY(mutex_);
};

}  // namespace mneme::engine::cpu
