#include "engine/codec/codec_kernels_impl.h"

#if defined(__AVX2__)

#include <immintrin.h>

#include <cstring>

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
  static Float from_bytes(const uint8_t* p) {
    return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))));
  }
  static Float add(Float a, Float b) { return _mm256_add_ps(a, b); }
  static Float mul(Float a, Float b) { return _mm256_mul_ps(a, b); }
  static Float min(Float a, Float b) { return _mm256_min_ps(a, b); }
  static Float magnitude(Float v) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), v); }
  static Float truncate(Float v) { return _mm256_round_ps(v, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC); }
  static Float signed_like(Float magnitude, Float v) {
    const __m256 below = _mm256_cmp_ps(v, _mm256_setzero_ps(), _CMP_LT_OQ);
    return _mm256_xor_ps(magnitude, _mm256_and_ps(below, _mm256_set1_ps(-0.0f)));
  }
  static bool any_greater(Float a, Float b) { return _mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_GT_OQ)) != 0; }
  static void store_bytes(uint8_t* p, Float v) {
    const __m256i whole = _mm256_cvttps_epi32(v);
    const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(p), _mm_packus_epi16(words, words));
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

  static void transpose_block(const uint8_t* in, int64_t in_stride, uint8_t* out, int64_t out_stride) {
    transpose_block_sse<Avx2>(in, in_stride, out, out_stride);
  }

  using Int = __m256i;
  using PairRow = __m256i;
  static Int zero_int() { return _mm256_setzero_si256(); }
  static PairRow load_pairs(const int16_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
  static Int add_products(Int sum, const int16_t* pair, PairRow row) {
    int32_t both;
    std::memcpy(&both, pair, sizeof(both));
    return _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_set1_epi32(both), row));
  }
  static Float to_float(Int v) { return _mm256_cvtepi32_ps(v); }

  using Shorts = __m256i;
  static constexpr int kShorts = 16;
  static Shorts shorts_from_bytes(const uint8_t* p) {
    return _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  }
  static Shorts set_shorts(int v) { return _mm256_set1_epi16(static_cast<int16_t>(v)); }
  static Shorts sub_shorts(Shorts a, Shorts b) { return _mm256_sub_epi16(a, b); }
  static Shorts times_unit(Shorts v) { return _mm256_slli_epi16(v, 4); }
  static Shorts towards_zero(Shorts v, Shorts sign, Shorts shrink) {
    return _mm256_sub_epi16(v, _mm256_sign_epi16(shrink, sign));
  }
  static void store_pairs(int16_t* p, Shorts first, Shorts second) {
    const __m256i low = _mm256_unpacklo_epi16(first, second);  // works within halves, which are put right after
    const __m256i high = _mm256_unpackhi_epi16(first, second);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm256_permute2x128_si256(low, high, 0x20));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p + 16), _mm256_permute2x128_si256(low, high, 0x31));
  }
};

}  // namespace

const CodecKernels kAvx2Kernels = make_kernels<Avx2>();

}  // namespace mneme::engine::codec_detail

#else

namespace mneme::engine::codec_detail {
const CodecKernels kAvx2Kernels = {};
}  // namespace mneme::engine::codec_detail

#endif
