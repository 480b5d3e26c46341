// Layers whose states are matrices on a GPU (engine/model/model_config.h: gated delta nets, Mamba-2), in three launches
// behind their products: convolution, and lengths, of all rows; the recurrence, row by row, of a few columns of a
// head's state in the registers of a block; the gated norm. And the gates of the attention that stands among delta
// nets. Each enqueues on the stream and returns what the launch said. Threads: safe, one stream each.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "engine/backend/cuda/kv_view.h"
#include "engine/backend/cuda/state_step.h"

namespace mneme::engine::cuda {

inline constexpr int kMaxStateDim = 256;  // of keys

// A step's rows of one layer.
struct RecurrenceStep : StateStep {
  // Where parts of a row of `projected` begin: channels, gates (value_dim), logits of strengths and decays, or of
  // steps.
  int channels_at = 0;
  int gates_at = 0;
  int logits_at = 0;
  int values_at = 0;  // among channels, as StateConfig has them
  int keys_at = 0;
  int queries_at = 0;
  bool in_one_matrix = false;        // strengths and decays, by key heads (StateWeights::beta_alpha)
  const float* conv_bias = nullptr;  // as StateWeights
  const float* decay = nullptr;
  const float* alpha_bias = nullptr;
  const float* skip = nullptr;
  const float* norm = nullptr;
  float* mixed = nullptr;  // (n_rows, channels): made on the way
  bool operator==(const RecurrenceStep&) const = default;
};
cudaError_t mix_recurrence(cudaStream_t stream, const RecurrenceStep& step, const RowsView& rows);

// q (n_rows, 2 width): its rows' first halves to `queries` (n_rows, width).
cudaError_t take_queries(cudaStream_t stream, const float* q, int n_rows, int width, float* queries);
// x (n_rows, width) times the sigmoids of the second halves.
cudaError_t gate_rows(cudaStream_t stream, const float* q, int n_rows, int width, float* x);

}  // namespace mneme::engine::cuda
