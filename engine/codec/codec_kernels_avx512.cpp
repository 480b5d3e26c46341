#include "engine/codec/codec_kernels_impl.h"

#if defined(__AVX512F__)

#include <immintrin.h>

namespace mneme::engine::codec_detail {

namespace {

struct Avx512 {
  using Float = __m512;
  static constexpr int kWidth = 16;
  static constexpr int kVectors = 4;
  static Float load(const float* p) { return _mm512_loadu_ps(p); }
  static void store(float* p, Float v) { _mm512_storeu_ps(p, v); }
  static Float set(float v) { return _mm512_set1_ps(v); }
  static Float fma(Float a, Float b, Float c) { return _mm512_fmadd_ps(a, b, c); }
  static Float sub(Float a, Float b) { return _mm512_sub_ps(a, b); }
  static Float mul(Float a, Float b) { return _mm512_mul_ps(a, b); }
  static Float from_bytes(const uint8_t* p) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    return _mm512_maskz_cvtepi32_ps(0xffff, _mm512_maskz_cvtepu8_epi32(0xffff, bytes));
  }
  static Float signed_like(Float magnitude, Float v) {
    const __m512 zero = _mm512_setzero_ps();
    const __mmask16 above = _mm512_cmp_ps_mask(v, zero, _CMP_GT_OQ);
    const __mmask16 below = _mm512_cmp_ps_mask(v, zero, _CMP_LT_OQ);
    return _mm512_mask_sub_ps(_mm512_maskz_mov_ps(above, magnitude), below, zero, magnitude);
  }
  static Float load_half(const f16* p) {
    return _mm512_maskz_cvtph_ps(0xffff, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
  }
  static Float finite_difference(Float a, Float b) {
    const __mmask16 finite = _mm512_cmp_ps_mask(_mm512_abs_ps(a), _mm512_set1_ps(65536.0f), _CMP_LT_OQ);
    return _mm512_maskz_sub_ps(finite, a, b);
  }
  static void store_half(f16* p, Float v) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_maskz_cvtps_ph(0xffff, v, _MM_FROUND_TO_NEAREST_INT));
  }
};

}  // namespace

const CodecKernels kAvx512Kernels = {multiply<Avx512>, dequantise<Avx512>, centre<Avx512>, to_half<Avx512>};

}  // namespace mneme::engine::codec_detail

#else

namespace mneme::engine::codec_detail {
const CodecKernels kAvx512Kernels = {};
}  // namespace mneme::engine::codec_detail

#endif
