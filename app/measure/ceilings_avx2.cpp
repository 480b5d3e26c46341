// The ceiling loops with AVX2. Without VNNI an 8-bit dot product is multiply-add of pairs, widen, add: three
// instructions for 64 operations.
#if defined(__x86_64__)
#include <immintrin.h>

#include "app/measure/ceilings.h"
#include "base/fetch_ahead.h"

namespace mneme::app {
namespace {

// Blocks in eight runs each, the next block asked for meanwhile: one run alone leaves half the memory system idle.
uint64_t read_256(const void* memory, uint64_t bytes) {
  const auto* base = static_cast<const char*>(memory);
  __m256i sums[4] = {_mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256()};
  for (uint64_t block = 0; block + kReadBlock <= bytes; block += kReadBlock) {
    const uint64_t next = block + kReadBlock < bytes ? block + kReadBlock : block;
    FetchAhead ahead(base + next, kReadBlock);
    for (uint64_t i = 0; i < kReadBlock / 128; ++i) {
      ahead.fetch(2);
      const auto* at = reinterpret_cast<const __m256i*>(base + block + i % 8 * (kReadBlock / 8) + i / 8 * 128);
      for (int k = 0; k < 4; ++k) sums[k] = _mm256_add_epi64(sums[k], _mm256_loadu_si256(at + k));
    }
  }
  const __m256i all = _mm256_add_epi64(_mm256_add_epi64(sums[0], sums[1]), _mm256_add_epi64(sums[2], sums[3]));
  alignas(32) uint64_t parts[4];
  _mm256_store_si256(reinterpret_cast<__m256i*>(parts), all);
  return parts[0] + parts[1] + parts[2] + parts[3];
}

double fma_256(uint64_t iterations, float* sink) {
  __m256 a0 = _mm256_set1_ps(*sink), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0, a7 = a0;
  const __m256 factor = _mm256_set1_ps(0.999f);
  const __m256 term = _mm256_set1_ps(0.5f);
  for (uint64_t i = 0; i < iterations; ++i) {
    a0 = _mm256_fmadd_ps(a0, factor, term);
    a1 = _mm256_fmadd_ps(a1, factor, term);
    a2 = _mm256_fmadd_ps(a2, factor, term);
    a3 = _mm256_fmadd_ps(a3, factor, term);
    a4 = _mm256_fmadd_ps(a4, factor, term);
    a5 = _mm256_fmadd_ps(a5, factor, term);
    a6 = _mm256_fmadd_ps(a6, factor, term);
    a7 = _mm256_fmadd_ps(a7, factor, term);
    __asm__ volatile("" : "+x"(a0), "+x"(a1), "+x"(a2), "+x"(a3), "+x"(a4), "+x"(a5), "+x"(a6), "+x"(a7));
  }
  alignas(32) float parts[8];
  _mm256_store_ps(parts, _mm256_add_ps(_mm256_add_ps(_mm256_add_ps(a0, a1), _mm256_add_ps(a2, a3)),
                                       _mm256_add_ps(_mm256_add_ps(a4, a5), _mm256_add_ps(a6, a7))));
  for (const float part : parts) *sink += part;
  return static_cast<double>(iterations) * 8 * 8 * 2;
}

double dot_256(uint64_t iterations, int32_t* sink) {
  __m256i a0 = _mm256_set1_epi32(*sink), a1 = a0, a2 = a0, a3 = a0;
  __m256i left = _mm256_set1_epi8(3);
  const __m256i right = _mm256_set1_epi8(1);
  const __m256i ones = _mm256_set1_epi16(1);
  for (uint64_t i = 0; i < iterations; ++i) {
    __asm__ volatile("" : "+x"(left));  // a new product each time
    a0 = _mm256_add_epi32(a0, _mm256_madd_epi16(_mm256_maddubs_epi16(left, right), ones));
    __asm__ volatile("" : "+x"(left));
    a1 = _mm256_add_epi32(a1, _mm256_madd_epi16(_mm256_maddubs_epi16(left, right), ones));
    __asm__ volatile("" : "+x"(left));
    a2 = _mm256_add_epi32(a2, _mm256_madd_epi16(_mm256_maddubs_epi16(left, right), ones));
    __asm__ volatile("" : "+x"(left));
    a3 = _mm256_add_epi32(a3, _mm256_madd_epi16(_mm256_maddubs_epi16(left, right), ones));
    __asm__ volatile("" : "+x"(a0), "+x"(a1), "+x"(a2), "+x"(a3));
  }
  alignas(32) int32_t parts[8];
  _mm256_store_si256(reinterpret_cast<__m256i*>(parts),
                     _mm256_add_epi32(_mm256_add_epi32(a0, a1), _mm256_add_epi32(a2, a3)));
  for (const int32_t part : parts) *sink += part;
  return static_cast<double>(iterations) * 4 * 32 * 2;
}

}  // namespace

CeilingKernels ceiling_kernels_avx2() {
  return {.reads = {read_256, ceiling_kernels_portable().reads[0]}, .f32_fma = fma_256, .int8_dot = dot_256};
}

}  // namespace mneme::app
#endif
