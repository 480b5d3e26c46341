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
  static Float mul(Float a, Float b) { return a * b; }
  static Float from_bytes(const uint8_t* p) { return *p; }
  // magnitude with the sign of v; zero for zero.
  static Float signed_like(Float magnitude, Float v) { return v > 0 ? magnitude : v < 0 ? -magnitude : 0.0f; }
  static Float load_half(const f16* p) { return to_f32(*p); }
  static Float finite_difference(Float a, Float b) { return std::isfinite(a) ? a - b : 0.0f; }
  static void store_half(f16* p, Float v) { *p = to_f16(v); }
};

}  // namespace

const CodecKernels kScalarKernels = {multiply<Scalar>, dequantise<Scalar>, centre<Scalar>, to_half<Scalar>};

}  // namespace codec_detail

const CodecKernels& codec_kernels(std::string_view path) {
  if (path == "avx512") return codec_detail::kAvx512Kernels;
  if (path == "avx2") return codec_detail::kAvx2Kernels;
  return codec_detail::kScalarKernels;
}

}  // namespace mneme::engine
