// Rows of 16-bit numbers to columns, eight by eight where every x86-64 processor can (SSE2). Threads: pure.
#pragma once

#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/f16.h"

namespace mneme::engine::cpu {

// out[j * out_stride + i] = in[i * in_stride + j] for i < n_rows, j < n_columns.
inline void transpose_halves_plainly(const f16* in, int64_t in_stride, int n_rows, int n_columns, f16* out,
                                     int64_t out_stride) {
  for (int j = 0; j < n_columns; ++j) {
    for (int i = 0; i < n_rows; ++i) out[j * out_stride + i] = in[i * in_stride + j];
  }
}

#if defined(__SSE2__)
// Three rounds that interleave row r with row r + 4 make columns of eight rows.
inline void transpose_eight_halves(const f16* in, int64_t in_stride, f16* out, int64_t out_stride) {
  __m128i rows[8];
  __m128i mixed[8];
  for (int r = 0; r < 8; ++r) rows[r] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + r * in_stride));
  for (int round = 0; round < 3; ++round) {
    for (int r = 0; r < 4; ++r) {
      mixed[2 * r] = _mm_unpacklo_epi16(rows[r], rows[r + 4]);
      mixed[2 * r + 1] = _mm_unpackhi_epi16(rows[r], rows[r + 4]);
    }
    for (int r = 0; r < 8; ++r) rows[r] = mixed[r];
  }
  for (int r = 0; r < 8; ++r) _mm_storeu_si128(reinterpret_cast<__m128i*>(out + r * out_stride), rows[r]);
}
#endif

// The same for any number of rows and columns.
inline void transpose_halves(const f16* in, int64_t in_stride, int n_rows, int n_columns, f16* out,
                             int64_t out_stride) {
#if defined(__SSE2__)
  const int block_rows = n_rows / 8 * 8;
  const int block_columns = n_columns / 8 * 8;
  for (int j = 0; j < block_columns; j += 8) {
    for (int i = 0; i < block_rows; i += 8)
      transpose_eight_halves(in + i * in_stride + j, in_stride, out + j * out_stride + i, out_stride);
  }
  transpose_halves_plainly(in + block_rows * in_stride, in_stride, n_rows - block_rows, n_columns, out + block_rows,
                           out_stride);
  transpose_halves_plainly(in + block_columns, in_stride, block_rows, n_columns - block_columns,
                           out + block_columns * out_stride, out_stride);
#else
  transpose_halves_plainly(in, in_stride, n_rows, n_columns, out, out_stride);
#endif
}

}  // namespace mneme::engine::cpu
