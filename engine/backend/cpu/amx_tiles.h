// The tile unit's registers as all products here use them: 32 rows by 32 columns of sums in four tiles, two tiles of
// rows, two of columns. Include only from files compiled for AMX.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace mneme::engine::cpu {

inline constexpr int kTileRows = 16;
inline constexpr int kTileDepth = 32;                         // inputs of one tile instruction
inline constexpr int kTileElements = kTileRows * kTileDepth;  // of bf16
inline constexpr int kRowsAtOnce = 2 * kTileRows;

namespace amx {

// The unit's configuration, as LDTILECFG reads it.
struct alignas(64) TileShapes {
  uint8_t palette = 1;
  uint8_t start_row = 0;
  uint8_t reserved[14] = {};
  uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {};
};
static_assert(sizeof(TileShapes) == 64);

// The intrinsics of some compilers do not say that they read and write memory: what was stored before must be there,
// and what they stored must not be taken for what was there before.
inline void settle_memory() {
  __asm__ volatile("" ::: "memory");
}

// Sums: tile 0 (first rows, first columns), 1 (first rows, second columns), 2 and 3 (second rows); rows: 4 and 5;
// columns: 6 and 7. n_rows: 1 to 32; up to 16, the second rows are not used.
inline void shape_tiles(int n_rows) {
  const auto first = static_cast<uint8_t>(n_rows < kTileRows ? n_rows : kTileRows);
  const auto second = static_cast<uint8_t>(n_rows > kTileRows ? n_rows - kTileRows : kTileRows);
  TileShapes shapes;
  shapes.rows[0] = shapes.rows[1] = shapes.rows[4] = first;
  shapes.rows[2] = shapes.rows[3] = shapes.rows[5] = second;
  shapes.rows[6] = shapes.rows[7] = kTileDepth / 2;
  settle_memory();
  _tile_loadconfig(&shapes);
}

}  // namespace amx
}  // namespace mneme::engine::cpu
