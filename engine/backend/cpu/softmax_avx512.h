// The softmax of one query over a page's scores, sixteen at a time, where a last bit more or less does not count: a
// shorter exponential than that of engine/simd, and no pass over what is not seen. A template on a type of the
// including file, so that nothing compiled with other flags is taken for it. Include only from files compiled for
// AVX-512. Threads: pure functions.
#pragma once

#include "engine/simd/avx512_vector.h"  // first: it silences false warnings from the intrinsics

#include <cmath>
#include <cstdint>

#include "engine/backend/cpu/float_kernels.h"
#include "engine/backend/cpu/kernels.h"

namespace mneme::engine::cpu {

template <class V>
struct MaskedSoftmax {
  // e^(x - shift) where `seen`, else 0, for x - shift <= 0: 2^t with its whole part added to the exponent. The
  // polynomial is off by 2e-7 at most; weights below 2^-100 become zero.
  struct Exponential {
    static constexpr float kLog2E = 1.44269504f;
    __m512 minus_shift;  // in powers of two
    explicit Exponential(float shift) : minus_shift(_mm512_set1_ps(-shift * kLog2E)) {}

    __m512 operator()(__m512 x, __mmask16 seen) const {
      const __m512 t = _mm512_fmadd_ps(x, _mm512_set1_ps(kLog2E), minus_shift);
      const __mmask16 counts = _mm512_mask_cmp_ps_mask(seen, t, _mm512_set1_ps(-100.0f), _CMP_NLE_UQ);
      const __m512 f = _mm512_reduce_ps(t, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);  // t - floor(t)
      __m512 p = _mm512_set1_ps(1.87757669e-3f);
      p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(8.98934063e-3f));
      p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(5.58263175e-2f));
      p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(2.40153611e-1f));
      p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(6.93153083e-1f));
      p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(9.9999994e-1f));
      return _mm512_maskz_scalef_ps(counts, p, t);
    }
  };

  // Keys from which on no query of [begin, end) sees any.
  static int end_of_seen(const AttentionPage& page, int begin, int end) {
    int last = 0;
    for (int i = begin; i < end; ++i)
      if (page.first[i] < page.end[i] && page.end[i] > last) last = page.end[i];
    return last < page.n_keys ? last : page.n_keys;
  }

  // The lanes of [i, i + 16) that lie in [first, end).
  static __mmask16 lanes_seen(int i, int first, int end) {
    const auto below = [i](int limit) {
      const int n = limit - i;
      return n <= 0 ? 0u : n >= 16 ? 0xffffu : (1u << n) - 1u;
    };
    return static_cast<__mmask16>(below(end) & ~below(first));
  }

  // The scores of one query over n keys, a multiple of 32, become weights: store(i, low, high) gets those of keys i to
  // i + 31. Running maximum and sum move on, the output so far is scaled to match.
  template <class Store>
  static void soften(const AttentionPage& page, int query, int n, float* scores, Store store) {
    const int first = page.first[query];
    const int end = page.end[query];
    if (page.softcap > 0) FloatKernels<V>::softcap(page.softcap, n, scores);
    __m512 most = _mm512_set1_ps(-__builtin_inff());
    for (int i = 0; i < n; i += 16)
      most = _mm512_mask_max_ps(most, lanes_seen(i, first, end), most, _mm512_load_ps(scores + i));
    const float old_maximum = page.maximum[query];
    const float page_maximum = _mm512_reduce_max_ps(most);
    const float maximum = page_maximum > old_maximum ? page_maximum : old_maximum;
    // Nothing seen so far: all lanes are masked below, and the shift must be a number.
    const Exponential exponential(maximum == -__builtin_inff() ? 0.0f : maximum);
    __m512 total = _mm512_setzero_ps();
    for (int i = 0; i < n; i += 32) {
      const __m512 low = exponential(_mm512_load_ps(scores + i), lanes_seen(i, first, end));
      const __m512 high = exponential(_mm512_load_ps(scores + i + 16), lanes_seen(i + 16, first, end));
      total = _mm512_add_ps(total, _mm512_add_ps(low, high));
      store(i, low, high);
    }
    float correction = 1.0f;
    if (maximum > old_maximum) {
      correction = old_maximum == -__builtin_inff() ? 0.0f : std::exp(old_maximum - maximum);
      float* out = page.out + int64_t{query} * page.value_stride;
      for (int d = 0; d < page.value_stride; d += 16)
        _mm512_storeu_ps(out + d, _mm512_mul_ps(_mm512_loadu_ps(out + d), _mm512_set1_ps(correction)));
    }
    page.maximum[query] = maximum;
    page.sum[query] = page.sum[query] * correction + _mm512_reduce_add_ps(total);
  }
};

}  // namespace mneme::engine::cpu
