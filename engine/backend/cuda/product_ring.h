// Products of a single row with quantised weights that come through a ring in shared memory: decoding, on devices of
// compute capability 8.0 and newer. The bits are those of multiply_few() and of product_row.h.
//
// One block of sixteen warps a multiprocessor has the row in shared memory, normed and rounded by itself or copied as
// somebody rounded it. Each warp keeps 5 to 7 KB of weights on their way to its ring, without a pause from one output
// to the next and without a register: so a block takes half a multiprocessor, and that of the next product takes the
// other half and fills its ring while this one ends.
// Every function enqueues on the stream and returns what the launch said. Threads: safe, one stream each.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <span>

#include "engine/backend/cuda/product_kernels.h"
#include "engine/backend/cuda/product_row.h"

namespace mneme::engine::cuda {

inline constexpr int kLeastCopyingMajor = 8;
struct RingDevice {
  int n_processors = 0;
  size_t shared_bytes = 0;  // that a block may have; 0: the device has no such copies
};

// Whether a row can be multiplied so with matrices like w, or with gate and up like it: rings lie beside the row,
// and rows of weights are read in whole vectors.
bool rings_within(const MatrixRef& w, const RingDevice& device);
bool gated_rings_within(const MatrixRef& gate, const RingDevice& device);
// Whether a row can be normed on the way: of at most 4,096 elements, longer ones take more registers.
bool ring_norms_within(const RowToNorm& row);

// A row that is rounded already.
struct RoundedRow {
  const int8_t* codes = nullptr;
  const float* scales = nullptr;
  const float* sums = nullptr;
  int width = 0;
  bool operator==(const RoundedRow&) const = default;
};

// What `parts`, of one quantised type, make of the row; `end` belongs to a single part.
cudaError_t multiply_ring(cudaStream_t stream, std::span<const ProductPart> parts, const RoundedRow& row,
                          const ProductEnd& end, const RingDevice& device);
cudaError_t multiply_ring(cudaStream_t stream, std::span<const ProductPart> parts, const RowToNorm& row,
                          const RingDevice& device);
// multiply_row_gated(), so.
cudaError_t multiply_ring_gated(cudaStream_t stream, const GatedParts& parts, const RowToNorm& row,
                                const RingDevice& device, const RoundedRows& out);

}  // namespace mneme::engine::cuda
