// Layers that keep a state (engine/model/model_config.h, StateConfig) on a GPU: their products, and what the kernels of
// their kind make of them. Threads: as the device's.
#pragma once

#include "engine/backend/backend.h"
#include "engine/backend/cuda/device.h"
#include "engine/backend/cuda/products.h"
#include "engine/backend/cuda/recurrence_kernels.h"
#include "engine/backend/cuda/state_step.h"
#include "engine/backend/cuda/step_rows.h"

namespace mneme::engine::cuda {

class StateMixer {
 public:
  StateMixer(Device& device, Products& products, StepRows& step_rows)
      : device_(device), products_(products), step_rows_(step_rows) {}

  // As Backend::mix_state, within a step that has begun.
  void mix(const ModelConfig& config, int layer, const LayerWeights& weights, const RowSet& rows, const Activations& x,
           Activations& out);

 private:
  bool multiply_delta(const ModelConfig& config, const LayerWeights& weights, int n_rows, const Activations& x,
                      RecurrenceStep& step);
  bool multiply_in_one(const ModelConfig& config, const LayerWeights& weights, int n_rows, const Activations& x,
                       StateStep& step);
  bool multiply_mamba(const ModelConfig& config, const LayerWeights& weights, int n_rows, const Activations& x,
                      RecurrenceStep& step);
  RowsView move_on(const ModelConfig& config, int layer, const RowSet& rows, StateStep& step);

  Device& device_;
  Products& products_;
  StepRows& step_rows_;
  DeviceBuffer projected_;  // (rows, all that a layer's products make of them)
  DeviceBuffer convolved_;  // (rows, channels)
};

}  // namespace mneme::engine::cuda
