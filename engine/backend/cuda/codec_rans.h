// Interleaved rANS streams (engine/codec/rans.h) decoded on the device: a warp per stream, a lane per coder. Integers
// only, so the symbols are those of every other path. Enqueues and returns what the launch said. Threads: safe, one
// stream each.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace mneme::engine::cuda {

// One stream; all pointers are the device's. Symbol n is coded with table tables[n / run], from n_tables * run on with
// tables[n_tables]; or, where run is 0, with tables[n % n_tables].
struct RansJob {
  const uint32_t* entries = nullptr;  // kRansTotal per table, as RansTables has them
  const uint8_t* tables = nullptr;    // (n_tables + 1)
  const uint32_t* stream = nullptr;   // kRansLanes states, then n_words 16-bit words; a multiple of four bytes
  uint8_t* symbols = nullptr;         // (n_steps * kRansLanes)
  int* damaged = nullptr;             // set to 1 where the stream does not come out even; the symbols are then anything
  uint32_t n_words = 0;
  uint32_t n_steps = 0;
  uint32_t n_tables = 0;
  uint32_t run = 0;
};
cudaError_t decode_rans(cudaStream_t stream, const RansJob* jobs, int n_jobs);

}  // namespace mneme::engine::cuda
