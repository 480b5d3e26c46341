// The hot loops of key retrieval, one table per instruction set. scan_* are integer and give the same bits everywhere;
// the f32 sums of scores add 32 lanes in the same order everywhere. nearest() may differ in the last bits of a
// distance. pq_kernels_scalar.cpp is the reference. Threads: pure functions.
//
// Scores are int16 fixed point, kScoreUnit units to a factor of two of attention weight. With kScoreBias added, a score
// is the upper half of an f32 with (linearly interpolated, to 6 %) that weight: weights of several heads are added as
// floats, and the upper half of their sum is a score again. Lookups of 64 entries of 16 bits stay in registers: two of
// them with vpermi2w, four shuffles per half on AVX2.
#pragma once

#include <cstdint>
#include <span>

#include "engine/pq/code_limits.h"

namespace mneme::engine {

inline constexpr int kTableEntries = 64;  // of a lookup table that fits registers
inline constexpr int kScanBlock = 32;     // keys scored at once; code arrays are readable to a multiple of this
inline constexpr int kThresholds = 4;     // counted at once
inline constexpr int kNearScores = 64;    // counted one by one: half an octave
inline constexpr int kScoreUnit = 128;
// Added to every score: a score is then the upper half of the f32 of its weight (with a linear mantissa).
inline constexpr int kScoreBias = 127 * kScoreUnit;
inline constexpr int kScoreEnd = 0x7f80;  // above the score of every finite weight
// The smallest entry of a table: parts together stay far above denormal weights, and 30 powers of e below the largest.
inline constexpr int16_t score_floor(int n_parts) {
  return static_cast<int16_t>(-12000 / n_parts);
}

struct ScanRun {
  int n_parts = 0;
  const uint8_t* codes[kMaxKeyParts] = {};  // per part (n_keys), codes below n_entries
  int n_heads = 0;
  int n_entries = kTableEntries;    // of a table; more than kTableEntries are looked up one by one
  const int16_t* tables = nullptr;  // (n_heads, n_parts, n_entries), entries in [score_floor(n_parts), 0]
  int n_keys = 0;
  int16_t* scores = nullptr;  // (n_heads, score_stride), written to a multiple of kScanBlock
  int64_t score_stride = 0;
  // (n_heads, kScanBlock), added to: sums of 2^((score - bias) / unit), to 6 %, by key % kScanBlock
  float* sums = nullptr;
};

// --- Cells: two parts of at most six bits. Keys whose codes agree in both parts are one cell and have one score, so
// that cells are scored and ranked instead of keys, and a bit per cell says which keys are taken (cell_ranking.h).
inline constexpr int kCells = kTableEntries * kTableEntries;  // cell(a, b) = a * kTableEntries + b
// The smallest logarithm of a part's weight: products of two and a head's factor stay normal numbers.
inline constexpr float kCellFloor = -30.0f;

struct CellWeights {
  int n_heads = 0;
  const float* weights = nullptr;  // (n_heads, 2, kTableEntries): of the first and of the second part's codes
};

struct CellScoreRun {
  CellWeights weights;        // factors included; products within [1e-36, 1e36]
  bool maximum = false;       // the largest of the heads' weights instead of their sum
  int16_t* scores = nullptr;  // (kCells): upper halves of the f32 sums, which order as they do
};

struct CellCollectRun {
  const int16_t* scores = nullptr;  // (kCells)
  int16_t threshold = 0;
  const uint8_t* codes[2] = {};  // (n_keys) each, below kTableEntries
  int n_keys = 0;
  int32_t first_index = 0;
  int32_t* out = nullptr;  // room for what is found + 64
};

struct CellSearch {
  const uint8_t* codes[2] = {};  // (n_keys) each
  uint8_t cell[2] = {};
  int n_keys = 0;
  int32_t first_index = 0;
  int n_wanted = 0;
  int32_t* out = nullptr;  // room for n_wanted
};

// Of the cells whose score is below the threshold.
struct CellTailRun {
  CellWeights weights;
  const float* counts = nullptr;    // (kCells)
  const int16_t* scores = nullptr;  // (kCells)
  int16_t threshold = 0;
  float* first = nullptr;   // (n_heads, kTableEntries): weight of all keys with that code in the first part
  float* second = nullptr;  // likewise in the second part
};

struct MixRun {
  int n_heads = 0;
  const float* weights = nullptr;  // (n_heads, kTableEntries)
  const int8_t* rows = nullptr;    // (kTableEntries, width)
  int width = 0;                   // a multiple of 16
  float* out = nullptr;            // (n_heads, width), added to
};

struct CombineRun {
  int n_heads = 0;
  const int16_t* scores = nullptr;  // (n_heads, score_stride)
  int64_t score_stride = 0;
  const float* factors = nullptr;  // (n_heads), of the heads' weights; products with them are within [1e-36, 1e36]
  bool maximum = false;            // the largest of the heads' weights instead of their sum
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
  // Scores of keys [0, n_keys) for every head (kScoreBias plus the sum of their entries), and their sums. n_keys need
  // not be a multiple of kScanBlock.
  void (*scan)(const ScanRun& run);
  // One score per key for all heads that share it: that of the sum of their weights times factors.
  void (*combine)(const CombineRun& run);
  // Indices, ascending, of scores >= threshold, plus first_index. `out` has room for all of them plus 16. Gives their
  // number.
  int (*collect)(const int16_t* scores, int n, int16_t threshold, int32_t first_index, int32_t* out);
  // counts[t] = number of scores >= thresholds[t]. n < 2^24.
  void (*count)(const int16_t* scores, int n, const int16_t (&thresholds)[kThresholds], int (&counts)[kThresholds]);
  // The centroid nearest to each point, the lowest of equals; 0 where no distance is a number.
  void (*nearest)(const NearestRun& run);
  // out[j] = sum_d query[d] * centroids[d][j]; n_centroids is a multiple of 16.
  void (*products)(const float* query, int dim, const int8_t* centroids, int n_centroids, float* out);

