// Products of many rows on the tile unit (AMX) of Intel server processors; all else is AVX-512's.
//
// Weights are widened to bf16 a slice of the depth at a time, activations are rounded to bf16, sums are f32. The unit
// multiplies int8 twice as fast, but every group of 32 inputs has scales of its own there, and taking 16 x 16 sums out
// to scale them after every instruction costs more than the products: measured, int8 tiles were no faster than
// AVX-512 VNNI, bf16 tiles several times. bf16 also rounds activations less than int8 with a scale per 32 does.
//
// A slice of two panels (up to 128 KiB) stays near while the activation rows pass by, 32 at a time: four tiles of sums,
// two of rows, two of weights. The tile unit needs the vector units for nothing, so the next slice is widened between
// the products of this one: widening by itself took a quarter of the products' time of 512 rows, and half for weights
// so deep that rows are cut into two blocks; like this nearly none. Between slices sums wait in a buffer of their own:
// rows of y are kibibytes apart, so that a tile of them falls into few sets of the cache and many pages. For the same
// reason activations lie tile by tile: rows that lay apart made products four times slower.
#include "engine/simd/avx512_vector.h"  // first: it silences false warnings from the intrinsics

#include "base/fetch_ahead.h"
#include "engine/backend/cpu/amx_tiles.h"
#include "engine/backend/cpu/attention_amx.h"
#include "engine/backend/cpu/kernels.h"

namespace mneme::engine::cpu {
namespace {

constexpr int kColumns = 2 * kPanelRows;
// Widening the weights costs as much as int8 products of about 30 rows.
constexpr int kFewestRows = 25;
constexpr int kQueriesPerBlock = 128;  // that a page is split into parts for

// Makes one slice of a product's weights, inputs [k0, k0 + depth) of both panels, as the tile unit wants them: two
// consecutive inputs of a row together, 16 rows side by side. Values are those of dequantize.h, rounded to bf16 once.
// A step is four inputs of one panel, so that steps fit between other instructions.
class SliceWidener {
 public:
  static constexpr int kInputs = 4;  // of a step

  SliceWidener() = default;  // nothing to do
  SliceWidener(const PanelProduct& p, int k0, int depth, bf16* out)
      : out_(out), panel_steps_(depth / kInputs), n_left_(2 * panel_steps_), group_mask_(p.group / kInputs - 1) {
    zero_ = _mm512_set1_ps(p.zero_shift >= 0 ? static_cast<float>(1 << p.zero_shift) : 0.0f);
    for (int panel = 0; panel < 2; ++panel) {
      const int64_t group = int64_t{k0} / p.group * kPanelRows;
      panels_[panel] = {p.codes[panel] + int64_t{k0} * kPanelRows, p.scales[panel] + group,
                        p.minimums[panel] ? p.minimums[panel] + group : nullptr};
    }
    now_ = panels_[0];
  }

  int n_left() const { return n_left_; }
  [[gnu::always_inline]] void widen(int n_steps) {
    for (; n_steps > 0 && n_left_ > 0; --n_steps) widen_step();
  }
  void widen_rest() { widen(n_left_); }

 private:
  struct Panel {
    const uint8_t* codes = nullptr;
    const float* scales = nullptr;
    const float* minimums = nullptr;
  };

  [[gnu::always_inline]] void widen_step() {
    const __m512 scale = _mm512_loadu_ps(now_.scales);
    const __m512 offset = now_.minimums ? _mm512_loadu_ps(now_.minimums) : _mm512_mul_ps(scale, zero_);
    const __m512i codes = _mm512_loadu_si512(now_.codes);
    _mm512_store_si512(out_, join(value<0>(codes, scale, offset), value<1>(codes, scale, offset)));
    _mm512_store_si512(out_ + 2 * kPanelRows, join(value<2>(codes, scale, offset), value<3>(codes, scale, offset)));
    out_ += kInputs * kPanelRows;
    now_.codes += kInputs * kPanelRows;
    if (--n_left_ == panel_steps_) {
      now_ = panels_[1];
    } else if ((n_left_ & group_mask_) == 0) {
      now_.scales += kPanelRows;
      if (now_.minimums) now_.minimums += kPanelRows;
    }
  }
  // The values of the kInput-th of the four inputs whose codes lie together.
  template <unsigned kInput>
  [[gnu::always_inline]] static __m512 value(__m512i codes, __m512 scale, __m512 offset) {
    const __m512i code = _mm512_and_si512(_mm512_srli_epi32(codes, 8 * kInput), _mm512_set1_epi32(255));
    return _mm512_fmsub_ps(_mm512_cvtepi32_ps(code), scale, offset);
  }
  [[gnu::always_inline]] static __m512i join(__m512 first, __m512 second) {
    const __m512i order = _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, 23, 7, 22, 6,
                                           21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    return _mm512_permutexvar_epi16(order, reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(second, first)));
  }

