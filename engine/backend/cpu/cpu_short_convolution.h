// Layers of short convolutions between gates (engine/model/model_config.h, StateKind::kConvolution) on the backend's
// threads. Channels do not meet: some of them of a sequence's rows are one thread's work, so that results depend on no
// number of threads, and a row has the numbers of a step of its own. Threads: one call at a time.
#pragma once

#include <vector>

#include "base/thread_pool.h"
#include "engine/backend/backend.h"
#include "engine/backend/cpu/cpu_matrix.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/multiplier.h"
#include "engine/backend/cpu/scratch_rows.h"

namespace mneme::engine::cpu {

class ShortConvolution {
 public:
  // multiplier: of the step that the calls belong to.
  ShortConvolution(const Kernels& kernels, ThreadPool& pool, Multiplier& multiplier)
      : kernels_(kernels), pool_(pool), multiplier_(multiplier) {}

  // As Backend::mix_state, of rows whose norms were announced to the multiplier.
  void run(const ModelConfig& config, int layer, const StateWeights& weights, const RowSet& rows, CpuActivations& out);

 private:
  struct Unit {  // some channels of a group of rows
    const RowGroup* group = nullptr;
    bool is_beginning = false;  // of the sequence
    int channel = 0;
  };
  void run_unit(const StateConfig& state, int layer, const float* weights, const Unit& unit, CpuActivations& out);

  const Kernels& kernels_;
  ThreadPool& pool_;
  Multiplier& multiplier_;
  ScratchRows
      projected_;  // (rows, 3 channels): the gate before, that behind, what is gated; the first becomes channels
  std::vector<Unit> units_;
};

}  // namespace mneme::engine::cpu
