// Random weight matrices for tests of the kernels, in the layout that these take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/backend/cuda/matrix_layout.h"
#include "engine/backend/cuda/matrix_ref.h"
#include "engine/gguf/dequantize.h"
#include "engine/gguf/quantize.h"

namespace mneme::engine::cuda {

inline constexpr gguf::TensorType kQuantised[] = {
    gguf::TensorType::kQ4_0, gguf::TensorType::kQ4_1, gguf::TensorType::kQ5_0,   gguf::TensorType::kQ5_1,
    gguf::TensorType::kQ8_0, gguf::TensorType::kQ2_K, gguf::TensorType::kQ3_K,   gguf::TensorType::kQ4_K,
    gguf::TensorType::kQ5_K, gguf::TensorType::kQ6_K, gguf::TensorType::kIQ4_NL, gguf::TensorType::kIQ4_XS,
    gguf::TensorType::kMXFP4};

inline std::string name_of(gguf::TensorType type) {
  return std::string(gguf::tensor_type_info(type)->name);
}

// A matrix in the layout of MatrixRef, and what it stands for.
struct TestMatrix {
  MatrixRef ref;
  std::vector<uint64_t> memory;  // aligned for any type
  std::vector<float> weights;    // (n_out, n_in)
};

inline TestMatrix matrix_of(gguf::TensorType type, const std::vector<std::byte>& bytes, int n_out, int n_in) {
  TestMatrix matrix;
  const auto n = static_cast<size_t>(n_out) * static_cast<size_t>(n_in);
  const int64_t row_bytes = gguf::row_bytes(type, n_in);
  const int64_t stride = device_row_bytes(type, n_in);
  matrix.memory.assign(static_cast<size_t>(n_out * stride + 16) / 8 + 2, 0);
  auto* data = reinterpret_cast<std::byte*>(matrix.memory.data());
  data += (16 - reinterpret_cast<uintptr_t>(data) % 16) % 16;
  matrix.weights.resize(n);
  for (int row = 0; row < n_out; ++row) {
    lay_out_row(type, std::span(bytes).subspan(static_cast<size_t>(row * row_bytes), static_cast<size_t>(row_bytes)),
                {data + row * stride, static_cast<size_t>(stride)});
    gguf::dequantize_row(type, bytes.data() + row * row_bytes, n_in, matrix.weights.data() + int64_t{row} * n_in);
  }
  matrix.ref = {data, stride, n_out, n_in, type};
  return matrix;
}

inline TestMatrix random_matrix(gguf::TensorType type, int n_out, int n_in, Random& random) {
  std::vector<float> source(static_cast<size_t>(n_out) * static_cast<size_t>(n_in));
  for (float& x : source) x = random.gaussian();
  return matrix_of(type, gguf::quantize(type, source.data(), n_out, n_in), n_out, n_in);
}

}  // namespace mneme::engine::cuda
