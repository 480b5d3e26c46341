// Interleaved rANS streams (engine/codec/rans.h) decoded on the device: a warp per stream, a lane per coder. Integers
// only, so the symbols are those of every other path. Enqueues and returns what the launch said. Threads: safe, one
// stream each.
//
// A stream is a chain: each of its thousands of steps waits for the one before it. So what counts is how long a step
// takes, not how many instructions it has: two look-ups, a vote, a count, and a word from another lane.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/codec/rans.h"

namespace mneme::engine::cuda {

// A table as compute capability 8.0 and newer take it, small enough to be in shared memory while it is used: the symbol
// of each of kRansTotal slots, a byte each, then a word of each of 256 symbols.
inline constexpr uint32_t kRansSymbols = 256;
inline constexpr uint32_t kPackedRansBytes = kRansTotal + kRansSymbols * sizeof(uint32_t);

// A symbol's word: its frequency, and where its slots begin among those of all tables. A slot is counted so as well
// (number of the table * kRansTotal + slot), so that a decoder has one number for where to look and how far it is in.
inline constexpr int kRansBeginBits = 20;
constexpr uint32_t rans_word(uint32_t frequency, uint32_t table, uint32_t start) {
  return frequency << kRansBeginBits | (table << kRansBits | start);
}

// Of all tables, one behind the other.
inline void pack_rans_tables(const RansTables& tables, std::byte* packed) {
  for (int table = 0; table < tables.size(); ++table, packed += kPackedRansBytes) {
    const uint32_t* const entries = tables.entries() + static_cast<size_t>(table) * kRansTotal;
    for (uint32_t slot = 0; slot < kRansTotal; ++slot) packed[slot] = static_cast<std::byte>(entries[slot] >> 24);
    for (int symbol = 0; symbol < static_cast<int>(kRansSymbols); ++symbol) {
      const uint32_t word =
          rans_word(tables.frequency(table, symbol), static_cast<uint32_t>(table), tables.start(table, symbol));
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
  // The tables again, neighbours that are the same joined: rans_stretch()es, the last one without end.
  const uint32_t* stretches = nullptr;
};
// So many symbols beside each other with one table; a count of 0 has no end.
constexpr uint32_t rans_stretch(uint32_t table, uint32_t count) {
  return table << 24 | count;
}

// Each job with its tables as it comes to them: compute capability 8.0 and newer, in_shared_memory, fetch packed ones,
// where jobs have them, into a place of each warp's own.
cudaError_t decode_rans(cudaStream_t stream, const RansJob* jobs, int n_jobs, bool in_shared_memory);

// Streams that a block decodes with all tables of their codec in its shared memory. Their runs are of a symbol at
// least.
inline constexpr int kRansBlockStreams = 12;
struct RansBlock {
  const std::byte* packed = nullptr;
  int n_tables = 0;
  int first_job = 0;
  int n_jobs = 0;  // up to kRansBlockStreams
};
// The most tables that the device's shared memory holds so, after it has been asked for; 0: it does not. To be called
// first, of every device.
int most_resident_rans_tables();
// n_tables: the most of any block.
cudaError_t decode_rans_resident(cudaStream_t stream, const RansJob* jobs, const RansBlock* blocks, int n_blocks,
                                 int n_tables);

}  // namespace mneme::engine::cuda
