// Products of many rows on the tile unit (AMX) of Intel server processors; all else is AVX-512's.
//
// Weights are widened to bf16 a slice of the depth at a time, activations are rounded to bf16, sums are f32. The unit
// multiplies int8 twice as fast, but every group of 32 inputs has scales of its own there, and taking 16 x 16 sums out
// to scale them after every instruction costs more than the products: measured, int8 tiles were no faster than
// AVX-512 VNNI, bf16 tiles several times. bf16 also rounds activations less than int8 with a scale per 32 does.
//
// A slice of two panels (128 KiB) stays near while the activation rows pass by, 32 at a time: four tiles of sums, two
// of rows, two of weights. Between slices sums wait in a buffer of their own: rows of y are kibibytes apart, so that a
// tile of them falls into few sets of the cache and many pages. For the same reason activations lie tile by tile: rows
// that lay apart made products four times slower.
#include "engine/backend/cpu/simd_avx512.h"  // first: it silences false warnings from the intrinsics

#include "base/fetch_ahead.h"
#include "engine/backend/cpu/amx_tiles.h"
#include "engine/backend/cpu/attention_amx.h"
#include "engine/backend/cpu/kernels.h"

namespace mneme::engine::cpu {
namespace {

constexpr int kSliceDepth = 2048;  // inputs of a slice
constexpr int kColumns = 2 * kPanelRows;
// Widening the weights costs as much as int8 products of about 30 rows.
constexpr int kFewestRows = 25;
constexpr int kQueriesPerBlock = 128;  // that a page is split into parts for

// Codes of one panel at inputs [k0, k0 + depth) as the tile unit wants them: two consecutive inputs of a row together,
// 16 rows side by side. Values are those of dequantize.h, rounded to bf16 once.
class PanelWidener {
 public:
  PanelWidener(const PanelProduct& p, int panel)
      : codes_(p.codes[panel]), scales_(p.scales[panel]), minimums_(p.minimums[panel]), group_(p.group) {
    zero_ = _mm512_set1_ps(p.zero_shift >= 0 ? static_cast<float>(1 << p.zero_shift) : 0.0f);
    alignas(64) uint16_t order[32];
    for (uint16_t i = 0; i < 16; ++i) {
      order[2 * i] = i;
      order[2 * i + 1] = static_cast<uint16_t>(16 + i);
    }
    interleave_ = _mm512_load_si512(order);
  }

  void widen(int k0, int depth, uint16_t* out) const {
    for (int k = k0; k < k0 + depth; k += group_, out += group_ * kPanelRows) {
      const int64_t at = int64_t{k} / group_ * kPanelRows;
      const __m512 scale = _mm512_loadu_ps(scales_ + at);
      const __m512 offset = minimums_ ? _mm512_loadu_ps(minimums_ + at) : _mm512_mul_ps(scale, zero_);
      for (int i = 0; i < group_; i += 4) {
        const __m512i codes = _mm512_loadu_si512(codes_ + int64_t{k + i} * kPanelRows);
        const __m512i pair01 = join(value<0>(codes, scale, offset), value<1>(codes, scale, offset));
        const __m512i pair23 = join(value<2>(codes, scale, offset), value<3>(codes, scale, offset));
        _mm512_store_si512(out + i * kPanelRows, pair01);
        _mm512_store_si512(out + (i + 2) * kPanelRows, pair23);
      }
    }
  }

 private:
  // The values of the kInput-th of the four inputs whose codes lie together.
  template <unsigned kInput>
  static __m512 value(__m512i codes, __m512 scale, __m512 offset) {
    const __m512i code = _mm512_and_si512(_mm512_srli_epi32(codes, 8 * kInput), _mm512_set1_epi32(255));
    return _mm512_fmsub_ps(_mm512_cvtepi32_ps(code), scale, offset);
  }
  __m512i join(__m512 first, __m512 second) const {
    return _mm512_permutexvar_epi16(interleave_, reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(second, first)));
  }

  const uint8_t* codes_;
  const float* scales_;
  const float* minimums_;
  int group_;
  __m512 zero_;
  __m512i interleave_;
};

// Where a block of rows lies during one slice.
struct SliceRows {
  const bf16* x[2];      // tiles of the first and the second 16 rows, from the slice's first input on
  const uint16_t* w[2];  // the slice of each panel
  int depth;
  float* sums;  // (32, 32)
  bool first_slice;
};

// Finished sums on their way into y. Rows of y lie apart and will be read only after many others are written, so
// results go past the caches where they can: to fetch their lines first would cost as much again. Such stores are slow
// one after the other; the rows of a block are therefore written a few at a time between the products of the next one.
class ResultWriter {
 public:
  explicit ResultWriter(const PanelProduct& p)
      : p_(p),
        streams_(p.y_stride > kColumns && p.y_stride % kPanelRows == 0 && reinterpret_cast<uintptr_t>(p.y) % 64 == 0) {
    for (int panel = 0; panel < 2; ++panel) {
      const int count = p.n_columns - panel * kPanelRows;
      mask_[panel] = Avx512Vector::first_lanes(count < 0 ? 0 : count < kPanelRows ? count : kPanelRows);
      bias_[panel] = p.bias ? _mm512_maskz_loadu_ps(mask_[panel], p.bias + panel * kPanelRows) : _mm512_setzero_ps();
    }
  }

  // Rows up to n_rows are finished.
  void finish(int n_rows) { n_finished_ = n_rows; }
  // Writes up to n_rows of them.
  [[gnu::always_inline]] void write(int n_rows) {
    for (; n_rows > 0 && next_ < n_finished_; --n_rows, ++next_) write_row(next_);
  }
  void write_all() {
    write(n_finished_);
    if (streams_) _mm_sfence();  // other threads may read them after the next barrier
  }

