#include "engine/codec/cpu_paths.h"

#include "engine/simd/instruction_set.h"

namespace mneme::engine {
namespace {

using simd::InstructionSet;

// AVX-VNNI and AMX add nothing here.
std::string_view path_up_to(InstructionSet set) {
  if (set >= InstructionSet::kAvx512) return name_of(InstructionSet::kAvx512);
  return name_of(set >= InstructionSet::kAvx2 ? InstructionSet::kAvx2 : InstructionSet::kScalar);
}

}  // namespace

std::vector<std::string_view> codec_paths() {
  std::vector<std::string_view> paths;
  for (const InstructionSet set : simd::available_instruction_sets()) {
    const std::string_view path = path_up_to(set);
    if (paths.empty() || paths.back() != path) paths.push_back(path);
  }
  return paths;
}

std::string_view best_codec_path() {
  static const std::string_view best = path_up_to(simd::chosen_instruction_set());
  return best;
}

}  // namespace mneme::engine
