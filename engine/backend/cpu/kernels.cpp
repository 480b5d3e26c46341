#include "engine/backend/cpu/kernels.h"

#include <vector>

#include "engine/simd/instruction_set.h"

namespace mneme::engine::cpu {
namespace {

using simd::InstructionSet;

const Kernels& kernels_for(InstructionSet set) {
  switch (set) {
    case InstructionSet::kAvx2: return avx2_kernels();
    case InstructionSet::kAvxVnni: return avxvnni_kernels();
    case InstructionSet::kAvx512: return avx512_kernels();
    case InstructionSet::kAvx512Bf16: return avx512bf16_kernels();
    case InstructionSet::kAmx: return amx_kernels();
    case InstructionSet::kScalar: break;
  }
  return scalar_kernels();
}

}  // namespace

std::span<const Kernels* const> available_kernels() {
  static const std::vector<const Kernels*> all = [] {
    std::vector<const Kernels*> list;
    for (const InstructionSet set : simd::available_instruction_sets()) list.push_back(&kernels_for(set));
    return list;
  }();
  return all;
}

const Kernels& best_kernels() {
  return kernels_for(simd::chosen_instruction_set());
}

}  // namespace mneme::engine::cpu
