// What a product with panels reads beside their codes, and what it asks for meanwhile: scales and minimums in every
// form, and the lines of memory that come next. Include only from files compiled for AVX-512.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/fetch_ahead.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/simd/avx512_vector.h"

namespace mneme::engine::cpu {

inline __m512i load_codes(const uint8_t* p) {
  return _mm512_loadu_si512(p);
}

// Where the scales of a product come from: widened to f32 beforehand, those of chunks too, or as packed_matrix.h lays
// them out.
enum class ScaleForm { kWidened, kWidenedChunks, kPlain, kChunks, kSuper, kSixBits };
constexpr bool is_widened(ScaleForm form) {
  return form == ScaleForm::kWidened || form == ScaleForm::kWidenedChunks;
}
constexpr bool is_in_chunks(ScaleForm form) {
  return form == ScaleForm::kChunks || form == ScaleForm::kWidenedChunks;
}

// Scales and minimums of one panel, group by group. All forms give the same bits.
template <ScaleForm kForm, bool kMinimums, int kGroup>
class GroupScales {
  static constexpr int kSuperGroups = 256 / kGroup;
  static constexpr bool kSixBits = kForm == ScaleForm::kSixBits;
  static_assert(!kSixBits || (kMinimums && kSuperGroups == SixBitFactors::kGroups));

 public:
  [[gnu::always_inline]] void open(const PanelProduct& p, int panel) {
    packed_ = p.packed_scales[panel];
    scales_ = p.scales[panel];
    minimums_ = p.minimums[panel];
    d_ = dmin_ = _mm512_setzero_ps();
  }
  // Of the panel that lies so many bytes behind a run's first one.
  [[gnu::always_inline]] void open_behind(const PanelProduct& p, int64_t n_bytes) {
    static_assert(!is_widened(kForm));
    const PackedScales& first = p.packed_scales[0];
    packed_.d = behind(first.d, n_bytes);
    if constexpr (kMinimums) packed_.dmin = behind(first.dmin, n_bytes);
    if constexpr (kForm == ScaleForm::kSuper) packed_.factors = behind(first.factors, n_bytes);
    if constexpr (kForm == ScaleForm::kSuper && kMinimums)
      packed_.minimum_factors = behind(first.minimum_factors, n_bytes);
    if constexpr (kSixBits) packed_.six_bits = behind(first.six_bits, n_bytes);
    d_ = dmin_ = _mm512_setzero_ps();
  }

  // Before scale() and minimum() of group g; groups come in order.
  [[gnu::always_inline]] void begin(int g) {
    if constexpr (kForm == ScaleForm::kSuper || kSixBits) {
      if (g % kSuperGroups != 0) return;
      const int64_t at = int64_t{g} / kSuperGroups * 2 * kPanelRows;
      d_ = simd::Avx512Vector::load(packed_.d + at);
      if constexpr (kMinimums) dmin_ = simd::Avx512Vector::load(packed_.dmin + at);
      if constexpr (kSixBits) unpack_factors(packed_.six_bits[g / kSuperGroups]);
    }
  }
  [[gnu::always_inline]] __m512 scale(int g) const {
    const int64_t at = int64_t{g} * kPanelRows;
    if constexpr (is_widened(kForm)) return _mm512_loadu_ps(scales_ + at);
    if constexpr (kForm == ScaleForm::kPlain) return simd::Avx512Vector::load(packed_.d + at);
    if constexpr (kForm == ScaleForm::kChunks)
      return simd::Avx512Vector::load(packed_.d + int64_t{g} / 2 * (kChunkBytes / 2) + g % 2 * kPanelRows);
    if constexpr (kSixBits)
      return _mm512_mul_ps(d_, simd::Avx512Vector::load(plain_.scales + at % (256 / kGroup * kPanelRows)));
    return _mm512_mul_ps(d_, simd::Avx512Vector::load(packed_.factors + at));
  }
  [[gnu::always_inline]] __m512 minimum(int g) const {
    const int64_t at = int64_t{g} * kPanelRows;
    if constexpr (is_widened(kForm)) return _mm512_loadu_ps(minimums_ + at);
    if constexpr (kForm == ScaleForm::kPlain) return simd::Avx512Vector::load(packed_.dmin + at);
    if constexpr (kSixBits)
      return _mm512_mul_ps(dmin_, simd::Avx512Vector::load(plain_.minimums + at % (256 / kGroup * kPanelRows)));
    return _mm512_mul_ps(dmin_, simd::Avx512Vector::load(packed_.minimum_factors + at));
  }

