// The CUDA backend's own types behind those of backend.h. Threads: pure functions.
#pragma once

#include "engine/backend/backend.h"
#include "engine/backend/cuda/cuda_objects.h"
#include "engine/backend/cuda/row_kernels.h"

namespace mneme::engine::cuda {

inline const CudaMatrix& cast(const Matrix& matrix) {
  return static_cast<const CudaMatrix&>(matrix);
}
inline const CudaMatrix* cast(const Matrix* matrix) {
  return static_cast<const CudaMatrix*>(matrix);
}
inline float* data_of(const Activations& x) {
  return static_cast<const CudaActivations&>(x).data();
}
inline const float* data_or_null(const Activations* x) {
  return x != nullptr ? data_of(*x) : nullptr;
}

inline NormRef norm_ref(const ModelConfig& config, const NormWeights& norm) {
  return {data_or_null(norm.weight), data_or_null(norm.bias), config.norm, config.norm_epsilon};
}

}  // namespace mneme::engine::cuda
