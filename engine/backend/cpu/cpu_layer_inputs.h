// The vectors that every layer is given of a token beside the hidden state, and what stands behind a layer's blocks.
// Threads: one call at a time.
#pragma once

#include <span>

#include "base/thread_pool.h"
#include "engine/backend/backend.h"
#include "engine/backend/cpu/cpu_matrix.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/multiplier.h"
#include "engine/backend/cpu/scratch_rows.h"

namespace mneme::engine::cpu {

class LayerInputs {
 public:
  // multiplier: of the step that the calls belong to.
  LayerInputs(const Kernels& kernels, ThreadPool& pool, Multiplier& multiplier)
      : kernels_(kernels), pool_(pool), multiplier_(multiplier) {}

  // As Backend::make_layer_inputs.
  void make(const ModelConfig& config, const LayerInputSource& source, std::span<const TokenId> ids,
            const CpuActivations& x, CpuActivations& inputs);
  // As Backend::finish_layer.
  void finish(const ModelConfig& config, int layer, const LayerInputWeights& weights, int n_rows,
              const CpuActivations* inputs, CpuActivations& x);

 private:
  const Kernels& kernels_;
  ThreadPool& pool_;
  Multiplier& multiplier_;
  ScratchRows looked_up_;  // (rows, n_layers * layer_input_dim)
  ScratchRows gated_;      // (rows, layer_input_dim)
  ScratchRows added_;      // (rows, dim)
};

}  // namespace mneme::engine::cpu
