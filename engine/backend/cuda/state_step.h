// What the kernels of layers that keep a state (engine/model/model_config.h, StateConfig) take of a step, whatever the
// kind of its state. Threads: plain data.
#pragma once

#include <cstdint>

#include "engine/model/model_config.h"

namespace mneme::engine::cuda {

// A step's rows of one layer.
struct StateStep {
  StateConfig state = {};
  const float* projected = nullptr;  // (n_rows, width): the layer's products, those that are convolved first
  int64_t width = 0;
  const float* conv = nullptr;     // as StateWeights
  float* const* states = nullptr;  // (n_groups), of the rows' sequences, on the device
  int64_t state_place = 0;         // of the layer in a sequence's states; its matrices lie `recent_floats` behind that
  int64_t recent_floats = 0;
  int stride = 0;        // of a matrix's rows
  int n_groups = 0;      // of rows
  float* out = nullptr;  // (n_rows, value_dim)
  bool operator==(const StateStep&) const = default;
};

}  // namespace mneme::engine::cuda
