// Matrix products on AMX tiles: bf16 factors, fp32 sums. All sizes are multiples of 32.
//
// The left factor is read in tiles of 16 rows by 32 columns, the right one in tiles of 32 rows by 16 columns whose rows
// are interleaved in pairs, as TDPBF16PS wants them. A tile is 512 values (1 KB).
#pragma once
#include <immintrin.h>

#include "bf16.h"

namespace mneme_train {

constexpr int kTile = 512;

// Asks Linux for the tile registers; once per process, before threads start. False where there are none.
bool request_tiles();
// Every thread that multiplies calls this once.
void configure_tiles();

struct Left {
  const bf16* at;
  long row_step;  // values from one block of 16 rows to the next
  long k_step;    // values from one block of 32 columns to the next
  long stride;    // bytes from row to row inside a tile
};

struct Right {
  const bf16* at;
  long col_step;  // values from one block of 16 columns to the next; blocks of 32 rows follow each other
};

inline Left row_major(const bf16* x, long width) {
  return {x, 16 * width, 32, 2 * width};
}
// As written by pack_left_transposed for k rows.
inline Left left_tiles(const bf16* x, long k) {
  return {x, k / 32 * kTile, kTile, 64};
}
inline Right right_tiles(const bf16* x, long k) {
  return {x, k / 32 * kTile};
}

// rows x cols values, `width` apart -> right factor with k = rows, n = cols.
void pack_right(const bf16* x, long width, int rows, int cols, bf16* out);
// The same values transposed -> right factor with k = cols, n = rows.
void pack_right_transposed(const bf16* x, long width, int rows, int cols, bf16* out);
// The same values transposed -> left factor with m = cols, k = rows.
void pack_left_transposed(const bf16* x, long width, int rows, int cols, bf16* out);

// done(i, j, block) gets every 32 x 32 block of the product, row-major, for rows i.. and columns j...
// A block is handed over while the tiles work on the next one.
template <class Done>
void multiply(Left a, Right b, int m, int n, int k, Done done) {
  alignas(64) float blocks[2][32 * 32];
  int last_i = -1, last_j = 0, turn = 0;
  for (int i = 0; i < m; i += 32) {
    const bf16* left = a.at + i / 16 * a.row_step;
    for (int j = 0; j < n; j += 32) {
      const bf16* right = b.at + j / 16 * b.col_step;
      _tile_zero(0);
      _tile_zero(1);
      _tile_zero(2);
      _tile_zero(3);
      for (int t = 0; t < k / 32; ++t) {
        _tile_loadd(4, left + t * a.k_step, a.stride);
        _tile_loadd(6, right + t * kTile, 64);
        _tile_dpbf16ps(0, 4, 6);
        _tile_loadd(7, right + b.col_step + t * kTile, 64);
        _tile_dpbf16ps(1, 4, 7);
        _tile_loadd(5, left + a.row_step + t * a.k_step, a.stride);
        _tile_dpbf16ps(2, 5, 6);
        _tile_dpbf16ps(3, 5, 7);
      }
      if (last_i >= 0) done(last_i, last_j, blocks[1 - turn]);
      float* block = blocks[turn];
      _tile_stored(0, block, 128);
      _tile_stored(1, block + 16, 128);
      _tile_stored(2, block + 16 * 32, 128);
      _tile_stored(3, block + 16 * 32 + 16, 128);
      last_i = i;
      last_j = j;
      turn = 1 - turn;
    }
  }
  if (last_i >= 0) done(last_i, last_j, blocks[1 - turn]);
}

// c (m x n, `width` values apart) += a * b.
void multiply_add(Left a, Right b, int m, int n, int k, float* c, long width);
// c = a * b in bf16, in fp32.
void multiply_to(Left a, Right b, int m, int n, int k, bf16* c, long width);
void multiply_to(Left a, Right b, int m, int n, int k, float* c, long width);

}  // namespace mneme_train
