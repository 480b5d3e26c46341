#include "engine/backend/cpu/kernel_table.h"
#include "engine/backend/cpu/simd_scalar.h"

namespace mneme::engine::cpu {

const Kernels& scalar_kernels() {
  static constexpr Kernels table = KernelTable<ScalarVector>::float_part();
  return table;
}

}  // namespace mneme::engine::cpu
