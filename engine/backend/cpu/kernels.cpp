#include "engine/backend/cpu/kernels.h"

#include <cstdlib>
#include <string_view>

namespace mneme::engine::cpu {
namespace {

bool has_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
}

bool has_avx512() {
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512vnni") &&
         __builtin_cpu_supports("avx512vbmi");
}

}  // namespace

const Kernels& best_kernels() {
  const char* asked = std::getenv("MNEME_CPU_KERNELS");
  const std::string_view limit = asked ? asked : "";
  if (limit == "scalar" || !has_avx2()) return scalar_kernels();
  if (limit == "avx2" || !has_avx512()) return avx2_kernels();
  return avx512_kernels();
}

}  // namespace mneme::engine::cpu
