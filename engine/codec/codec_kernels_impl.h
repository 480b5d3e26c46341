// The kernels of codec_kernels.h over a vector type V; included by one source file per instruction set.
// V::Float: a register of V::kWidth floats; load, store, set, fma, sub, mul, from_bytes, to_half as used below.
#pragma once

#include "engine/codec/codec_kernels.h"

namespace mneme::engine::codec_detail {

template <typename V, int kRows, int kVectors>
inline void multiply_block(const float* a, int a_stride, int k, const float* b, int m, const float* init, float* out,
                           int out_stride) {
  typename V::Float sum[kRows][kVectors];
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) sum[r][v] = V::load(init + v * V::kWidth);
  }
  for (int j = 0; j < k; ++j) {
    typename V::Float row[kVectors];
    for (int v = 0; v < kVectors; ++v) row[v] = V::load(b + static_cast<int64_t>(j) * m + v * V::kWidth);
    for (int r = 0; r < kRows; ++r) {
      const typename V::Float factor = V::set(a[static_cast<int64_t>(r) * a_stride + j]);
      for (int v = 0; v < kVectors; ++v) sum[r][v] = V::fma(factor, row[v], sum[r][v]);
    }
  }
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) V::store(out + static_cast<int64_t>(r) * out_stride + v * V::kWidth, sum[r][v]);
  }
}

template <typename V, int kVectors>
inline void multiply_columns(const float* a, int a_stride, int n_rows, int k, const float* b, int m, const float* init,
                             float* out, int out_stride) {
  int r = 0;
  for (; r + 6 <= n_rows; r += 6) {
    multiply_block<V, 6, kVectors>(a + static_cast<int64_t>(r) * a_stride, a_stride, k, b, m, init,
                                   out + static_cast<int64_t>(r) * out_stride, out_stride);
  }
  for (; r < n_rows; ++r) {
    multiply_block<V, 1, kVectors>(a + static_cast<int64_t>(r) * a_stride, a_stride, k, b, m, init,
                                   out + static_cast<int64_t>(r) * out_stride, out_stride);
  }
}

template <typename V>
void multiply(const float* a, int a_stride, int n_rows, int k, const float* b, int m, const float* init, float* out,
              int out_stride) {
  constexpr int kWide = V::kVectors * V::kWidth;
  int c = 0;
  for (; c + kWide <= m; c += kWide) {
    multiply_columns<V, V::kVectors>(a, a_stride, n_rows, k, b + c, m, init + c, out + c, out_stride);
  }
  for (; c < m; c += V::kWidth) {
    multiply_columns<V, 1>(a, a_stride, n_rows, k, b + c, m, init + c, out + c, out_stride);
  }
}

template <typename V>
void dequantise(const uint8_t* symbols, int n, const float* reach, const float* step, const float* shrink, float* out) {
  for (int i = 0; i < n; i += V::kWidth) {
    const typename V::Float value = V::sub(V::from_bytes(symbols + i), V::load(reach + i));
    const typename V::Float exact = V::mul(value, V::load(step + i));
    V::store(out + i, V::sub(exact, V::signed_like(V::load(shrink + i), value)));
  }
}

template <typename V>
void centre(const f16* in, const float* mean, int n, float* out) {
  for (int i = 0; i < n; i += V::kWidth)
    V::store(out + i, V::finite_difference(V::load_half(in + i), V::load(mean + i)));
}

template <typename V>
void to_half(const float* in, int n, f16* out) {
  for (int i = 0; i < n; i += V::kWidth) V::store_half(out + i, V::load(in + i));
}

}  // namespace mneme::engine::codec_detail
