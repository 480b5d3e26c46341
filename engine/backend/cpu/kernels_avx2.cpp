#include "engine/backend/cpu/kernel_table.h"
#include "engine/backend/cpu/simd_avx2.h"

namespace mneme::engine::cpu {

const Kernels& avx2_kernels() {
  static constexpr Kernels table = KernelTable<Avx2Vector>::float_part();
  return table;
}

}  // namespace mneme::engine::cpu
