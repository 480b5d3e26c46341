// The CPU backend's own types behind those of backend.h. Threads: pure functions.
#pragma once

#include "engine/backend/backend.h"
#include "engine/backend/cpu/cpu_matrix.h"

namespace mneme::engine::cpu {

inline const CpuMatrix& cast(const Matrix& matrix) {
  return static_cast<const CpuMatrix&>(matrix);
}
inline const CpuActivations& cast(const Activations& x) {
  return static_cast<const CpuActivations&>(x);
}
inline CpuActivations& cast(Activations& x) {
  return static_cast<CpuActivations&>(x);
}
inline const float* vector_or_null(const Activations* x) {
  return x ? cast(*x).row(0) : nullptr;
}

}  // namespace mneme::engine::cpu