 private:
  [[gnu::always_inline]] void write_row(int m) const {
    for (int panel = 0; panel < 2; ++panel) {
      float* y = p_.y + m * p_.y_stride + panel * kPanelRows;
      const __m512 result = _mm512_add_ps(_mm512_load_ps(p_.sums + m * kColumns + panel * kPanelRows), bias_[panel]);
      if (streams_ && mask_[panel] == 0xffff) {
        _mm512_stream_ps(y, result);
      } else {
        _mm512_mask_storeu_ps(y, mask_[panel], result);
      }
    }
  }

  const PanelProduct& p_;
  bool streams_;
  __mmask16 mask_[2];
  __m512 bias_[2];
  int next_ = 0;
  int n_finished_ = 0;
};

template <bool kSecondRows>
void multiply_slice(const SliceRows& s, ResultWriter& writer) {
  constexpr int kStride = kColumns * static_cast<int>(sizeof(float));
  float* const second = s.sums + kTileRows * kColumns;
  if (s.first_slice) {
    _tile_zero(0);
    _tile_zero(1);
    if constexpr (kSecondRows) {
      _tile_zero(2);
      _tile_zero(3);
    }
  } else {
    _tile_loadd(0, s.sums, kStride);
    _tile_loadd(1, s.sums + kPanelRows, kStride);
    if constexpr (kSecondRows) {
      _tile_loadd(2, second, kStride);
      _tile_loadd(3, second + kPanelRows, kStride);
    }
  }
  const int rows_per_step = (kRowsAtOnce * kTileDepth + s.depth - 1) / s.depth;
  for (int k = 0; k < s.depth; k += kTileDepth) {
    // All tiles, then all products: taking turns was a tenth slower, and so was asking for the next tiles.
    _tile_loadd(4, s.x[0] + k * kTileRows, 64);
    _tile_loadd(6, s.w[0] + k * kPanelRows, 64);
    if constexpr (kSecondRows) _tile_loadd(5, s.x[1] + k * kTileRows, 64);
    _tile_loadd(7, s.w[1] + k * kPanelRows, 64);
    _tile_dpbf16ps(0, 4, 6);
    if constexpr (kSecondRows) _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(1, 4, 7);
    if constexpr (kSecondRows) _tile_dpbf16ps(3, 5, 7);
    writer.write(rows_per_step);
  }
  _tile_stored(0, s.sums, kStride);
  _tile_stored(1, s.sums + kPanelRows, kStride);
  if constexpr (kSecondRows) {
    _tile_stored(2, second, kStride);
    _tile_stored(3, second + kPanelRows, kStride);
  }
}

void multiply_wide(const PanelProduct& p) {
  alignas(64) uint16_t slices[2][kSliceDepth * kPanelRows];
  const PanelWidener widener[2] = {{p, 0}, {p, 1}};
  ResultWriter writer(p);
  const int n_slices = (p.n_in + kSliceDepth - 1) / kSliceDepth;
  const int n_blocks = (p.n_rows + kRowsAtOnce - 1) / kRowsAtOnce;
  FetchAhead ahead = p.ahead;
  const int64_t lines_per_block = ahead.lines_per_step(int64_t{n_slices} * n_blocks);
  for (int k0 = 0; k0 < p.n_in; k0 += kSliceDepth) {
    const int depth = p.n_in - k0 < kSliceDepth ? p.n_in - k0 : kSliceDepth;
    for (int panel = 0; panel < 2; ++panel) widener[panel].widen(k0, depth, slices[panel]);
    const bf16* x = p.x_wide + int64_t{k0} * kTileRows;
    SliceRows s{.x = {x, x + int64_t{kTileRows} * p.n_in},
                .w = {slices[0], slices[1]},
                .depth = depth,
                .sums = p.sums,
                .first_slice = k0 == 0};
    for (int m = 0; m < p.n_rows; m += kRowsAtOnce) {
      ahead.fetch(lines_per_block);
      const int n_rows = p.n_rows - m < kRowsAtOnce ? p.n_rows - m : kRowsAtOnce;
      if (m == 0 || n_rows < kRowsAtOnce) amx::shape_tiles(n_rows);
      amx::settle_memory();
      n_rows > kTileRows ? multiply_slice<true>(s, writer) : multiply_slice<false>(s, writer);
      amx::settle_memory();
      if (k0 + depth == p.n_in) writer.finish(m + n_rows);
      for (const bf16*& rows : s.x) rows += int64_t{kRowsAtOnce} * p.n_in;
      s.sums += kRowsAtOnce * kColumns;
    }
  }
  _tile_release();  // so that the system has no tiles to save when it changes threads
  writer.write_all();
}

void multiply_panels(const PanelProduct& p) {
  p.x_wide ? multiply_wide(p) : avx512_kernels().multiply_panels(p);
}

void widen_row(const float* x, int row, int n, bf16* out) {
  out += int64_t{row / kTileRows} * kTileRows * n + row % kTileRows * kTileDepth;
  for (int i = 0; i < n; i += kTileDepth) {
    const __m512bh both = _mm512_cvtne2ps_pbh(_mm512_loadu_ps(x + i + 16), _mm512_loadu_ps(x + i));
    _mm512_storeu_si512(out + i * kTileRows, reinterpret_cast<__m512i>(both));
  }
}

}  // namespace

const Kernels& amx_kernels() {
  static const Kernels table = [] {
    Kernels copy = avx512_kernels();
    copy.name = "amx";
    copy.min_wide_rows = kFewestRows;
    copy.widen_row = widen_row;
    copy.multiply_panels = multiply_panels;
    copy.attend_page = attend_page_amx;
    copy.queries_per_block = kQueriesPerBlock;
    return copy;
  }();
  return table;
}

}  // namespace mneme::engine::cpu
