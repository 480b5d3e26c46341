// A weight matrix as kernels see it. Threads: a view.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/gguf/tensor_type.h"

namespace mneme::engine::cuda {

// Whether weights of the type are codes with scales.
constexpr bool is_quantised(gguf::TensorType type) {
  return type != gguf::TensorType::kF32 && type != gguf::TensorType::kF16 && type != gguf::TensorType::kBF16;
}

// n_out rows of n_in elements, rows stride_bytes apart, each as matrix_layout.h has it.
struct MatrixRef {
  const std::byte* data = nullptr;
  int64_t stride_bytes = 0;
  int n_out = 0;
  int n_in = 0;
  gguf::TensorType type = gguf::TensorType::kF32;
  bool operator==(const MatrixRef&) const = default;
};

// Whether the rows of `next` begin where those of `before` end, so that they are one matrix.
inline bool follows(const MatrixRef& next, const MatrixRef& before) {
  return next.data == before.data + before.n_out * before.stride_bytes && next.stride_bytes == before.stride_bytes &&
         next.n_in == before.n_in && next.type == before.type;
}

}  // namespace mneme::engine::cuda
