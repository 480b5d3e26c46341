// What this machine can do at most, measured in the same run as what is measured against it: memory bandwidth, f32
// multiply-adds and 8-bit dot products, each by a small loop that does nothing else.
// Threads: pins nothing; runs the loops on a pool of its own.
#pragma once

#include <cstdint>

#include "base/cancel.h"

namespace mneme::app {

struct Ceilings {
  double read_gb_s = 0;    // reading memory far larger than the caches
  double f32_gflop_s = 0;  // fused multiply-adds counted as two
  double int8_gop_s = 0;   // 8-bit multiply-adds counted as two; 0: no such instruction here
  double tile_gop_s = 0;   // bf16 multiply-adds of the tile unit (AMX); 0: none, or not used by the engine here
};

// Bytes that the reading loops take at a time.
inline constexpr uint64_t kReadBlock = 64 << 10;

// Best of a few short runs; about a second in all. Cancelled they mean nothing.
Ceilings measure_ceilings(int n_threads, const CancelToken& cancel = never_cancelled());

// One thread's share of the loops, by instruction set. `iterations` rounds; gives operations done (reading: the sum,
// so that nothing is optimised away).
struct CeilingKernels {
  uint64_t (*reads[2])(const void* memory, uint64_t bytes);  // ways to read, of which the faster counts
  double (*f32_fma)(uint64_t iterations, float* sink);       // operations
  double (*int8_dot)(uint64_t iterations, int32_t* sink);    // operations; null: none
};
double tile_operations_amx(uint64_t iterations, float* sink);  // as f32_fma; the process may use tiles
CeilingKernels ceiling_kernels_portable();
CeilingKernels ceiling_kernels_avx2();
CeilingKernels ceiling_kernels_avx512();

}  // namespace mneme::app
