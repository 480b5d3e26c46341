#include "engine/backend/cpu/kernels.h"

#include <cpuid.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include <cstdlib>
#include <string_view>
#include <vector>

namespace mneme::engine::cpu {
namespace {

bool has_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
}

// Every processor with VNNI and VBMI has VBMI2 as well; retrieval uses it.
bool has_avx512() {
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512vnni") &&
         __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2");
}

// __builtin_cpu_supports knows it only from GCC 13 on: leaf 7.1, eax bit 4.
bool has_avxvnni() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return has_avx2() && __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & (1u << 4)) != 0;
}

// Tiles are too large to be saved with every thread's registers: a process asks for them once, for all its threads.
bool has_amx() {
#if defined(__linux__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned kTiles = (1u << 22) | (1u << 24);  // leaf 7, edx: bf16 on tiles, tiles
  constexpr unsigned kBf16 = 1u << 5;                   // leaf 7.1, eax
  if (!has_avx512() || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || (d & kTiles) != kTiles) return false;
  if (!__get_cpuid_count(7, 1, &a, &b, &c, &d) || (a & kBf16) == 0) return false;
  constexpr long kAskForState = 0x1023;  // ARCH_REQ_XCOMP_PERM; fails on systems older than the unit
  constexpr long kTileData = 18;
  return syscall(SYS_arch_prctl, kAskForState, kTileData) == 0;
#else
  return false;
#endif
}

}  // namespace

std::span<const Kernels* const> available_kernels() {
  static const std::vector<const Kernels*> all = [] {
    std::vector<const Kernels*> list = {&scalar_kernels()};
    if (has_avx2()) list.push_back(&avx2_kernels());
    if (has_avxvnni()) list.push_back(&avxvnni_kernels());
    if (has_avx512()) list.push_back(&avx512_kernels());
    if (has_amx()) list.push_back(&amx_kernels());
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
