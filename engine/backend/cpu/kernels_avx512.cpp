#include "engine/backend/cpu/simd_avx512.h"  // first: it silences false warnings from the intrinsics

#include "engine/backend/cpu/kernel_table.h"

namespace mneme::engine::cpu {

const Kernels& avx512_kernels() {
  static constexpr Kernels table = KernelTable<Avx512Vector>::float_part();
  return table;
}

}  // namespace mneme::engine::cpu
