#include "engine/pq/pq_kernels.h"

#include <string_view>
#include <vector>

#include "engine/backend/cpu/kernels.h"

namespace mneme::engine {

// Follows the backend's choice, MNEME_CPU_KERNELS included.
std::span<const PqKernels* const> available_pq_kernels() {
  static const std::vector<const PqKernels*> all = [] {
    std::vector<const PqKernels*> list = {&pq_kernels_scalar()};
    for (const cpu::Kernels* kernels : cpu::available_kernels()) {
      const std::string_view name = kernels->name;
      if (name == "avx2") list.push_back(&pq_kernels_avx2());
      if (name == "avx512") list.push_back(&pq_kernels_avx512());
    }
    return list;
  }();
  return all;
}

const PqKernels& best_pq_kernels() {
  const std::string_view name = cpu::best_kernels().name;
  if (name == "scalar") return pq_kernels_scalar();
  for (const PqKernels* kernels : available_pq_kernels())
    if (name == kernels->name) return *kernels;
  // AVX-VNNI adds nothing here.
  return name == "avxvnni" ? pq_kernels_avx2() : *available_pq_kernels().back();
}

}  // namespace mneme::engine
