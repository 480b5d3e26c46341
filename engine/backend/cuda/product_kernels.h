// Products y = W x of rows of activations with a weight matrix. Biases belong to the kernels that use the result.
// Every function enqueues on the stream and returns what the launch said. Threads: safe, one stream each.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <span>

#include "engine/backend/cuda/matrix_ref.h"
#include "engine/backend/cuda/rounded_rows.h"
#include "engine/model/model_config.h"

namespace mneme::engine::cuda {

// Rows up to this many are multiplied one by one with weights that are read once: decoding waits for memory.
inline constexpr int kFewRows = 8;

// y: (n_rows, n_out), rows `stride` elements apart.
struct ProductOut {
  float* y = nullptr;
  int64_t stride = 0;
  bool operator==(const ProductOut&) const = default;
};

// Matrices of one type and n_in that multiply the same rows, up to kMostParts of them in one launch (Q, K and V; gate
// and up). Output row r of a part is at y + r * stride.
inline constexpr int kMostParts = 3;
struct ProductPart {
  MatrixRef w;
  float* y = nullptr;
  bool operator==(const ProductPart&) const = default;
};

// A layer's matrices of one purpose, of one shape and type, and what is added to their products. Tables on the device.
struct ExpertMatrices {
  const MatrixRef* matrices = nullptr;   // (n_experts)
  const float* const* biases = nullptr;  // (n_experts) of (n_out); null: none
  bool operator==(const ExpertMatrices&) const = default;
};

// Mixture of experts, few rows: (row, expert) pairs, pair i of row i / pairs_per_row with the matrix of expert
// chosen[i]. Output row i is pair i's.
struct ExpertPairs {
  ExpertMatrices experts;
  const int* chosen = nullptr;
  int n_pairs = 0;
  int pairs_per_row = 1;
  bool operator==(const ExpertPairs&) const = default;
};

// The same, many rows: the pairs in order of their expert. Expert e's are [offsets[e], offsets[e + 1]); pair i takes
// row rows[i] of x, or row i where `rows` is null. Output row i is pair i's.
struct ExpertGroups {
  ExpertMatrices experts;
  int n_experts = 0;
  const int* offsets = nullptr;  // (n_experts + 1)
  const int* rows = nullptr;
  bool operator==(const ExpertGroups&) const = default;
};

// What becomes of the products of few rows: y = product + bias, or y += product + bias where `adds`.
struct ProductEnd {
  const float* bias = nullptr;  // (n_out), of the only part
  bool adds = false;
  bool operator==(const ProductEnd&) const = default;
};

// Up to kFewRows rows in int8 with quantised matrices: exact in integers but for the rounding of x.
cudaError_t multiply_few(cudaStream_t stream, std::span<const ProductPart> parts, const RoundedRows& x, int n_rows,
                         int64_t stride, const ProductEnd& end = {});
// Up to kFewRows rows in f32 with F32, F16 or BF16 matrices: nothing is rounded. x: rows n_in apart. With a norm, which
// takes n_rows 1, W norm(x) is multiplied: every warp reads all of the row anyway and finds its mean square on the way.
cudaError_t multiply_few_f32(cudaStream_t stream, std::span<const ProductPart> parts, const float* x, int n_rows,
                             int64_t stride, const ProductEnd& end = {}, const RowNorm& norm = {});
// y (n_rows, n_out) = activation(gate x) * (up x + bias), gate and up of one shape and type, in one launch.
struct GatedParts {
  MatrixRef gate;
  MatrixRef up;
  const float* up_bias = nullptr;
  Activation activation = Activation::kSilu;
  RowNorm norm = {};  // of x, as above
  bool operator==(const GatedParts&) const = default;
};
cudaError_t multiply_few_gated_f32(cudaStream_t stream, const GatedParts& parts, const float* x, int n_rows, float* y);
// Both kinds for experts; `shape` is any one of the matrices. x: the codes where they are quantised, else the values.
cudaError_t multiply_pairs(cudaStream_t stream, const MatrixRef& shape, const ExpertPairs& pairs, const RoundedRows& x,
                           ProductOut out);

// Any number of rows and any type, in f32: the exact way, and the way without cuBLAS. x: rows n_in apart.
cudaError_t multiply_tiled(cudaStream_t stream, const MatrixRef& w, const float* x, int n_rows, ProductOut out);
// n_rows: the most that one expert can have.
cudaError_t multiply_groups(cudaStream_t stream, const MatrixRef& shape, const ExpertGroups& groups, const float* x,
                            int n_rows, ProductOut out);

// Rows [first, first + n) of a quantised matrix as f16, (n, n_in).
cudaError_t dequantise_f16(cudaStream_t stream, const MatrixRef& w, int first, int n, uint16_t* out);

// Fills out.codes or out.halves from x (n_rows rows, x_stride apart); with out.row_scales, divides rows beyond f16.
cudaError_t round_rows(cudaStream_t stream, const float* x, int64_t x_stride, int n_rows, const RoundedRows& out);

}  // namespace mneme::engine::cuda
