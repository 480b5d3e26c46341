#include "engine/codec/codec_kernels.h"

#include <cmath>

#include "engine/codec/codec_kernels_impl.h"

namespace mneme::engine {

namespace codec_detail {

namespace {

struct Scalar {
  using Float = float;
  static constexpr int kWidth = 1;
  static constexpr int kVectors = 16;
  static Float load(const float* p) { return *p; }
  static void store(float* p, Float v) { *p = v; }
  static Float set(float v) { return v; }
  static Float fma(Float a, Float b, Float c) { return std::fma(a, b, c); }
  static Float sub(Float a, Float b) { return a - b; }
  static Float from_bytes(const uint8_t* p) { return *p; }
  static Float add(Float a, Float b) { return a + b; }
  static Float mul(Float a, Float b) { return a * b; }
  static Float min(Float a, Float b) { return a < b ? a : b; }  // b where a is NaN, as the processor's does
  static Float magnitude(Float v) { return std::fabs(v); }
  static Float truncate(Float v) { return std::trunc(v); }
  // The sign of v on a magnitude.
  static Float signed_like(Float magnitude, Float v) { return v < 0 ? -magnitude : magnitude; }
  static bool any_greater(Float a, Float b) { return a > b; }
  static void store_bytes(uint8_t* p, Float v) { *p = static_cast<uint8_t>(static_cast<int>(v)); }
  static Float load_half(const f16* p) { return to_f32(*p); }
  static Float finite_difference(Float a, Float b) { return std::isfinite(a) ? a - b : 0.0f; }
  static void store_half(f16* p, Float v) { *p = to_f16(v); }

  static void transpose_block(const uint8_t* in, int64_t in_stride, uint8_t* out, int64_t out_stride) {
    for (int i = 0; i < 16; ++i) {
      for (int j = 0; j < 16; ++j) out[j * out_stride + i] = in[i * in_stride + j];
    }
  }

  using Int = int32_t;
  using PairRow = const int16_t*;
  static Int zero_int() { return 0; }
  static PairRow load_pairs(const int16_t* p) { return p; }
  static Int add_products(Int sum, const int16_t* pair, PairRow row) {
    return sum + pair[0] * row[0] + pair[1] * row[1];
  }
  static Float to_float(Int v) { return static_cast<Float>(v); }

  using Shorts = int16_t;
  static constexpr int kShorts = 1;
  static Shorts shorts_from_bytes(const uint8_t* p) { return *p; }
  static Shorts set_shorts(int v) { return static_cast<Shorts>(v); }
  static Shorts sub_shorts(Shorts a, Shorts b) { return static_cast<Shorts>(a - b); }
  static Shorts times_unit(Shorts v) { return static_cast<Shorts>(v * kComponentUnit); }
  // v brought nearer to zero by `shrink`, in the direction that `sign` says; as it is where sign is zero.
  static Shorts towards_zero(Shorts v, Shorts sign, Shorts shrink) {
    return static_cast<Shorts>(sign > 0 ? v - shrink : sign < 0 ? v + shrink : v);
  }
  static void store_pairs(int16_t* p, Shorts first, Shorts second) {
    p[0] = first;
    p[1] = second;
  }
};

}  // namespace

const CodecKernels kScalarKernels = make_kernels<Scalar>();

}  // namespace codec_detail

const CodecKernels& codec_kernels(std::string_view path) {
  if (path == "avx512") return codec_detail::kAvx512Kernels;
  if (path == "avx2") return codec_detail::kAvx2Kernels;
  return codec_detail::kScalarKernels;
}

}  // namespace mneme::engine
