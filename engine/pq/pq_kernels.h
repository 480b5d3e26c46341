// The hot loops of key retrieval, one table per instruction set. scan_* are integer and give the same bits everywhere;
// the f32 sums of scores add 32 lanes in the same order everywhere. nearest() may differ in the last bits of a
// distance. pq_kernels_scalar.cpp is the reference. Threads: pure functions.
//
// Scores are int16 fixed point, kScoreUnit units to a factor of two of attention weight: a lookup gives the logarithm
// (base 2) of exp(query . centroid) relative to the largest entry of its table. Lookups of 64 entries of 16 bits stay
// in registers: two of them with vpermi2w, four shuffles per half on AVX2.
#pragma once

#include <cstdint>
#include <span>

#include "base/f16.h"

namespace mneme::engine {

inline constexpr int kMaxKeyParts = 8;
inline constexpr int kTableEntries = 64;  // of a lookup table that fits registers
inline constexpr int kScanBlock = 32;     // keys scored at once; code arrays are readable to a multiple of this
inline constexpr int kScoreUnit = 128;
inline constexpr int16_t kScoreFloor = -4000;  // smallest table entry: 31 halvings; 8 parts do not overflow

// log2(1 + 2^-d) in score units, by steps of d of kSumStep units; 0 from the last on.
inline constexpr int kSumEntries = 32;
inline constexpr int kSumShift = 5;
struct SumTable {
  uint8_t entries[kSumEntries];
};
const SumTable& sum_table();

struct ScanRun {
  int n_parts = 0;
  const uint8_t* codes[kMaxKeyParts] = {};  // per part (n_keys), codes below n_entries
  int n_heads = 0;
  int n_entries = kTableEntries;    // of a table; more than kTableEntries are looked up one by one
  const int16_t* tables = nullptr;  // (n_heads, n_parts, n_entries)
  int n_keys = 0;
  int16_t* scores = nullptr;  // (n_heads, score_stride), written to a multiple of kScanBlock
  int64_t score_stride = 0;
  float* sums = nullptr;  // (n_heads, kScanBlock), added to: sums of 2^(score / unit), to 6 %, by key % kScanBlock
};

struct CombineRun {
  int n_heads = 0;
  const int16_t* scores = nullptr;  // (n_heads, score_stride)
  int64_t score_stride = 0;
  const int16_t* offsets = nullptr;  // (n_heads), subtracted from the head's scores
  bool maximum = false;              // the largest of the heads' scores instead of the sum of their weights
  int n_keys = 0;
  int16_t* out = nullptr;  // (n_keys to a multiple of kScanBlock)
};

struct NearestRun {
  int n_points = 0;
  int dim = 0;
  const float* points = nullptr;  // (n_points, point_stride)
  int64_t point_stride = 0;
  int n_centroids = 0;                // a multiple of 16
  const float* centroids = nullptr;   // (dim, n_centroids): transposed
  const float* half_norms = nullptr;  // (n_centroids) |c|^2 / 2; +inf for unused ones
  uint8_t* codes = nullptr;           // (n_points)
};

struct PqKernels {
  const char* name;
  // Scores of keys [0, n_keys) for every head, and their sums. n_keys need not be a multiple of kScanBlock.
  void (*scan)(const ScanRun& run);
  // One score per key for all heads that share it: log2 of the sum over heads of 2^(score - offset).
  void (*combine)(const CombineRun& run);
  // Indices, ascending, of scores >= threshold, plus first_index. `out` has room for all of them plus 16. Gives their
  // number.
  int (*collect)(const int16_t* scores, int n, int16_t threshold, int32_t first_index, int32_t* out);
  // The centroid nearest to each point, the lowest of equals; 0 where no distance is a number.
  void (*nearest)(const NearestRun& run);
  // out[j] = sum_d query[d] * centroids[d][j]; n_centroids is a multiple of 16.
  void (*products)(const float* query, int dim, const f16* centroids, int n_centroids, float* out);
};

const PqKernels& pq_kernels_scalar();
const PqKernels& pq_kernels_avx2();
const PqKernels& pq_kernels_avx512();

// What the processor can run, the reference first, the best last.
std::span<const PqKernels* const> available_pq_kernels();
const PqKernels& best_pq_kernels();

}  // namespace mneme::engine
