// Layers of Mamba-2 (engine/model/model_config.h, StateKind::kMamba) on the backend's threads, in three passes: all
// channels are convolved; then some value heads of a sequence, which share queries and keys, are one thread's work;
// then those that share a key head are normed together. What heads do meets nowhere before, so results depend on no
// number of threads. Steps of up to kFewRows rows of a sequence go row by row, longer ones by chunks (state_kernels.h).
// Threads: one call at a time.
#pragma once

#include <vector>

#include "base/thread_pool.h"
#include "engine/backend/backend.h"
#include "engine/backend/cpu/aligned_buffer.h"
#include "engine/backend/cpu/convolved_rows.h"
#include "engine/backend/cpu/cpu_matrix.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/multiplier.h"
#include "engine/backend/cpu/scratch_rows.h"
#include "engine/backend/layer_states.h"

namespace mneme::engine::cpu {

class Mamba {
 public:
  // Rows of such groups have the numbers that they would have alone.
  static constexpr int kFewRows = 8;

  // multiplier: of the step that the calls belong to.
  Mamba(const Kernels& kernels, ThreadPool& pool, Multiplier& multiplier)
      : kernels_(kernels), pool_(pool), multiplier_(multiplier), workers_(static_cast<size_t>(pool.n_threads())) {}

  // As Backend::mix_state, of rows whose norms were announced to the multiplier.
  void run(const ModelConfig& config, int layer, const StateWeights& weights, const RowSet& rows, CpuActivations& out);

 private:
  struct Call;
  struct Unit {  // of a group of rows
    LayerStates* states = nullptr;
    int first_row = 0;  // of the step
    int n_rows = 0;
    bool is_beginning = false;  // of the sequence
    int first = 0;              // its first channel, or which of its key head's value heads is its first one
    int n = 0;                  // how many
    int key_head = 0;
  };
  struct Chunk;
  struct Worker {
    AlignedBuffer<float> floats;
  };
  template <class Run>
  void for_units(Run run);

  void cut_channels(const StateConfig& mamba);
  void cut_heads(const StateConfig& mamba);
  void convolve(const Call& call, const Unit& unit);
  void run_heads(const Call& call, const Unit& unit, Worker& worker);
  void run_chunk(const Call& call, const Unit& unit, int row, int n_rows, Worker& worker);
  void take_keys(const Call& call, const Unit& unit, Chunk& chunk);
  void run_head(const Call& call, const Unit& unit, int head, Chunk& chunk);
  void set_steps(const Call& call, int head, Chunk& chunk);
  void norm_rows(const Call& call, int n_rows);

  const Kernels& kernels_;
  ThreadPool& pool_;
  Multiplier& multiplier_;
  ScratchRows projected_;  // (rows, gates + channels + steps)
  ScratchRows convolved_;  // (rows, channels)
  std::vector<Unit> groups_;
  std::vector<Unit> units_;
  std::vector<Worker> workers_;
};

}  // namespace mneme::engine::cpu
