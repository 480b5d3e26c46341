// Interleaved rANS streams (engine/codec/rans.h) encoded on the device: a warp per stream, a lane per coder, from the
// last symbol to the first. Integers only, so the bytes are those of the processor. Enqueues and returns what the
// launch said. Threads: safe, one stream each.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "engine/codec/rans.h"

namespace mneme::engine::cuda {

// One stream; all pointers are the device's. Symbol n is coded with table tables[n / run], from n_tables * run on with
// tables[n_tables].
struct RansEncodeJob {
  const RansTables::Step* steps = nullptr;  // 256 per table, at a multiple of 16
  const uint8_t* tables = nullptr;          // (n_tables + 1)
  const uint8_t* symbols = nullptr;         // (n_steps * kRansLanes), each with a frequency in its table
  uint16_t* words = nullptr;                // (n_steps * kRansLanes): the last *n_words of them become the stream's
  uint32_t* states = nullptr;               // (kRansLanes)
  uint32_t* n_words = nullptr;
  uint32_t n_steps = 0;
  uint32_t n_tables = 0;
  uint32_t run = 0;  // > 0
};
cudaError_t encode_rans(cudaStream_t stream, const RansEncodeJob* jobs, int n_jobs);

// Some halves of words on their way to others, side by side, which then come down in one piece.
struct GatheredPiece {
  const uint16_t* from = nullptr;
  uint16_t* to = nullptr;
  uint32_t n_halves = 0;
};
cudaError_t gather_pieces(cudaStream_t stream, const GatheredPiece* pieces, int n_pieces);

}  // namespace mneme::engine::cuda
