#include "engine/simd/instruction_set.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include <cstdlib>
#include <vector>

namespace mneme::engine::simd {
namespace {

#if defined(__x86_64__)

bool has_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
}

// All that files for it are compiled with: the compiler may use any of it, wherever it likes.
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

// Leaf 7.1, eax bit 5; by __builtin_cpu_supports each compiler knows it under another name.
bool has_avx512bf16() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return has_avx512() && __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & (1u << 5)) != 0;
}

// Tiles are too large to be saved with every thread's registers: a process asks for them once, for all its threads.
bool has_amx() {
#if defined(__linux__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned kTiles = (1u << 22) | (1u << 24);  // leaf 7, edx: bf16 on tiles, tiles
  if (!has_avx512bf16() || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || (d & kTiles) != kTiles) return false;
  constexpr long kAskForState = 0x1023;  // ARCH_REQ_XCOMP_PERM; fails on systems older than the unit
  constexpr long kTileData = 18;
  return syscall(SYS_arch_prctl, kAskForState, kTileData) == 0;
#else
  return false;
#endif
}

#else

bool has_avx2() {
  return false;
}
bool has_avx512() {
  return false;
}
bool has_avxvnni() {
  return false;
}
bool has_avx512bf16() {
  return false;
}
bool has_amx() {
  return false;
}

#endif

}  // namespace

std::string_view name_of(InstructionSet set) {
  switch (set) {
    case InstructionSet::kAvx2: return "avx2";
    case InstructionSet::kAvxVnni: return "avxvnni";
    case InstructionSet::kAvx512: return "avx512";
    case InstructionSet::kAvx512Bf16: return "avx512bf16";
    case InstructionSet::kAmx: return "amx";
    case InstructionSet::kScalar: break;
  }
  return "scalar";
}

std::span<const InstructionSet> available_instruction_sets() {
  static const std::vector<InstructionSet> all = [] {
    std::vector<InstructionSet> list = {InstructionSet::kScalar};
    if (has_avx2()) list.push_back(InstructionSet::kAvx2);
    if (has_avxvnni()) list.push_back(InstructionSet::kAvxVnni);
    if (has_avx512()) list.push_back(InstructionSet::kAvx512);
    if (has_avx512bf16()) list.push_back(InstructionSet::kAvx512Bf16);
    if (has_amx()) list.push_back(InstructionSet::kAmx);
    return list;
  }();
  return all;
}

InstructionSet chosen_instruction_set() {
  const char* asked = std::getenv("MNEME_CPU_KERNELS");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  for (const InstructionSet set : available_instruction_sets())
    if (asked && asked == name_of(set)) return set;
  return available_instruction_sets().back();
}

}  // namespace mneme::engine::simd
