// bfloat16 loads, stores and an exponential for sixteen values at a time (AVX-512 with bf16).
#pragma once
#include <immintrin.h>

#include <cstdint>

namespace mneme_train {

using bf16 = uint16_t;

inline __m512 load_bf16(const bf16* p) {
  const __m256i half = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(half), 16));
}

inline void store_bf16(bf16* p, __m512 x) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(x)));
}

// e^x by 2^n times a polynomial on [-0.5, 0.5]; relative error below 3e-6. Very negative x gives 0.
inline __m512 exp16(__m512 x) {
  const __m512 t = _mm512_mul_ps(x, _mm512_set1_ps(1.44269504F));
  const __m512 n = _mm512_roundscale_ps(t, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  const __m512 r = _mm512_sub_ps(t, n);
  __m512 p = _mm512_set1_ps(0.00133336F);
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(0.00961813F));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(0.05550411F));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(0.24022651F));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(0.69314718F));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1.0F));
  return _mm512_scalef_ps(p, n);
}

}  // namespace mneme_train
