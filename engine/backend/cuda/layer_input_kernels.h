// The vectors that every layer is given of a token (Backend::make_layer_inputs, finish_layer). Each enqueues on the
// stream and returns what the launch said. Rows are dense f32. Threads: safe, one stream each.
#pragma once

#include <cuda_runtime.h>

#include "engine/backend/cuda/matrix_ref.h"
#include "engine/model/model_config.h"

namespace mneme::engine::cuda {

struct LayerInputMix {
  MatrixRef table;
  const int* ids = nullptr;           // (n_rows)
  const float* row_scales = nullptr;  // (n_rows), of the projection; null: ones
  float projection_scale = 1.0f;
  const float* norm_weight = nullptr;  // (width)
  float epsilon = 0;
  int n_layers = 0;
  int width = 0;  // of a layer's part
  bool operator==(const LayerInputMix&) const = default;
};
// inputs (n_rows, n_layers * width), the projection: each layer's part becomes
// (norm(part * scales) + table[id] * sqrt(width)) / sqrt(2).
cudaError_t mix_layer_inputs(cudaStream_t stream, const LayerInputMix& mix, int n_rows, float* inputs);

// gate (n_rows, width) = activation(gate * row_scales) * inputs, whose rows are `stride` apart; row_scales null: ones.
struct LayerInputGate {
  Activation activation = Activation::kGeluTanh;
  const float* row_scales = nullptr;
  const float* inputs = nullptr;
  int64_t stride = 0;
  int width = 0;
  bool operator==(const LayerInputGate&) const = default;
};
cudaError_t gate_layer_input(cudaStream_t stream, const LayerInputGate& in, int n_rows, float* gate);

}  // namespace mneme::engine::cuda
