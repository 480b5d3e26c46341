// Rows of activations in the forms that products take, as kernels see them. Which of them a step needs is for
// Products (products.h) to say; the kernel that makes the rows writes all of them at once. Threads: a view.
#pragma once

#include <cstdint>

namespace mneme::engine::cuda {

inline constexpr int kRoundBlock = 32;  // elements that share a scale
inline constexpr int kSumBlock = 16;    // elements that share a sum

enum class HalfKind { kF16, kBf16 };

// The RMS norm that the product of a row does itself. Without a weight: none.
struct RowNorm {
  const float* weight = nullptr;  // (width)
  float epsilon = 0;
  bool operator==(const RowNorm&) const = default;
};

// Of n_rows rows of `width` elements. Null: not wanted.
struct RoundedRows {
  int width = 0;
  float* values = nullptr;  // (n_rows, width)
  RowNorm norm = {};        // still to be done with the values of a single row
  // Int8, for rows of a multiple of 32: x = scale * code, scale = largest / 127, as on the CPU.
  int8_t* codes = nullptr;  // (n_rows, width)
  float* scales = nullptr;  // (n_rows, width / 32)
  float* sums = nullptr;    // (n_rows, width / 16): scale * sum of the codes
  // For tensor cores: rows half_stride elements apart.
  uint16_t* halves = nullptr;
  int half_stride = 0;
  HalfKind half_kind = HalfKind::kF16;
  // Rows whose numbers are beyond f16 are divided by a power of two, their row_scale. Null: f16 saturates.
  float* row_scales = nullptr;
  bool operator==(const RoundedRows&) const = default;
};

}  // namespace mneme::engine::cuda
