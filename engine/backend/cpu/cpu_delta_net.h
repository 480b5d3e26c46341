// Layers of gated delta nets (engine/model/model_config.h, StateKind::kDeltaNet) on the backend's threads. A key head
// and the value heads that share it are one thread's work, from the convolution to the gated norm: nothing of it meets
// what other key heads do, so results depend on no number of threads. Steps of up to kFewRows rows of a sequence go row
// by row, longer ones by chunks (state_kernels.h). Threads: one call at a time.
#pragma once

#include <cstdint>
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

class DeltaNet {
 public:
  // Rows of such groups have the numbers that they would have alone.
  static constexpr int kFewRows = 8;

  // multiplier: of the step that the calls belong to.
  DeltaNet(const Kernels& kernels, ThreadPool& pool, Multiplier& multiplier)
      : kernels_(kernels), pool_(pool), multiplier_(multiplier), workers_(static_cast<size_t>(pool.n_threads())) {}

  // As Backend::mix_state, of rows whose norms were announced to the multiplier.
  void run(const ModelConfig& config, int layer, const StateWeights& weights, const RowSet& rows, CpuActivations& out);

 private:
  struct Call;
  struct Unit {  // a key head of a group of rows
    LayerStates* states = nullptr;
    int first_row = 0;  // of the step
    int n_rows = 0;
    bool is_beginning = false;  // of the sequence
    int key_head = 0;
  };
  // A chunk of rows on its way through a head.
  struct Worker {
    AlignedBuffer<float> floats;
  };

  void project(const StateConfig& delta, const StateWeights& weights, int n_rows);
  void run_unit(const Call& call, const Unit& unit, Worker& worker);
  void run_chunk(const Call& call, const Unit& unit, const ConvolvedRows& channels, int first, int n_rows,
                 Worker& worker);
  void run_value_head(const Call& call, const Unit& unit, const ConvolvedRows& channels, int first, int i,
                      StateRows& rows, float* values);
  ConvolvedRows channels_of(const Call& call, const Unit& unit) const;
  void set_decays(const Call& call, const Unit& unit, int first, int i, int n_rows, float* decays, float* strengths);
  static void keep_recent(const StateConfig& delta, const ConvolvedRows& channels, int key_head);

  const Kernels& kernels_;
  ThreadPool& pool_;
  Multiplier& multiplier_;
  ScratchRows projected_;  // (rows, channels + gates + strengths and decays)
  std::vector<Unit> units_;
  std::vector<Worker> workers_;
};

}  // namespace mneme::engine::cpu
