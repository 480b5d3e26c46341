#include "rag/vectors/int8_dot.h"

#if defined(__AVX512BW__)
#include <immintrin.h>
#endif

namespace mneme::rag::int8_dot_detail {

#if defined(__AVX512BW__)

namespace {

constexpr size_t kTogether = 4;  // rows
constexpr size_t kAhead = 16;    // rows that are fetched before their turn

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

void dot_int16_rows_avx512(const int16_t* a, const int8_t* rows, size_t n_rows, size_t n, int32_t* dots) {
  const size_t whole = n - n % 32;
  size_t r = 0;
  for (; r + kTogether <= n_rows; r += kTogether) {
    const int8_t* row = rows + r * n;
    __m512i sums[kTogether] = {_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(),
                               _mm512_setzero_si512()};
    for (size_t i = 0; i < whole; i += 32) {
      const __m512i x = _mm512_loadu_si512(a + i);
      for (size_t k = 0; k < kTogether; ++k) {
        _mm_prefetch(reinterpret_cast<const char*>(row + (kAhead + k) * n + i), _MM_HINT_T0);
        sums[k] = _mm512_add_epi32(sums[k], _mm512_madd_epi16(x, widen(row + k * n + i)));
      }
    }
    for (size_t k = 0; k < kTogether; ++k) {
      dots[r + k] = _mm512_reduce_add_epi32(sums[k]);
      if (whole < n) dots[r + k] += dot_int16_int8_portable(a + whole, row + k * n + whole, n - whole);
    }
  }
  for (; r < n_rows; ++r) dots[r] = dot_int16_int8_avx512(a, rows + r * n, n);
}

#else

int32_t dot_int8_avx512(const int8_t* a, const int8_t* b, size_t n) {
  return dot_int8_portable(a, b, n);
}
int32_t dot_int16_int8_avx512(const int16_t* a, const int8_t* b, size_t n) {
  return dot_int16_int8_portable(a, b, n);
}
void dot_int16_rows_avx512(const int16_t* a, const int8_t* rows, size_t n_rows, size_t n, int32_t* dots) {
  dot_int16_rows_portable(a, rows, n_rows, n, dots);
}

#endif

}  // namespace mneme::rag::int8_dot_detail
