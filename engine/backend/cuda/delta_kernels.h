// Layers of gated delta nets on a GPU (engine/model/model_config.h, DeltaConfig), in three launches behind their
// products: convolution and lengths of all rows; the recurrence, row by row, of a few columns of a head's state in the
// registers of a block; the gated norm. And the gates of the attention that stands among such layers. Each enqueues on
// the stream and returns what the launch said. Threads: safe, one stream each.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "engine/backend/cuda/kv_view.h"
#include "engine/model/model_config.h"

namespace mneme::engine::cuda {

inline constexpr int kMaxStateDim = 256;

// A step's rows of one layer.
struct DeltaStep {
  DeltaConfig delta = {};
  bool in_one_matrix = false;        // strengths and decays, by key heads (DeltaWeights::beta_alpha)
  const float* projected = nullptr;  // (n_rows, width): channels, gates, logits of strengths and decays
  int64_t width = 0;
  const float* conv = nullptr;  // as DeltaWeights
  const float* decay = nullptr;
  const float* alpha_bias = nullptr;
  const float* norm = nullptr;
  float epsilon = 0;
  float* const* states = nullptr;  // (n_groups), of the rows' sequences, on the device
  int64_t state_place = 0;         // of the layer in a sequence's states; its matrices lie `recent_floats` behind that
  int64_t recent_floats = 0;
  int stride = 0;          // of a matrix's rows
  int n_groups = 0;        // of rows
  float* mixed = nullptr;  // (n_rows, channels): made on the way
  float* out = nullptr;    // (n_rows, value_dim)
  bool operator==(const DeltaStep&) const = default;
};
cudaError_t mix_delta(cudaStream_t stream, const DeltaStep& step, const RowsView& rows);

// q (n_rows, 2 width): its rows' first halves to `queries` (n_rows, width).
cudaError_t take_queries(cudaStream_t stream, const float* q, int n_rows, int width, float* queries);
// x (n_rows, width) times the sigmoids of the second halves.
cudaError_t gate_rows(cudaStream_t stream, const float* q, int n_rows, int width, float* x);

}  // namespace mneme::engine::cuda
