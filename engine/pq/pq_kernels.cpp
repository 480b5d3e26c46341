#include "engine/pq/pq_kernels.h"

#include <vector>

#include "engine/simd/instruction_set.h"

namespace mneme::engine {
namespace {

using simd::InstructionSet;

// AVX-VNNI and AMX add nothing here.
const PqKernels& kernels_up_to(InstructionSet set) {
  if (set >= InstructionSet::kAvx512) return pq_kernels_avx512();
  return set >= InstructionSet::kAvx2 ? pq_kernels_avx2() : pq_kernels_scalar();
}

}  // namespace

std::span<const PqKernels* const> available_pq_kernels() {
  static const std::vector<const PqKernels*> all = [] {
    std::vector<const PqKernels*> list;
    for (const InstructionSet set : simd::available_instruction_sets()) {
      const PqKernels* kernels = &kernels_up_to(set);
      if (list.empty() || list.back() != kernels) list.push_back(kernels);
    }
    return list;
  }();
  return all;
}

const PqKernels& best_pq_kernels() {
  return kernels_up_to(simd::chosen_instruction_set());
}

}  // namespace mneme::engine
