#include "engine/codec/codec_kernels_impl.h"

#if defined(__AVX512F__)

#include <immintrin.h>

#include <array>
#include <cstring>

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
  static Float from_bytes(const uint8_t* p) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    return _mm512_maskz_cvtepi32_ps(0xffff, _mm512_maskz_cvtepu8_epi32(0xffff, bytes));
  }
  static Float add(Float a, Float b) { return _mm512_add_ps(a, b); }
  static Float mul(Float a, Float b) { return _mm512_mul_ps(a, b); }
  static Float min(Float a, Float b) { return _mm512_min_ps(a, b); }
  static Float magnitude(Float v) { return _mm512_abs_ps(v); }
  static Float truncate(Float v) { return _mm512_roundscale_ps(v, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC); }
  static Float signed_like(Float magnitude, Float v) {
    const __mmask16 below = _mm512_cmp_ps_mask(v, _mm512_setzero_ps(), _CMP_LT_OQ);
    return _mm512_mask_sub_ps(magnitude, below, _mm512_setzero_ps(), magnitude);
  }
  static bool any_greater(Float a, Float b) { return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ) != 0; }
  static void store_bytes(uint8_t* p, Float v) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm512_cvtepi32_epi8(_mm512_cvttps_epi32(v)));
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

  static void transpose_block(const uint8_t* in, int64_t in_stride, uint8_t* out, int64_t out_stride) {
    transpose_block_sse<Avx512>(in, in_stride, out, out_stride);
  }

  using Int = __m512i;
  using PairRow = __m512i;
  static Int zero_int() { return _mm512_setzero_si512(); }
  static PairRow load_pairs(const int16_t* p) { return _mm512_loadu_si512(p); }
  static Int add_products(Int sum, const int16_t* pair, PairRow row) {
    int32_t both;
    std::memcpy(&both, pair, sizeof(both));
    return _mm512_dpwssd_epi32(sum, _mm512_set1_epi32(both), row);
  }
  static Float to_float(Int v) { return _mm512_cvtepi32_ps(v); }

  using Shorts = __m512i;
  static constexpr int kShorts = 32;
  static Shorts shorts_from_bytes(const uint8_t* p) {
    return _mm512_cvtepu8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
  }
  static Shorts set_shorts(int v) { return _mm512_set1_epi16(static_cast<int16_t>(v)); }
  static Shorts sub_shorts(Shorts a, Shorts b) { return _mm512_sub_epi16(a, b); }
  static Shorts times_unit(Shorts v) { return _mm512_slli_epi16(v, 4); }
  static Shorts towards_zero(Shorts v, Shorts sign, Shorts shrink) {
    const __m512i less = _mm512_mask_sub_epi16(v, _mm512_cmpgt_epi16_mask(sign, _mm512_setzero_si512()), v, shrink);
    return _mm512_mask_add_epi16(less, _mm512_cmplt_epi16_mask(sign, _mm512_setzero_si512()), v, shrink);
  }
  static void store_pairs(int16_t* p, Shorts first, Shorts second) {
    alignas(64) static constexpr std::array<int16_t, 64> kOrder = [] {
      std::array<int16_t, 64> order{};  // 0 32 1 33 ...
      for (int i = 0; i < 32; ++i) {
        order[2 * static_cast<size_t>(i)] = static_cast<int16_t>(i);
        order[2 * static_cast<size_t>(i) + 1] = static_cast<int16_t>(32 + i);
      }
      return order;
    }();
    _mm512_storeu_si512(p, _mm512_permutex2var_epi16(first, _mm512_load_si512(kOrder.data()), second));
    _mm512_storeu_si512(p + 32, _mm512_permutex2var_epi16(first, _mm512_load_si512(kOrder.data() + 32), second));
  }
};

}  // namespace

const CodecKernels kAvx512Kernels = make_kernels<Avx512>();

}  // namespace mneme::engine::codec_detail

#else

namespace mneme::engine::codec_detail {
const CodecKernels kAvx512Kernels = {};
}  // namespace mneme::engine::codec_detail

#endif
