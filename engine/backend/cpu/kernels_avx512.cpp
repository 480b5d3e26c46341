#include "engine/simd/avx512_vector.h"  // first: it silences false warnings from the intrinsics

#include <type_traits>

#include "base/fetch_ahead.h"
#include "engine/backend/cpu/kernel_table.h"
#include "engine/backend/cpu/panel_reading_avx512.h"

namespace mneme::engine::cpu {
namespace {

__m512i broadcast_levels(const uint8_t* levels) {
  return _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(levels)));
}

// Sets the high bits of the `index`-th of the vectors of codes that share `high`.
template <int kHighBits>
__m512i add_high_bits(__m512i code, __m512i high, int index) {
  const int shift = index * kHighBits;
  const __m512i moved = shift <= 4 ? _mm512_slli_epi16(high, static_cast<unsigned>(4 - shift))
                                   : _mm512_srli_epi16(high, static_cast<unsigned>(shift - 4));
  return _mm512_or_si512(code, _mm512_and_si512(moved, _mm512_set1_epi8(kHighBits == 2 ? 0x30 : 0x10)));
}

// Eight vectors of 64 codes (32 inputs).
template <int kHighBits>
void unpack_all(const uint8_t* nibbles, const uint8_t* high, const uint8_t* levels, int n_in, uint8_t* out) {
  const __m512i table = broadcast_levels(levels);
  const __m512i low_bits = _mm512_set1_epi8(15);
  for (int k = 0; k < n_in; k += 32) {
#pragma GCC unroll 8
    for (int v = 0; v < 8; ++v) {
      __m512i code = load_codes(nibbles + int64_t{k} * 8 + v / 2 * 64);
      if (v % 2) code = _mm512_srli_epi16(code, 4);
      code = _mm512_shuffle_epi8(table, _mm512_and_si512(code, low_bits));
      if constexpr (kHighBits > 0) {
        constexpr int kPerByte = 8 / kHighBits;
        const __m512i bits = load_codes(high + int64_t{k} * 2 * kHighBits + v / kPerByte * 64);
        code = add_high_bits<kHighBits>(code, bits, v % kPerByte);
      }
      _mm512_storeu_si512(out + int64_t{k} * 16 + v * 64, code);
    }
  }
}

void unpack_codes(const uint8_t* nibbles, const uint8_t* high, int high_bits, const uint8_t* levels, int n_in,
                  uint8_t* out) {
  if (high_bits == 0) return unpack_all<0>(nibbles, high, levels, n_in, out);
  high_bits == 1 ? unpack_all<1>(nibbles, high, levels, n_in, out) : unpack_all<2>(nibbles, high, levels, n_in, out);
}

// kM activation rows by two panels: 32 outputs of each row in registers over the whole depth. Or by a run of panels,
// one after the other, in the order in which they lie in memory.
//
// vpdpbusd adds four products of unsigned weight codes and signed activations to each of 16 lanes. A zero point z is
// settled beforehand: sum((code - z) x) = sum(code x) - z sum(x), so the integer sums start at -z sum(x).
//
// kHighBits: -1 for codes in bytes, else the bits beside the nibbles; a group then has one vector of high bits.
// kLevels: nibbles stand for PanelProduct::levels.
template <int kM, int kPanels, int kHighBits, bool kLevels, bool kMinimums, int kGroup, ScaleForm kForm>
class PanelTile {
  static constexpr bool kNibbles = kHighBits >= 0;
  // A group's codes, and with their high bits the lines of memory that they take.
  static constexpr int64_t kGroupBytes = (kNibbles ? 8 : 16) * kGroup;
  static constexpr int kGroupLines = static_cast<int>(kGroupBytes / 64) + (kHighBits > 0 ? 1 : 0);
  static_assert(kHighBits <= 0 || kHighBits * kGroup == 32);
  static_assert(!kLevels || kHighBits == 0);
  // With few rows, every other product goes to a second set of sums: there would be too few independent ones to hide
  // the instruction's latency. Integer sums are exact in any order.
  static constexpr bool kSplit = kM * kPanels <= 4;
  // Plain upper nibbles are then multiplied where they stand, as sixteen times the code; the second sums are multiples
  // of 16 and are shifted once a group instead of every vector.
  static constexpr bool kSixteenfold = kSplit && kHighBits == 0 && !kLevels;

 public:
  // Both panels of a product. Lines: what is asked for meanwhile. Not inlined: together with others, less would stay in
  // registers.
  template <class Lines>
  [[gnu::noinline]] static void run(const PanelProduct& p, int m0) {
    Panels panels;
    for (int j = 0; j < kPanels; ++j) {
      panels.codes[j] = p.codes[j];
      panels.high[j] = p.high[j];
      panels.scales[j].open(p, j);
    }
    Lines lines(p, p.n_in / kGroup);
    multiply(p, m0, 0, panels, lines);
  }

