// Interleaved rANS streams (engine/codec/rans.h) decoded on the device: a warp per stream, a lane per coder. Integers
// only, so the symbols are those of every other path. Enqueues and returns what the launch said. Threads: safe, one
// stream each.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/codec/rans.h"

namespace mneme::engine::cuda {

// A table as compute capability 8.0 and newer take it, small enough to be in shared memory while it is used: the symbol
// of each of kRansTotal slots, a byte each, then frequency << 16 | start of each of 256 symbols.
inline constexpr uint32_t kPackedRansBytes = kRansTotal + 256 * sizeof(uint32_t);
// Of all tables, one behind the other.
inline void pack_rans_tables(const RansTables& tables, std::byte* packed) {
  for (int table = 0; table < tables.size(); ++table, packed += kPackedRansBytes) {
    const uint32_t* const entries = tables.entries() + static_cast<size_t>(table) * kRansTotal;
    for (uint32_t slot = 0; slot < kRansTotal; ++slot) packed[slot] = static_cast<std::byte>(entries[slot] >> 24);
    for (int symbol = 0; symbol < 256; ++symbol) {
      const uint32_t word = tables.frequency(table, symbol) << 16 | tables.start(table, symbol);
      std::memcpy(packed + kRansTotal + sizeof word * static_cast<size_t>(symbol), &word, sizeof word);
    }
  }
}

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
  const std::byte* packed = nullptr;  // the same tables packed, at a multiple of 16; null: `entries` are read
};
// in_shared_memory: with packed tables, where jobs have them; compute capability 8.0 and newer.
cudaError_t decode_rans(cudaStream_t stream, const RansJob* jobs, int n_jobs, bool in_shared_memory);

}  // namespace mneme::engine::cuda
