// The ceiling loops with AVX-512: eight independent accumulators hide the latency of the multiply-add.
#if defined(__x86_64__)
#include <immintrin.h>

#include "app/measure/ceilings.h"
#include "base/fetch_ahead.h"

namespace mneme::app {
namespace {

// Blocks in eight runs each, the next block asked for meanwhile: one run alone leaves half the memory system idle.
uint64_t read_512(const void* memory, uint64_t bytes) {
  const auto* base = static_cast<const char*>(memory);
  __m512i sums[4] = {_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512()};
  for (uint64_t block = 0; block + kReadBlock <= bytes; block += kReadBlock) {
    const uint64_t next = block + kReadBlock < bytes ? block + kReadBlock : block;
    FetchAhead ahead(base + next, kReadBlock);
    for (uint64_t i = 0; i < kReadBlock / 256; ++i) {
      ahead.fetch(4);
      const char* at = base + block + i % 8 * (kReadBlock / 8) + i / 8 * 256;
      for (int k = 0; k < 4; ++k) sums[k] = _mm512_add_epi64(sums[k], _mm512_loadu_si512(at + 64 * k));
    }
  }
  const __m512i all = _mm512_add_epi64(_mm512_add_epi64(sums[0], sums[1]), _mm512_add_epi64(sums[2], sums[3]));
  return static_cast<uint64_t>(_mm512_reduce_add_epi64(all));
}

// From beginning to end, as the prefetchers of some processors like it best.
uint64_t read_in_order_512(const void* memory, uint64_t bytes) {
  const auto* base = static_cast<const char*>(memory);
  __m512i sums[4] = {_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512()};
  for (uint64_t i = 0; i + 256 <= bytes; i += 256) {
    for (uint64_t k = 0; k < 4; ++k) sums[k] = _mm512_add_epi64(sums[k], _mm512_loadu_si512(base + i + 64 * k));
  }
  const __m512i all = _mm512_add_epi64(_mm512_add_epi64(sums[0], sums[1]), _mm512_add_epi64(sums[2], sums[3]));
  return static_cast<uint64_t>(_mm512_reduce_add_epi64(all));
}

double fma_512(uint64_t iterations, float* sink) {
  __m512 a0 = _mm512_set1_ps(*sink), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0, a7 = a0;
  const __m512 factor = _mm512_set1_ps(0.999f);
  const __m512 term = _mm512_set1_ps(0.5f);
  for (uint64_t i = 0; i < iterations; ++i) {
    a0 = _mm512_fmadd_ps(a0, factor, term);
    a1 = _mm512_fmadd_ps(a1, factor, term);
    a2 = _mm512_fmadd_ps(a2, factor, term);
    a3 = _mm512_fmadd_ps(a3, factor, term);
    a4 = _mm512_fmadd_ps(a4, factor, term);
    a5 = _mm512_fmadd_ps(a5, factor, term);
    a6 = _mm512_fmadd_ps(a6, factor, term);
    a7 = _mm512_fmadd_ps(a7, factor, term);
    // Without this the compiler may see that all accumulators are equal and keep one of them.
    __asm__ volatile("" : "+v"(a0), "+v"(a1), "+v"(a2), "+v"(a3), "+v"(a4), "+v"(a5), "+v"(a6), "+v"(a7));
  }
  const __m512 sum = _mm512_add_ps(_mm512_add_ps(_mm512_add_ps(a0, a1), _mm512_add_ps(a2, a3)),
                                   _mm512_add_ps(_mm512_add_ps(a4, a5), _mm512_add_ps(a6, a7)));
  *sink = _mm512_reduce_add_ps(sum);
  return static_cast<double>(iterations) * 8 * 16 * 2;
}

double dot_512(uint64_t iterations, int32_t* sink) {
  __m512i a0 = _mm512_set1_epi32(*sink), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0, a7 = a0;
  const __m512i left = _mm512_set1_epi8(3);
  const __m512i right = _mm512_set1_epi8(1);
  for (uint64_t i = 0; i < iterations; ++i) {
    a0 = _mm512_dpbusd_epi32(a0, left, right);
    a1 = _mm512_dpbusd_epi32(a1, left, right);
    a2 = _mm512_dpbusd_epi32(a2, left, right);
    a3 = _mm512_dpbusd_epi32(a3, left, right);
    a4 = _mm512_dpbusd_epi32(a4, left, right);
    a5 = _mm512_dpbusd_epi32(a5, left, right);
    a6 = _mm512_dpbusd_epi32(a6, left, right);
    a7 = _mm512_dpbusd_epi32(a7, left, right);
    __asm__ volatile("" : "+v"(a0), "+v"(a1), "+v"(a2), "+v"(a3), "+v"(a4), "+v"(a5), "+v"(a6), "+v"(a7));
  }
  const __m512i sum = _mm512_add_epi32(_mm512_add_epi32(_mm512_add_epi32(a0, a1), _mm512_add_epi32(a2, a3)),
                                       _mm512_add_epi32(_mm512_add_epi32(a4, a5), _mm512_add_epi32(a6, a7)));
  *sink = _mm512_reduce_add_epi32(sum);
  return static_cast<double>(iterations) * 8 * 64 * 2;
}

}  // namespace

CeilingKernels ceiling_kernels_avx512() {
  return {.reads = {read_512, read_in_order_512}, .f32_fma = fma_512, .int8_dot = dot_512};
}

}  // namespace mneme::app
#endif
