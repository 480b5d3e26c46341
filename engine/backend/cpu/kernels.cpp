#include "engine/backend/cpu/kernels.h"

#include <cpuid.h>

#include <cstdlib>
#include <string_view>
#include <vector>

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

// __builtin_cpu_supports knows it only from GCC 13 on: leaf 7.1, eax bit 4.
bool has_avxvnni() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return has_avx2() && __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & (1u << 4)) != 0;
}

}  // namespace

std::span<const Kernels* const> available_kernels() {
  static const std::vector<const Kernels*> all = [] {
    std::vector<const Kernels*> list = {&scalar_kernels()};
    if (has_avx2()) list.push_back(&avx2_kernels());
    if (has_avxvnni()) list.push_back(&avxvnni_kernels());
    if (has_avx512()) list.push_back(&avx512_kernels());
    return list;
  }();
  return all;
}

const Kernels& best_kernels() {
  const char* asked = std::getenv("MNEME_CPU_KERNELS");
  for (const Kernels* kernels : available_kernels())
    if (asked && std::string_view(asked) == kernels->name) return *kernels;
  return *available_kernels().back();
}

}  // namespace mneme::engine::cpu
