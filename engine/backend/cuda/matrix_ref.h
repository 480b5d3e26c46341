// A weight matrix as kernels see it. Threads: a view.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/gguf/tensor_type.h"

namespace mneme::engine::cuda {

// n_out rows of n_in elements, rows stride_bytes apart, each as the GGUF file has it. Rows of F32, F16 and BF16 start
// at multiples of 16 bytes (zeros between them), so that kernels and cuBLAS read them in vectors; rows of blocks follow
// each other as in the file.
struct MatrixRef {
  const std::byte* data = nullptr;
  int64_t stride_bytes = 0;
  int n_out = 0;
  int n_in = 0;
  gguf::TensorType type = gguf::TensorType::kF32;
};

}  // namespace mneme::engine::cuda
