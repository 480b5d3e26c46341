#include "engine/codec/codec_kernels_impl.h"

#if defined(__AVX2__)

#include <immintrin.h>

namespace mneme::engine::codec_detail {

namespace {

struct Avx2 {
  using Float = __m256;
  static constexpr int kWidth = 8;
  static constexpr int kVectors = 2;
  static Float load(const float* p) { return _mm256_loadu_ps(p); }
  static void store(float* p, Float v) { _mm256_storeu_ps(p, v); }
  static Float set(float v) { return _mm256_set1_ps(v); }
  static Float fma(Float a, Float b, Float c) { return _mm256_fmadd_ps(a, b, c); }
  static Float sub(Float a, Float b) { return _mm256_sub_ps(a, b); }
  static Float mul(Float a, Float b) { return _mm256_mul_ps(a, b); }
  static Float from_bytes(const uint8_t* p) {
    return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))));
  }
  static Float signed_like(Float magnitude, Float v) {
    const __m256 zero = _mm256_setzero_ps();
    const __m256 above = _mm256_and_ps(_mm256_cmp_ps(v, zero, _CMP_GT_OQ), magnitude);
    const __m256 below = _mm256_and_ps(_mm256_cmp_ps(v, zero, _CMP_LT_OQ), magnitude);
    return _mm256_sub_ps(above, below);
  }
  static Float load_half(const f16* p) { return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))); }
  static Float finite_difference(Float a, Float b) {
    const __m256 magnitude = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
    const __m256 finite = _mm256_cmp_ps(magnitude, _mm256_set1_ps(65536.0f), _CMP_LT_OQ);
    return _mm256_and_ps(finite, _mm256_sub_ps(a, b));
  }
  static void store_half(f16* p, Float v) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT));
  }
};

}  // namespace

const CodecKernels kAvx2Kernels = {multiply<Avx2>, dequantise<Avx2>, centre<Avx2>, to_half<Avx2>};

}  // namespace mneme::engine::codec_detail

#else

namespace mneme::engine::codec_detail {
const CodecKernels kAvx2Kernels = {};
}  // namespace mneme::engine::codec_detail

#endif
