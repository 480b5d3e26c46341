#include "rag/retrieval/int8_dot.h"

#if defined(__AVX512BW__)
#include <immintrin.h>
#endif

namespace mneme::rag::int8_dot_detail {

#if defined(__AVX512BW__)

namespace {

__m512i widen(const int8_t* p) {
  return _mm512_cvtepi8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}

}  // namespace

int32_t dot_int8_avx512(const int8_t* a, const int8_t* b, size_t n) {
  __m512i sum = _mm512_setzero_si512();
  size_t i = 0;
  for (; i + 32 <= n; i += 32) sum = _mm512_add_epi32(sum, _mm512_madd_epi16(widen(a + i), widen(b + i)));
  return _mm512_reduce_add_epi32(sum) + dot_int8_portable(a + i, b + i, n - i);
}

int32_t dot_int16_int8_avx512(const int16_t* a, const int8_t* b, size_t n) {
  __m512i sum = _mm512_setzero_si512();
  size_t i = 0;
  for (; i + 32 <= n; i += 32) {
    const __m512i x = _mm512_loadu_si512(a + i);
    sum = _mm512_add_epi32(sum, _mm512_madd_epi16(x, widen(b + i)));
  }
  return _mm512_reduce_add_epi32(sum) + dot_int16_int8_portable(a + i, b + i, n - i);
}

#else

int32_t dot_int8_avx512(const int8_t* a, const int8_t* b, size_t n) {
  return dot_int8_portable(a, b, n);
}
int32_t dot_int16_int8_avx512(const int16_t* a, const int8_t* b, size_t n) {
  return dot_int16_int8_portable(a, b, n);
}

#endif

}  // namespace mneme::rag::int8_dot_detail
