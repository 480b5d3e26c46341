// Eight floats at a time (AVX2, FMA, F16C). Include only from files compiled for AVX2.
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "base/f16.h"

namespace mneme::engine::simd {

struct Avx2Vector {
  static constexpr int kWidth = 8;
  static constexpr const char* kName = "avx2";
  using F = __m256;
  static F zero() { return _mm256_setzero_ps(); }
  static F set(float x) { return _mm256_set1_ps(x); }
  static F set(f16 x) { return _mm256_set1_ps(_cvtsh_ss(x.bits)); }
  static F load(const float* p) { return _mm256_loadu_ps(p); }
  static F load(const f16* p) { return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))); }
  static F load(const bf16* p) {
    const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
  }
  static F load(const int8_t* p) {
    return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))));
  }
  static F load(const uint8_t* p) {
    return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))));
  }
  template <typename T>
  static F load_part(const T* p, int count) {
    T padded[kWidth] = {};
    for (int i = 0; i < count; ++i) padded[i] = p[i];
    return load(padded);
  }
  static void store(float* p, F x) { _mm256_storeu_ps(p, x); }
  static void store(f16* p, F x) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT));
  }
  template <typename T>
  static void store_part(T* p, F x, int count) {
    T padded[kWidth];
    store(padded, x);
    for (int i = 0; i < count; ++i) p[i] = padded[i];
  }
  static F add(F a, F b) { return _mm256_add_ps(a, b); }
  static F sub(F a, F b) { return _mm256_sub_ps(a, b); }
  static F mul(F a, F b) { return _mm256_mul_ps(a, b); }
  static F div(F a, F b) { return _mm256_div_ps(a, b); }
  static F fma(F a, F b, F c) { return _mm256_fmadd_ps(a, b, c); }
  static F max(F a, F b) { return _mm256_max_ps(a, b); }
  static F min(F a, F b) { return _mm256_min_ps(a, b); }
  static F round(F a) { return _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
  // n is whole and in [-126, 127].
  static F scale_by_power_of_two(F a, F n) {
    const __m256i exponent = _mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127)), 23);
    return _mm256_mul_ps(a, _mm256_castsi256_ps(exponent));
  }
  // Whole numbers in [-128, 127].
  static void store_int8(int8_t* p, F x) {
    const __m256i wide = _mm256_cvtps_epi32(x);
    const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(wide), _mm256_extracti128_si256(wide, 1));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(p), _mm_packs_epi16(words, words));
  }
  // Four numbers, each in two neighbouring lanes.
  static F load_twice(const float* p) {
    const __m256i twice = _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3);
    return _mm256_permutevar8x32_ps(_mm256_castps128_ps256(_mm_loadu_ps(p)), twice);
  }
  // Neighbouring lanes (a, b) to (a cos - b sin, b cos + a sin).
  static F rotate_pairs(F x, F cosines, F sines) {
    return _mm256_fmaddsub_ps(x, cosines, _mm256_mul_ps(_mm256_permute_ps(x, 0xb1), sines));
  }
  static float sum(F a) {
    __m128 s = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
  }
  // Lane i: the sum of the lanes of rows[i].
  static F sum_each(const F (&rows)[kWidth]) {
    F halves[kWidth / 2];
    for (int i = 0; i < kWidth / 2; ++i) halves[i] = fold(rows[first_of_pair(i)], rows[second_of_pair(i)]);
    return sum_folded(halves);
  }
  // The same in two steps, for those who have two rows at a time: pair i is rows 2 i and 2 i + 1.
  static constexpr int first_of_pair(int i) { return 2 * i; }
  static constexpr int second_of_pair(int i) { return 2 * i + 1; }
  static F fold(F a, F b) { return _mm256_hadd_ps(a, b); }
  static F sum_folded(const F (&halves)[kWidth / 2]) {
    const F a = _mm256_hadd_ps(halves[0], halves[1]);
    const F b = _mm256_hadd_ps(halves[2], halves[3]);
    return _mm256_add_ps(_mm256_permute2f128_ps(a, b, 0x20), _mm256_permute2f128_ps(a, b, 0x31));
  }
  static float largest(F a) {
    __m128 s = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    s = _mm_max_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_max_ss(s, _mm_movehdup_ps(s)));
  }
};

}  // namespace mneme::engine::simd
