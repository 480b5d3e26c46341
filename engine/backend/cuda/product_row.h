// Products of quantised weights with a single row that is still to be normed (RMS) and rounded to int8: decoding. Those
// who multiply it do both, so that neither is a launch of its own. The bits are those of norm_rows() and
// multiply_few().
//
// One block a multiprocessor makes the row for itself and multiplies with it whatever is left to multiply: by count a
// row of 4,096 takes such a block about a microsecond, while its first weights are on their way, and a launch 3 to 4.
// Small blocks, as multiply_few() has them, would make it once each: 3,584 times for gate and up of the 8B shape.
// Every function enqueues on the stream and returns what the launch said. Threads: safe, one stream each.
#pragma once

#include <cuda_runtime.h>

#include <span>

#include "engine/backend/cuda/product_kernels.h"

namespace mneme::engine::cuda {

// W norm(x), rounded.
struct RowToNorm {
  const float* x = nullptr;  // (width)
  int width = 0;
  RowNorm norm = {};
  bool operator==(const RowToNorm&) const = default;
};

// Whether there are kernels for it: other rows are normed beforehand. Longer ones than 8,192 would take a block longer
// than a launch does, and more registers than it has.
bool norms_within(const RowToNorm& row);

// What `parts`, of one quantised type, make of the row.
cudaError_t multiply_row(cudaStream_t stream, std::span<const ProductPart> parts, const RowToNorm& row,
                         int n_processors);

// Whether gate and up with n_out outputs each may be multiplied with such a row of `width` by multiply_row_gated().
bool gates_within(int width, int n_out, int n_processors);
// activation(gate x) * (up x + bias) in int8 (out.codes, scales and sums): a block makes 32 neighbours at least, which
// share a scale, so that nothing is left to round. The bits are those of activate_rows() behind multiply_row().
cudaError_t multiply_row_gated(cudaStream_t stream, const GatedParts& parts, const RowToNorm& row, int n_processors,
                               const RoundedRows& out);

}  // namespace mneme::engine::cuda