  // x[i] = e^(scale * x[i] - largest), at least e^kCellFloor; gives `largest`, that of scale * x. x is finite, n a
  // multiple of 16.
  float (*weigh)(float* x, int n, float scale);
  // sums[h] = sum over cells of counts[cell] * the head's weight there.
  void (*sum_cells)(const CellWeights& weights, const float* counts, float* sums);
  void (*score_cells)(const CellScoreRun& run);
  // sums[t] = sum of the counts of cells whose score >= thresholds[t]; exact below 2^24.
  void (*count_cells)(const int16_t* scores, const float* counts, const int16_t (&thresholds)[kThresholds],
                      float (&sums)[kThresholds]);
  // reaching[i] = sum of the counts of cells whose score >= first + i; likewise exact. first in [0, kScoreEnd -
  // kNearScores].
  void (*count_near)(const int16_t* scores, const float* counts, int16_t first, float (&reaching)[kNearScores + 1]);
  // Indices, ascending, of keys whose cell's score >= threshold. Gives their number.
  int (*collect_cells)(const CellCollectRun& run);
  // The last keys of a cell, first_index added, the very last first. Gives their number, at most n_wanted.
  int (*last_of_cell)(const CellSearch& run);
  void (*weigh_tail)(const CellTailRun& run);
  // out[h][d] += sum_i weights[h][i] * rows[i][d].
  void (*mix_rows)(const MixRun& run);
};

const PqKernels& pq_kernels_scalar();
const PqKernels& pq_kernels_avx2();
const PqKernels& pq_kernels_avx512();

// What the processor can run, the reference first, the best last; and those of the chosen instruction set.
std::span<const PqKernels* const> available_pq_kernels();
const PqKernels& best_pq_kernels();

}  // namespace mneme::engine
