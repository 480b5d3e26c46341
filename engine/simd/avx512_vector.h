// Sixteen floats at a time (AVX-512). Include only from files compiled for AVX-512.
#pragma once

// GCC 12 takes the undefined vectors inside its own intrinsics for mistakes of ours (GCC bug 105593).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <immintrin.h>

#include <cstdint>

#include "base/f16.h"

namespace mneme::engine::simd {

struct Avx512Vector {
  static constexpr int kWidth = 16;
  static constexpr const char* kName = "avx512";
  using F = __m512;
  static __mmask16 first_lanes(int count) { return static_cast<__mmask16>((1u << count) - 1u); }
  static F widen_bf16(__m256i halves) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
  }
  static F zero() { return _mm512_setzero_ps(); }
  static F set(float x) { return _mm512_set1_ps(x); }
  static F set(f16 x) { return _mm512_set1_ps(_cvtsh_ss(x.bits)); }
  static F load(const float* p) { return _mm512_loadu_ps(p); }
  static F load(const f16* p) { return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))); }
  static F load(const bf16* p) { return widen_bf16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))); }
  static F load(const int8_t* p) {
    return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
  }
  static F load(const uint8_t* p) {
    return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
  }
  static F load_part(const float* p, int count) { return _mm512_maskz_loadu_ps(first_lanes(count), p); }
  static F load_part(const f16* p, int count) {
    return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(first_lanes(count), p));
  }
  static F load_part(const bf16* p, int count) { return widen_bf16(_mm256_maskz_loadu_epi16(first_lanes(count), p)); }
  static void store(float* p, F x) { _mm512_storeu_ps(p, x); }
  static __m256i narrow(F x) { return _mm512_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
  static void store(f16* p, F x) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), narrow(x)); }
  static void store_part(float* p, F x, int count) { _mm512_mask_storeu_ps(p, first_lanes(count), x); }
  static void store_part(f16* p, F x, int count) { _mm256_mask_storeu_epi16(p, first_lanes(count), narrow(x)); }
  static F add(F a, F b) { return _mm512_add_ps(a, b); }
  static F sub(F a, F b) { return _mm512_sub_ps(a, b); }
  static F mul(F a, F b) { return _mm512_mul_ps(a, b); }
  static F div(F a, F b) { return _mm512_div_ps(a, b); }
  static F fma(F a, F b, F c) { return _mm512_fmadd_ps(a, b, c); }
  static F max(F a, F b) { return _mm512_max_ps(a, b); }
  static F min(F a, F b) { return _mm512_min_ps(a, b); }
  static F round(F a) { return _mm512_roundscale_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
  static F scale_by_power_of_two(F a, F n) { return _mm512_scalef_ps(a, n); }
  // Whole numbers in [-128, 127].
  static void store_int8(int8_t* p, F x) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm512_cvtsepi32_epi8(_mm512_cvtps_epi32(x)));
  }
  // Eight numbers, each in two neighbouring lanes.
  static F load_twice(const float* p) {
    const __m512i twice = _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
    return _mm512_permutexvar_ps(twice, _mm512_castps256_ps512(_mm256_loadu_ps(p)));
  }
  // Neighbouring lanes (a, b) to (a cos - b sin, b cos + a sin).
  static F rotate_pairs(F x, F cosines, F sines) {
    return _mm512_fmaddsub_ps(x, cosines, _mm512_mul_ps(_mm512_permute_ps(x, 0xb1), sines));
  }
  static float sum(F a) { return _mm512_reduce_add_ps(a); }
  static float largest(F a) { return _mm512_reduce_max_ps(a); }
  // Lane i: the sum of the lanes of rows[i]. Vectors are folded two into one until one is left.
  static F sum_each(const F (&rows)[kWidth]) {
    F halves[kWidth / 2];
    for (int i = 0; i < kWidth / 2; ++i) halves[i] = fold(rows[first_of_pair(i)], rows[second_of_pair(i)]);
    return sum_folded(halves);
  }
  // The same in two steps, for those who have two rows at a time: pair i is rows i and i + 8. Half of what is moved is
  // blended, which more of the processor's units can do than shuffle.
  static constexpr int first_of_pair(int i) { return i; }
  static constexpr int second_of_pair(int i) { return i + kWidth / 2; }
  static F fold(F a, F b) {
    const __m512d x = _mm512_castps_pd(a);
    const __m512d y = _mm512_castps_pd(b);
    const F moved = _mm512_castpd_ps(_mm512_shuffle_f64x2(x, y, 0x4e));  // the upper half of a, the lower of b
    return _mm512_add_ps(moved, _mm512_castpd_ps(_mm512_mask_blend_pd(0xf0, x, y)));
  }
  static F sum_folded(const F (&halves)[kWidth / 2]) {
    F quarters[4];  // of rows i, i + 8, i + 4, i + 12
    for (int i = 0; i < 4; ++i)
      quarters[i] = _mm512_add_ps(_mm512_shuffle_f32x4(halves[i], halves[i + 4], 0x88),
                                  _mm512_shuffle_f32x4(halves[i], halves[i + 4], 0xdd));
    F pairs[2];
    for (int i = 0; i < 2; ++i)
      pairs[i] = _mm512_add_ps(_mm512_unpacklo_ps(quarters[i], quarters[i + 2]),
                               _mm512_unpackhi_ps(quarters[i], quarters[i + 2]));
    const F sums = _mm512_add_ps(_mm512_unpacklo_ps(pairs[0], pairs[1]), _mm512_unpackhi_ps(pairs[0], pairs[1]));
    return _mm512_shuffle_f32x4(sums, sums, 0xd8);  // the rows' quarters into order
  }
};

}  // namespace mneme::engine::simd
