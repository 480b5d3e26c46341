// Which instruction sets this processor runs and which of them is used: asked here, once, for every folder that has
// loops of its own per instruction set (backend/cpu, codec, pq). What is compiled for a set: cmake/MnemeCompiler.cmake.
// Threads: pure functions.
#pragma once

#include <span>
#include <string_view>

namespace mneme::engine::simd {

// In ascending order: a processor that runs kAvx512 runs what is written for kAvx2, one that runs kAmx also kAvx512.
// Not every one that runs kAvx512 has AVX-VNNI.
enum class InstructionSet {
  kScalar,
  kAvx2,        // and FMA, F16C
  kAvxVnni,     // and AVX-VNNI
  kAvx512,      // F, BW, VL, DQ, CD, VNNI, VBMI, VBMI2
  kAvx512Bf16,  // and AVX-512 BF16
  kAmx,         // and AMX with BF16, which the system must have allowed this process
};

// "scalar", "avx2", "avxvnni", "avx512", "avx512bf16", "amx".
std::string_view name_of(InstructionSet set);

// What the processor runs, ascending; kScalar is always the first. The first call asks the system for AMX.
std::span<const InstructionSet> available_instruction_sets();

// The last of them, or the one that MNEME_CPU_KERNELS names where it is among them.
InstructionSet chosen_instruction_set();

}  // namespace mneme::engine::simd