  // All panels of a run by kM rows, all there are; for few rows, as much time would go into describing every panel as a
  // tenth of its product.
  [[gnu::noinline]] static void run_in_order(const PanelProduct& p) {
    static_assert(kPanels == 1);
    LinesBehind<kGroupLines> lines(p, p.n_in / kGroup);
    int64_t offset = 0;
    for (int panel = 0; panel * kPanelRows < p.n_columns; ++panel, offset += p.panel_bytes) {
      Panels panels;
      panels.codes[0] = p.codes[0] + offset;
      panels.high[0] = p.high[0] + offset;
      panels.scales[0].open_behind(p, offset);
      multiply(p, 0, panel, panels, lines);
    }
  }

 private:
  struct Panels {
    const uint8_t* codes[kPanels];
    const uint8_t* high[kPanels];
    GroupScales<kForm, kMinimums, kGroup> scales[kPanels];
  };

  // Rows m0 and following by the panels, the first of which is the product's `first_panel`th.
  template <class Lines>
  [[gnu::always_inline]] static void multiply(const PanelProduct& p, int m0, int first_panel, Panels& panels,
                                              Lines& lines) {
    __m512 total[kM][kPanels];
    for (int i = 0; i < kM; ++i)
      for (int j = 0; j < kPanels; ++j) total[i][j] = _mm512_setzero_ps();
    const int n_groups = p.n_in / kGroup;
    const int8_t* x[kM];
    for (int i = 0; i < kM; ++i) x[i] = p.x + int64_t{m0 + i} * p.n_in;
    const float* x_scales = p.x_scales + int64_t{m0} * (p.n_in / kRowBlock);
    const int32_t* minus_sums = p.x_minus_sums + int64_t{m0} * n_groups;
    const float* scaled_sums = p.x_scaled_sums + int64_t{m0} * n_groups;
    // From one group's codes to the next one's, and from there to the one after it.
    int64_t step = kGroupBytes;
    int64_t next_step = kGroupBytes + (is_in_chunks(kForm) ? kChunkScaleBytes : 0);
    const __m512i table = kLevels ? broadcast_levels(p.levels) : _mm512_setzero_si512();
    for (int g = 0; g < n_groups; ++g) {
      __m512i sum[kM][kPanels];
      for (int i = 0; i < kM; ++i) {
        // Types with minimums have no zero point.
        sum[i][0] = kMinimums ? _mm512_setzero_si512()
                              : _mm512_sll_epi32(_mm512_set1_epi32(minus_sums[int64_t{i} * n_groups + g]),
                                                 _mm_cvtsi32_si128(p.zero_shift));
        for (int j = 1; j < kPanels; ++j) sum[i][j] = sum[i][0];
      }
      lines.fetch();
      add_products(panels.codes, panels.high, table, x, g * kGroup, sum);
      for (int j = 0; j < kPanels; ++j) panels.codes[j] += step;
      if constexpr (is_in_chunks(kForm)) {
        const int64_t last_step = step;
        step = next_step;
        next_step = last_step;
      }
      for (int j = 0; j < kPanels; ++j) {
        panels.scales[j].begin(g);
        const __m512 scale = panels.scales[j].scale(g);
        for (int i = 0; i < kM; ++i) {
          const float x_scale = x_scales[int64_t{i} * (p.n_in / kRowBlock) + g * kGroup / kRowBlock];
          total[i][j] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sum[i][j]), _mm512_mul_ps(scale, _mm512_set1_ps(x_scale)),
                                        total[i][j]);
        }
        if constexpr (kMinimums) {
          const __m512 minimum = panels.scales[j].minimum(g);
          for (int i = 0; i < kM; ++i)
            total[i][j] =
                _mm512_fnmadd_ps(minimum, _mm512_set1_ps(scaled_sums[int64_t{i} * n_groups + g]), total[i][j]);
        }
      }
    }
    store(p, m0, first_panel, total);
  }

  static __m512i broadcast4(const int8_t* x) {
    int32_t four;
    __builtin_memcpy(&four, x, 4);
    return _mm512_set1_epi32(four);
  }

  // The codes of a vector's lower nibbles, and those of its upper ones (or sixteen times those).
  static __m512i lower_codes(__m512i pairs, __m512i table) {
    const __m512i code = _mm512_and_si512(pairs, _mm512_set1_epi8(15));
    return kLevels ? _mm512_shuffle_epi8(table, code) : code;
  }
  static __m512i upper_codes(__m512i pairs, __m512i table) {
    const __m512i low_bits = _mm512_set1_epi8(15);
    if constexpr (kSixteenfold) return _mm512_andnot_si512(low_bits, pairs);
    const __m512i code = _mm512_and_si512(_mm512_srli_epi16(pairs, 4), low_bits);
    return kLevels ? _mm512_shuffle_epi8(table, code) : code;
  }

  // One group of elements; moves high bits forward.
  static void add_products(const uint8_t* const (&codes)[kPanels], const uint8_t* (&high)[kPanels], __m512i table,
                           const int8_t* const (&x)[kM], int k, __m512i (&sum)[kM][kPanels]) {
    __m512i other[kM][kPanels];
    if constexpr (kSplit)
      for (int i = 0; i < kM; ++i)
        for (int j = 0; j < kPanels; ++j) other[i][j] = _mm512_setzero_si512();
    auto& odd = kSplit ? other : sum;
    if constexpr (kNibbles) {
      __m512i upper[kPanels];
      for (int j = 0; j < kPanels; ++j) upper[j] = table;  // set below where there are any
      if constexpr (kHighBits > 0)
        for (int j = 0; j < kPanels; ++j) {
          upper[j] = load_codes(high[j]);
          high[j] += 64;
        }
#pragma GCC unroll 4
      for (int v = 0; v < kGroup / 8; ++v, k += 8) {
        for (int j = 0; j < kPanels; ++j) {
          const __m512i pairs = load_codes(codes[j] + 64 * v);
          __m512i first = lower_codes(pairs, table);
          __m512i second = upper_codes(pairs, table);
          if constexpr (kHighBits > 0) {
            first = add_high_bits<kHighBits>(first, upper[j], 2 * v);
            second = add_high_bits<kHighBits>(second, upper[j], 2 * v + 1);
          }
          for (int i = 0; i < kM; ++i) {
            sum[i][j] = _mm512_dpbusd_epi32(sum[i][j], first, broadcast4(x[i] + k));
            odd[i][j] = _mm512_dpbusd_epi32(odd[i][j], second, broadcast4(x[i] + k + 4));
          }
        }
      }
    } else {
#pragma GCC unroll 8
      for (int v = 0; v < kGroup / 4; ++v, k += 4) {
        __m512i weights[kPanels];
        for (int j = 0; j < kPanels; ++j) weights[j] = load_codes(codes[j] + 64 * v);
        auto& target = v % 2 ? odd : sum;
        for (int i = 0; i < kM; ++i) {
          const __m512i four = broadcast4(x[i] + k);
          for (int j = 0; j < kPanels; ++j) target[i][j] = _mm512_dpbusd_epi32(target[i][j], weights[j], four);
        }
      }
    }
    if constexpr (kSplit)
      for (int i = 0; i < kM; ++i)
        for (int j = 0; j < kPanels; ++j)
          sum[i][j] = _mm512_add_epi32(sum[i][j], kSixteenfold ? _mm512_srai_epi32(other[i][j], 4) : other[i][j]);
  }

  static void store(const PanelProduct& p, int m0, int first_panel, const __m512 (&total)[kM][kPanels]) {
    for (int j = 0; j < kPanels; ++j) {
      const int column = (first_panel + j) * kPanelRows;
      const int count = p.n_columns - column;
      if (count <= 0) return;
      const __mmask16 mask = simd::Avx512Vector::first_lanes(count < kPanelRows ? count : kPanelRows);
      const __m512 bias = p.bias ? _mm512_maskz_loadu_ps(mask, p.bias + column) : _mm512_setzero_ps();
      for (int i = 0; i < kM; ++i)
        _mm512_mask_storeu_ps(p.y + (m0 + i) * p.y_stride + column, mask, _mm512_add_ps(total[i][j], bias));
    }
  }
};

