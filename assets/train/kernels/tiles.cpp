#include "tiles.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

namespace mneme_train {

namespace {

struct alignas(64) TileConfig {
  uint8_t palette = 1;
  uint8_t start_row = 0;
  uint8_t reserved[14] = {};
  uint16_t bytes_per_row[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

// Transposes sixteen rows of sixteen 32-bit values.
void transpose(__m512i r[16]) {
  __m512i t[16];
  for (int i = 0; i < 16; i += 2) {
    t[i] = _mm512_unpacklo_epi32(r[i], r[i + 1]);
    t[i + 1] = _mm512_unpackhi_epi32(r[i], r[i + 1]);
  }
  for (int i = 0; i < 16; i += 4) {
    r[i] = _mm512_unpacklo_epi64(t[i], t[i + 2]);
    r[i + 1] = _mm512_unpackhi_epi64(t[i], t[i + 2]);
    r[i + 2] = _mm512_unpacklo_epi64(t[i + 1], t[i + 3]);
    r[i + 3] = _mm512_unpackhi_epi64(t[i + 1], t[i + 3]);
  }
  for (int i = 0; i < 4; ++i) {
    t[i] = _mm512_shuffle_i32x4(r[i], r[i + 4], 0x88);
    t[i + 4] = _mm512_shuffle_i32x4(r[i], r[i + 4], 0xdd);
    t[i + 8] = _mm512_shuffle_i32x4(r[i + 8], r[i + 12], 0x88);
    t[i + 12] = _mm512_shuffle_i32x4(r[i + 8], r[i + 12], 0xdd);
  }
  for (int i = 0; i < 4; ++i) {
    r[i] = _mm512_shuffle_i32x4(t[i], t[i + 8], 0x88);
    r[i + 4] = _mm512_shuffle_i32x4(t[i + 4], t[i + 12], 0x88);
    r[i + 8] = _mm512_shuffle_i32x4(t[i], t[i + 8], 0xdd);
    r[i + 12] = _mm512_shuffle_i32x4(t[i + 4], t[i + 12], 0xdd);
  }
}

// 32 rows of 16 columns -> 16 rows of pairs.
void load_pairs(const bf16* x, long width, __m512i r[16]) {
  for (int i = 0; i < 16; ++i) {
    const __m256i even = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x + 2 * i * width));
    const __m256i odd = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x + (2 * i + 1) * width));
    r[i] = _mm512_or_si512(_mm512_cvtepu16_epi32(even), _mm512_slli_epi32(_mm512_cvtepu16_epi32(odd), 16));
  }
}

void store_tile(const __m512i r[16], bf16* out) {
  for (int i = 0; i < 16; ++i) _mm512_storeu_si512(out + 32 * i, r[i]);
}

}  // namespace

bool request_tiles() {
  constexpr int kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr int kTileData = 18;               // XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

void configure_tiles() {
  static const volatile TileConfig config;  // volatile: the intrinsic does not tell GCC 12 that it reads memory
  _tile_loadconfig(const_cast<const TileConfig*>(&config));
}

void pack_right(const bf16* x, long width, int rows, int cols, bf16* out) {
  __m512i r[16];
  for (int j = 0; j < cols; j += 16) {
    for (int i = 0; i < rows; i += 32) {
      load_pairs(x + i * width + j, width, r);
      store_tile(r, out);
      out += kTile;
    }
  }
}

void pack_left_transposed(const bf16* x, long width, int rows, int cols, bf16* out) {
  __m512i r[16];
  for (int j = 0; j < cols; j += 16) {
    for (int i = 0; i < rows; i += 32) {
      load_pairs(x + i * width + j, width, r);
      transpose(r);
      store_tile(r, out);
      out += kTile;
    }
  }
}

void pack_right_transposed(const bf16* x, long width, int rows, int cols, bf16* out) {
  __m512i r[16];
  for (int i = 0; i < rows; i += 16) {
    for (int j = 0; j < cols; j += 32) {
      for (int t = 0; t < 16; ++t) r[t] = _mm512_loadu_si512(x + (i + t) * width + j);
      transpose(r);
      store_tile(r, out);
      out += kTile;
    }
  }
}

namespace {

// One depth of `steps` blocks of 32, straight from and to c; the sums start at 0 where `fresh`.
void multiply_depth(Left a, Right b, int m, int n, int steps, bool fresh, float* c, long width) {
  const long stride = 4 * width;
  for (int i = 0; i < m; i += 32) {
    const bf16* left = a.at + i / 16 * a.row_step;
    for (int j = 0; j < n; j += 32) {
      const bf16* right = b.at + j / 16 * b.col_step;
      float* at = c + i * width + j;
      if (fresh) {
        _tile_zero(0);
        _tile_zero(1);
        _tile_zero(2);
        _tile_zero(3);
      } else {
        _tile_loadd(0, at, stride);
        _tile_loadd(1, at + 16, stride);
        _tile_loadd(2, at + 16 * width, stride);
        _tile_loadd(3, at + 16 * width + 16, stride);
      }
      for (int t = 0; t < steps; ++t) {
        _tile_loadd(4, left + t * a.k_step, a.stride);
        _tile_loadd(6, right + t * kTile, 64);
        _tile_dpbf16ps(0, 4, 6);
        _tile_loadd(7, right + b.col_step + t * kTile, 64);
        _tile_dpbf16ps(1, 4, 7);
        _tile_loadd(5, left + a.row_step + t * a.k_step, a.stride);
        _tile_dpbf16ps(2, 5, 6);
        _tile_dpbf16ps(3, 5, 7);
      }
      _tile_stored(0, at, stride);
      _tile_stored(1, at + 16, stride);
      _tile_stored(2, at + 16 * width, stride);
      _tile_stored(3, at + 16 * width + 16, stride);
    }
  }
}

}  // namespace

void multiply_add(Left a, Right b, int m, int n, int k, float* c, long width) {
  constexpr int kDepth = 512;  // rows of 32 values and this depth stay in the first-level cache
  for (int from = 0; from < k; from += kDepth) {
    Left left = a;
    Right right = b;
    left.at += from / 32 * a.k_step;
    right.at += from / 32 * kTile;
    multiply_depth(left, right, m, n, std::min(kDepth, k - from) / 32, false, c, width);
  }
}

void multiply_to(Left a, Right b, int m, int n, int k, float* c, long width) {
  multiply_depth(a, b, m, n, k / 32, true, c, width);
}

void multiply_to(Left a, Right b, int m, int n, int k, bf16* c, long width) {
  multiply(a, b, m, n, k, [&](int i, int j, const float* block) {
    for (int r = 0; r < 32; ++r) {
      const __m512bh row = _mm512_cvtne2ps_pbh(_mm512_load_ps(block + 32 * r + 16), _mm512_load_ps(block + 32 * r));
      _mm512_storeu_si512(c + (i + r) * width + j, reinterpret_cast<__m512i>(row));
    }
  });
}

}  // namespace mneme_train