  bf16* out_ = nullptr;
  int panel_steps_ = 0;
  int n_left_ = 0;
  int group_mask_ = 0;  // of n_left_: none of its bits set where a group of inputs ends
  __m512 zero_ = _mm512_setzero_ps();
  Panel now_;
  Panel panels_[2];
};

// Where a block of rows lies during one slice.
struct SliceRows {
  const bf16* x[2];  // tiles of the first and the second 16 rows, from the slice's first input on
  const bf16* w[2];  // the slice of each panel
  int depth;
  float* sums;  // (32, 32)
  bool first_slice;
  bool last_slice;
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
      mask_[panel] = simd::Avx512Vector::first_lanes(count < 0 ? 0 : count < kPanelRows ? count : kPanelRows);
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

// What is done between the products of a slice: results written, the next slice widened.
struct BetweenProducts {
  ResultWriter& writer;
  SliceWidener widener;
  int widen_steps = 0;  // of the widener, with every tile of depth
};

template <bool kSecondRows>
void multiply_slice(const SliceRows& s, BetweenProducts& between) {
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
  SliceWidener widener = between.widener;  // in registers
  for (int k = 0; k < s.depth; k += kTileDepth) {
    // With other instructions between, products wait least when the second weights are loaded last.
    _tile_loadd(4, s.x[0] + k * kTileRows, 64);
    if constexpr (kSecondRows) _tile_loadd(5, s.x[1] + k * kTileRows, 64);
    _tile_loadd(6, s.w[0] + k * kPanelRows, 64);
    _tile_dpbf16ps(0, 4, 6);
    if constexpr (kSecondRows) _tile_dpbf16ps(2, 5, 6);
    _tile_loadd(7, s.w[1] + k * kPanelRows, 64);
    _tile_dpbf16ps(1, 4, 7);
    if constexpr (kSecondRows) _tile_dpbf16ps(3, 5, 7);
    widener.widen(between.widen_steps);
    between.writer.write(rows_per_step);
  }
  between.widener = widener;
  _tile_stored(0, s.sums, kStride);
  _tile_stored(1, s.sums + kPanelRows, kStride);
  if constexpr (kSecondRows) {
    _tile_stored(2, second, kStride);
    _tile_stored(3, second + kPanelRows, kStride);
  }
}

// How the inputs are cut: slices of about equal depth, whole tiles.
int slice_depth(int n_in) {
  const int n_slices = (n_in + kWideSliceDepth - 1) / kWideSliceDepth;
  return ((n_in + n_slices - 1) / n_slices + kTileDepth - 1) / kTileDepth * kTileDepth;
}

// What makes the slice from input k0 on: of p, or, at its end, the first of the next product.
SliceWidener begin_slice(const PanelProduct* p, int k0, bf16* out) {
  if (k0 >= p->n_in) {
    p = p->next;
    k0 = 0;
  }
  if (!p) return {};
  const int most = slice_depth(p->n_in);
  return {*p, k0, p->n_in - k0 < most ? p->n_in - k0 : most, out};
}

// All rows by one slice.
void multiply_rows(const PanelProduct& p, SliceRows s, FetchAhead& ahead, int64_t lines_per_block,
                   BetweenProducts& between) {
  for (int m = 0; m < p.n_rows; m += kRowsAtOnce) {
    ahead.fetch(lines_per_block);
    const int n_rows = p.n_rows - m < kRowsAtOnce ? p.n_rows - m : kRowsAtOnce;
    if (m == 0 || n_rows < kRowsAtOnce) amx::shape_tiles(n_rows);
    amx::settle_memory();
    n_rows > kTileRows ? multiply_slice<true>(s, between) : multiply_slice<false>(s, between);
    amx::settle_memory();
    for (const bf16*& rows : s.x) rows += int64_t{kRowsAtOnce} * p.n_in;
    s.sums += kRowsAtOnce * kColumns;
    if (s.last_slice) between.writer.finish(m + n_rows);
  }
}

void multiply_wide(const PanelProduct& p) {
  WideSlices& wide = *p.wide;
  const int most_depth = slice_depth(p.n_in);
  if (!p.is_begun) begin_slice(&p, 0, wide.slices[wide.current]).widen_rest();
  ResultWriter writer(p);
  const int n_slices = (p.n_in + most_depth - 1) / most_depth;
  const int n_blocks = (p.n_rows + kRowsAtOnce - 1) / kRowsAtOnce;
  FetchAhead ahead = p.ahead;
  // What is asked for is widened during the next product, from its beginning on: all of it should be here by then.
  const int64_t lines_per_block = ahead.lines_per_step((int64_t{n_slices} * n_blocks + 3) / 4);
  for (int k0 = 0; k0 < p.n_in; k0 += most_depth) {
    const int depth = p.n_in - k0 < most_depth ? p.n_in - k0 : most_depth;
    const bf16* const w = wide.slices[wide.current];
    const bf16* const x = p.x_wide + int64_t{k0} * kTileRows;
    wide.current = 1 - wide.current;
    BetweenProducts between{.writer = writer, .widener = begin_slice(&p, k0 + depth, wide.slices[wide.current])};
    const int n_steps = n_blocks * (depth / kTileDepth);
    between.widen_steps = (between.widener.n_left() + n_steps - 1) / n_steps;
    const SliceRows rows{.x = {x, x + int64_t{kTileRows} * p.n_in},
                         .w = {w, w + int64_t{depth} * kPanelRows},
                         .depth = depth,
                         .sums = p.sums,
                         .first_slice = k0 == 0,
                         .last_slice = k0 + depth == p.n_in};
    multiply_rows(p, rows, ahead, lines_per_block, between);
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
    copy.panels_in_order = false;  // tiles take codes that lie together
    copy.multiply_panels = multiply_panels;
    copy.attend_page = attend_page_amx;
    copy.queries_per_block = kQueriesPerBlock;
    return copy;
  }();
  return table;
}

}  // namespace mneme::engine::cpu