constexpr int kMaxRunRows = 8;

// How the weights of a product are laid out.
template <int kHighBits, bool kLevels, bool kMinimums, int kGroup>
struct Layout {
  template <int kM, ScaleForm kForm = ScaleForm::kWidened, int kPanels = 2>
  using Tile = PanelTile<kM, kPanels, kHighBits, kLevels, kMinimums, kGroup, kForm>;

  // Types whose codes are always in bytes have plain scales, those of 16 inputs to a group never.
  static constexpr bool kCanBePlain = kGroup == 32;
  static constexpr bool kCanBeSuper = kHighBits >= 0;
  static constexpr bool kCanBeSixBits = kCanBeSuper && kMinimums && kGroup == 32;
  static constexpr bool kCanBeInChunks = kCanBePlain && !kCanBeSuper && !kMinimums;

  template <ScaleForm kForm>
  static void multiply_few(const PanelProduct& p) {
    p.n_rows == 2 ? Tile<2, kForm>::template run<LinesAhead>(p, 0) : Tile<1, kForm>::template run<LinesAhead>(p, 0);
  }
  // All rows at once, whatever their number: in two goes the weights would be read and unpacked twice.
  template <ScaleForm kForm>
  static void multiply_in_order(const PanelProduct& p) {
    static_assert(kMaxRunRows == 8);
    switch (p.n_rows) {
      case 1: return Tile<1, kForm, 1>::run_in_order(p);
      case 2: return Tile<2, kForm, 1>::run_in_order(p);
      case 3: return Tile<3, kForm, 1>::run_in_order(p);
      case 4: return Tile<4, kForm, 1>::run_in_order(p);
      case 5: return Tile<5, kForm, 1>::run_in_order(p);
      case 6: return Tile<6, kForm, 1>::run_in_order(p);
      case 7: return Tile<7, kForm, 1>::run_in_order(p);
      default: return Tile<8, kForm, 1>::run_in_order(p);
    }
  }

