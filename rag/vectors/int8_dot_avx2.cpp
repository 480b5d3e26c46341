#include "rag/vectors/int8_dot.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace mneme::rag::int8_dot_detail {

#if defined(__AVX2__)

namespace {

constexpr size_t kTogether = 4;  // rows
constexpr size_t kAhead = 16;    // rows that are fetched before their turn

int32_t sum_of(__m256i v) {
  __m128i s = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
  s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0xb1));
  return _mm_cvtsi128_si32(s);
}

__m256i widen(const int8_t* p) {
  return _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}

}  // namespace

int32_t dot_int8_avx2(const int8_t* a, const int8_t* b, size_t n) {
  __m256i sum = _mm256_setzero_si256();
  size_t i = 0;
  for (; i + 16 <= n; i += 16) sum = _mm256_add_epi32(sum, _mm256_madd_epi16(widen(a + i), widen(b + i)));
  return sum_of(sum) + dot_int8_portable(a + i, b + i, n - i);
}

int32_t dot_int16_int8_avx2(const int16_t* a, const int8_t* b, size_t n) {
  __m256i sum = _mm256_setzero_si256();
  size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a + i));
    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(x, widen(b + i)));
  }
  return sum_of(sum) + dot_int16_int8_portable(a + i, b + i, n - i);
}

void dot_int16_rows_avx2(const int16_t* a, const int8_t* rows, size_t n_rows, size_t n, int32_t* dots) {
  const size_t whole = n - n % 16;
  size_t r = 0;
  for (; r + kTogether <= n_rows; r += kTogether) {
    const int8_t* row = rows + r * n;
    __m256i sums[kTogether] = {_mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256(),
                               _mm256_setzero_si256()};
    for (size_t i = 0; i < whole; i += 16) {
      const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a + i));
      for (size_t k = 0; k < kTogether; ++k) {
        _mm_prefetch(reinterpret_cast<const char*>(row + (kAhead + k) * n + i), _MM_HINT_T0);
        sums[k] = _mm256_add_epi32(sums[k], _mm256_madd_epi16(x, widen(row + k * n + i)));
      }
    }
    for (size_t k = 0; k < kTogether; ++k) {
      dots[r + k] = sum_of(sums[k]);
      if (whole < n) dots[r + k] += dot_int16_int8_portable(a + whole, row + k * n + whole, n - whole);
    }
  }
  for (; r < n_rows; ++r) dots[r] = dot_int16_int8_avx2(a, rows + r * n, n);
}

#else

int32_t dot_int8_avx2(const int8_t* a, const int8_t* b, size_t n) {
  return dot_int8_portable(a, b, n);
}
int32_t dot_int16_int8_avx2(const int16_t* a, const int8_t* b, size_t n) {
  return dot_int16_int8_portable(a, b, n);
}
void dot_int16_rows_avx2(const int16_t* a, const int8_t* rows, size_t n_rows, size_t n, int32_t* dots) {
  dot_int16_rows_portable(a, rows, n_rows, n, dots);
}

#endif

}  // namespace mneme::rag::int8_dot_detail
