// Operations on rows of activations: embeddings, norms, residuals, activations. Each enqueues on the
// stream and returns what the launch said. Rows are dense, (n_rows, width) f32. Threads: safe, one stream each.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "engine/backend/cuda/matrix_ref.h"
#include "engine/backend/cuda/next_weights.h"
#include "engine/backend/cuda/rounded_rows.h"
#include "engine/model/model_config.h"

namespace mneme::engine::cuda {

// Null where the model has none.
struct NormRef {
  const float* weight = nullptr;
  const float* bias = nullptr;
  NormKind kind = NormKind::kRms;
  float epsilon = 0;
  bool operator==(const NormRef&) const = default;
};

// x[row] = (add ? x[row] : 0) + table[ids[row]] * scale.
cudaError_t embed_rows(cudaStream_t stream, const MatrixRef& table, const int* ids, int n_rows, float scale, bool add,
                       float* x);
// out[i] = x[rows[i]]; out and x do not overlap.
cudaError_t gather_rows(cudaStream_t stream, const float* x, int width, const int* rows, int n_rows, float* out);
// out[i] = norm(x[rows[i]]), rows null: x[i]; without a weight just x. In every form that `out` asks for. `ahead`: of
// the product behind.
cudaError_t norm_rows(cudaStream_t stream, const float* x, const int* rows, int n_rows, const NormRef& norm,
                      const RoundedRows& out, const NextWeights& ahead = {});
// What a block adds to the residual stream: x += norm(block), or x = norm(x + block) with after_residual, where
// block = product * row_scale + bias.
struct BlockOut {
  const float* product = nullptr;     // (n_rows, width)
  const float* row_scales = nullptr;  // (n_rows)
  const float* bias = nullptr;        // (width)
  NormRef norm = {};
  bool after_residual = false;
  bool replaces = false;  // x = norm(block)
  bool operator==(const BlockOut&) const = default;
};
cudaError_t add_block(cudaStream_t stream, const BlockOut& block, int n_rows, int width, float* x);

// out = activation(gate + gate_bias) * (up + up_bias), or activation(up + up_bias) where gate is null. Rows `stride`
// apart.
struct GatedRows {
  const float* gate = nullptr;
  const float* up = nullptr;
  int64_t stride = 0;
  const float* up_bias = nullptr;
  Activation activation = Activation::kSilu;
  bool operator==(const GatedRows&) const = default;
};
cudaError_t activate_rows(cudaStream_t stream, const GatedRows& in, int n_rows, const RoundedRows& out,
                          const NextWeights& ahead = {});

// x = softcap(x * scale), softcap 0: none.
cudaError_t finish_logits(cudaStream_t stream, float scale, float softcap, int64_t n, float* x);
// x[row][columns[i]] = -infinity, for n_columns of them.
cudaError_t rule_out(cudaStream_t stream, const int* columns, int n_columns, int n_rows, int64_t stride, float* x);

}  // namespace mneme::engine::cuda