  static void multiply(const PanelProduct& p) {
    if (!p.scales[0]) {
      if constexpr (kCanBeSuper)
        if (p.packed_scales[0].factors) return multiply_few<ScaleForm::kSuper>(p);
      if constexpr (kCanBeSixBits)
        if (p.packed_scales[0].six_bits) return multiply_few<ScaleForm::kSixBits>(p);
      if constexpr (kCanBePlain) return multiply_few<ScaleForm::kPlain>(p);
    }
    if constexpr (kCanBeInChunks)
      if (p.in_chunks) return multiply_rows<ScaleForm::kWidenedChunks>(p);
    multiply_rows<ScaleForm::kWidened>(p);
  }
  static void multiply_run(const PanelProduct& p) {
    if constexpr (kCanBeSuper)
      if (p.packed_scales[0].factors) return multiply_in_order<ScaleForm::kSuper>(p);
    if constexpr (kCanBeSixBits)
      if (p.packed_scales[0].six_bits) return multiply_in_order<ScaleForm::kSixBits>(p);
    if constexpr (kCanBeInChunks)
      if (p.in_chunks) return multiply_in_order<ScaleForm::kChunks>(p);
    if constexpr (kCanBePlain) multiply_in_order<ScaleForm::kPlain>(p);
  }

  template <ScaleForm kForm>
  static void multiply_rows(const PanelProduct& p) {
    int m = 0;
    if constexpr (kHighBits < 0) take_rows<kForm, 6>(p, m);
    take_rows<kForm, 4>(p, m);
    take_rows<kForm, 2>(p, m);
    take_rows<kForm, 1>(p, m);
  }
  // As many rows from row m on as can be taken kM at a time; moves m.
  template <ScaleForm kForm, int kM>
  static void take_rows(const PanelProduct& p, int& m) {
    for (; m + kM <= p.n_rows; m += kM)
      m == 0 ? Tile<kM, kForm>::template run<LinesAhead>(p, m) : Tile<kM, kForm>::template run<NothingAhead>(p, m);
  }
};

// Calls body with the Layout of the product's weights.
template <class Body>
void with_layout(const PanelProduct& p, Body body) {
  const auto with_groups = [&]<int kHighBits>(std::integral_constant<int, kHighBits>) {
    if (p.minimum) {
      p.group == 32 ? body(Layout<kHighBits, false, true, 32>()) : body(Layout<kHighBits, false, true, 16>());
    } else {
      p.group == 32 ? body(Layout<kHighBits, false, false, 32>()) : body(Layout<kHighBits, false, false, 16>());
    }
  };
  if (!p.nibbles) return with_groups(std::integral_constant<int, -1>());
  if (p.levels) return body(Layout<0, true, false, 32>());
  if (p.high_bits == 0) return with_groups(std::integral_constant<int, 0>());
  if (p.high_bits == 2) return body(Layout<2, false, false, 16>());
  p.minimum ? body(Layout<1, false, true, 32>()) : body(Layout<1, false, false, 32>());
}

void multiply_panels(const PanelProduct& p) {
  with_layout(p, [&](auto layout) { decltype(layout)::multiply(p); });
}

void multiply_run(const PanelProduct& p) {
  with_layout(p, [&](auto layout) { decltype(layout)::multiply_run(p); });
}

constexpr Kernels make_table() {
  Kernels table = KernelTable<simd::Avx512Vector>::float_part();
  table.unpack_codes = unpack_codes;
  table.max_nibble_rows = 4;
  table.max_packed_scale_rows = 2;
  table.max_run_rows = kMaxRunRows;
  table.multiply_panels = multiply_panels;
  table.multiply_run = multiply_run;
  return table;
}

}  // namespace

const Kernels& avx512_kernels() {
  static const Kernels table = [] {
    Kernels copy = make_table();
    copy.panels_in_order = FetchAhead::kUsualRuns == 1;
    return copy;
  }();
  return table;
}

}  // namespace mneme::engine::cpu