 private:
  template <typename T>
  static const T* behind(const T* p, int64_t n_bytes) {
    return reinterpret_cast<const T*>(reinterpret_cast<const uint8_t*>(p) + n_bytes);
  }

  // SixBitFactors::unpack() in sixteen instructions.
  [[gnu::always_inline]] void unpack_factors(const SixBitFactors& packed) {
    const __m512i low_bits = _mm512_set1_epi8(15);
    const __m512i high_bits = _mm512_set1_epi8(0x30);
    const __m512i high = load_codes(packed.high);
    const auto join = [&](__m512i low, __m512i moved) {  // a | b & c
      return _mm512_ternarylogic_epi32(_mm512_and_si512(low, low_bits), moved, high_bits, 0xf8);
    };
    const __m512i scales = load_codes(packed.scales);
    const __m512i minimums = load_codes(packed.minimums);
    _mm512_store_si512(plain_.scales, join(scales, _mm512_slli_epi16(high, 4)));
    _mm512_store_si512(plain_.scales + 64, join(_mm512_srli_epi16(scales, 4), _mm512_slli_epi16(high, 2)));
    _mm512_store_si512(plain_.minimums, join(minimums, high));
    _mm512_store_si512(plain_.minimums + 64, join(_mm512_srli_epi16(minimums, 4), _mm512_srli_epi16(high, 2)));
  }
  struct Nothing {};

  [[no_unique_address]] std::conditional_t<kSixBits, PlainFactors, Nothing> plain_;
  PackedScales packed_;
  const float* scales_;
  const float* minimums_;
  __m512 d_, dmin_;
};

// What a tile asks for with each of its groups: its share of PanelProduct::ahead.
struct LinesAhead {
  FetchAhead lines;
  int64_t n;
  [[gnu::always_inline]] LinesAhead(const PanelProduct& p, int n_groups)
      : lines(p.ahead), n(lines.lines_per_step(n_groups)) {}
  [[gnu::always_inline]] void fetch() { lines.fetch(n); }
};
// A run of panels has so few instructions that those of FetchAhead would take an eighth of its time. The panels follow
// each other in memory, so the lines are asked for that lie a fixed distance behind what is read, or as far into what
// is read after them: with every group of inputs kLines, as many as its codes have, and one more now and then for its
// scales. Those are read from a panel's beginning on, so the distance is longer than its codes.
template <int kLines>
struct LinesBehind {
  static constexpr int64_t kLeastAhead = 16 << 10;
  const uint8_t* line;
  int64_t left;  // bytes up to the end of the panels
  const uint8_t* then;
  int64_t scale_bytes;  // of a group
  int64_t owed = 0;     // of scales
  [[gnu::always_inline]] LinesBehind(const PanelProduct& p, int n_groups)
      : line(p.codes[0] + distance(p)),
        left(p.end - line),
        then(p.then ? p.then : p.end),
        scale_bytes(p.panel_bytes / n_groups - kLines * FetchAhead::kLine) {
    turn();
  }
  [[gnu::always_inline]] void fetch() {
    take(kLines);
    owed += scale_bytes;
    if (owed >= FetchAhead::kLine) {
      take(1);
      owed -= FetchAhead::kLine;
    }
    turn();
  }

 private:
  static int64_t distance(const PanelProduct& p) {
    constexpr int64_t kBeyondCodes = 8 << 10;
    const int64_t n_bytes = reinterpret_cast<const uint8_t*>(p.packed_scales[0].d) - p.codes[0] + kBeyondCodes;
    return n_bytes > kLeastAhead ? n_bytes : kLeastAhead;
  }
  [[gnu::always_inline]] void take(int n_lines) {
    for (int i = 0; i < n_lines; ++i) __builtin_prefetch(line + i * FetchAhead::kLine, 0, 3);
    line += n_lines * FetchAhead::kLine;
    left -= n_lines * FetchAhead::kLine;
  }
  [[gnu::always_inline]] void turn() {
    if (left > 0) return;
    line = then - left;
    left = INT64_MAX;
  }
};
// Nothing is asked for: once for all rows of a product is enough, and panels in chunks are one run of memory, which the
// processor's own prefetchers follow best where they are left alone.
struct NothingAhead {
  [[gnu::always_inline]] NothingAhead(const PanelProduct&, int) {}
  [[gnu::always_inline]] void fetch() {}
};

}  // namespace mneme::engine::cpu
