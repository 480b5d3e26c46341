// The arithmetic of the transform codec. Each output is one chain of fused multiply-adds in a fixed order, so scalar,
// AVX2, AVX-512 (and a GPU's fmaf) give the same bits. Threads: pure functions.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/f16.h"

namespace mneme::engine {

struct CodecKernels {
  // out[r][c] = init[c] + sum over j ascending of a[r][j] * b[j][c]. b: (k, m), m a multiple of 16.
  void (*multiply)(const float* a, int a_stride, int n_rows, int k, const float* b, int m, const float* init,
                   float* out, int out_stride);
  // out[i] = v * step - sign(v) * shrink[i] where v = symbols[i] - reach[i]. n: a multiple of 16.
  void (*dequantise)(const uint8_t* symbols, int n, const float* reach, const float* step, const float* shrink,
                     float* out);
  // out[i] = in[i] - mean[i], or 0 where in[i] is NaN or infinite. n: a multiple of 16.
  void (*centre)(const f16* in, const float* mean, int n, float* out);
  // Rounds to nearest even. n: a multiple of 16.
  void (*to_half)(const float* in, int n, f16* out);
};

// "scalar", "avx2", "avx512"; must be one of codec_paths().
const CodecKernels& codec_kernels(std::string_view path);

namespace codec_detail {
extern const CodecKernels kScalarKernels;
extern const CodecKernels kAvx2Kernels;
extern const CodecKernels kAvx512Kernels;
}  // namespace codec_detail

}  // namespace mneme::engine
