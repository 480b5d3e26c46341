// The arithmetic of the transform codec: channels to components in floats (encoding), components back to channels in
// integers (decoding). Each float output is one chain of fused multiply-adds in a fixed order, integers are exact, so
// scalar, AVX2, AVX-512 (and a GPU) give the same bits. Threads: pure functions.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/f16.h"

namespace mneme::engine {

// Components are read back in sixteenths of a step, so that the pull towards zero (shrink) fits an integer.
inline constexpr int kComponentUnit = 16;
// Components round to the nearest integer with a wider zero: small numbers cost more bits than they are worth.
inline constexpr float kComponentRound = 0.40f;
inline constexpr int kKernelTokens = 32;  // tokens whose components are unpacked at a time

// out[r][c] = init[c] + sum over j ascending of a[r][j] * b[j][c].
struct CodecProduct {
  const float* a = nullptr;  // (n_rows, depth), a_stride apart
  int a_stride = 0;
  const float* b = nullptr;     // (depth, n_columns)
  const float* init = nullptr;  // (n_columns)
  float* out = nullptr;         // (n_rows, n_columns), out_stride apart
  int out_stride = 0;
  int n_rows = 0;
  int depth = 0;
  int n_columns = 0;  // a multiple of 16
};

// out[t][c] = half(fma(sum over j of components[t][j] * basis[j][c], scale[c], mean[c])), the sum in int32.
struct CodecSynthesis {
  const int16_t* pairs = nullptr;  // components, as CodecKernels::unpack gives them
  int n_tokens = 0;                // up to kKernelTokens
  int n_pairs = 0;
  const int16_t* basis = nullptr;  // (n_pairs, n_channels, 2)
  int n_channels = 0;              // a multiple of 16
  const float* scale = nullptr;    // (n_channels)
  const float* mean = nullptr;     // (n_channels)
  f16* out = nullptr;              // (n_tokens, n_channels), out_stride apart
  int64_t out_stride = 0;
};

struct CodecKernels {
  void (*multiply)(const CodecProduct& product);
  // out[i] = in[i] - mean[i], or 0 where in[i] is NaN or infinite. n: a multiple of 16.
  void (*centre)(const f16* in, const float* mean, int n, float* out);
  // symbols[i] = q + reach[i], q the integer of quantise_component(components[i], inverse[i]) brought within
  // +-reach[i]; true when one had to be. n: a multiple of 16; reach: whole numbers up to 127.
  bool (*quantise)(const float* components, const float* inverse, const float* reach, int n, uint8_t* symbols);
  // out[j * out_stride + i] = in[i * in_stride + j], i < n_rows, j < n_columns.
  void (*transpose)(const uint8_t* in, int64_t in_stride, int n_rows, int n_columns, uint8_t* out, int64_t out_stride);
  // Symbols of kKernelTokens tokens to components, two and two for synthesise. symbols[j * stride + t], t up to
  // kKernelTokens, all readable; v = symbol - reach[j]; out[(j / 2 * kKernelTokens + t) * 2 + j % 2] =
  // v * kComponentUnit - sign(v) * shrink[j]. The partner of a last odd component is zero.
  void (*unpack)(const uint8_t* symbols, int64_t stride, int n_components, const int16_t* reach, const int16_t* shrink,
                 int16_t* out);
  void (*synthesise)(const CodecSynthesis& synthesis);
  // out[i] = half(fma(symbols[i] - reach, bin[i], base[i])); as floats without the rounding to halves where `out` is
  // null and `floats` is not. n: a multiple of 16.
  void (*add_differences)(const uint8_t* symbols, float reach, const float* bin, const float* base, int n, f16* out,
                          float* floats);
};

// "scalar", "avx2", "avx512"; must be one of codec_paths().
const CodecKernels& codec_kernels(std::string_view path);

namespace codec_detail {
extern const CodecKernels kScalarKernels;
extern const CodecKernels kAvx2Kernels;
extern const CodecKernels kAvx512Kernels;
}  // namespace codec_detail

}  // namespace mneme::engine
