// The kernels of codec_kernels.h over a vector type V; included by one source file per instruction set.
// V::Float, V::Int: registers of V::kWidth floats and 32-bit integers; V::Shorts: V::kShorts 16-bit integers.
#pragma once

#include "engine/codec/codec_kernels.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace mneme::engine::codec_detail {

#if defined(__SSE2__)
// 16 x 16 bytes: four rounds that interleave row r with row r + 8 make columns of the rows. A template, so that every
// instruction set has its own.
template <typename V>
inline void transpose_block_sse(const uint8_t* in, int64_t in_stride, uint8_t* out, int64_t out_stride) {
  __m128i rows[16], mixed[16];
  for (int r = 0; r < 16; ++r) rows[r] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + r * in_stride));
  for (int round = 0; round < 4; ++round) {
    for (int r = 0; r < 8; ++r) {
      mixed[2 * r] = _mm_unpacklo_epi8(rows[r], rows[r + 8]);
      mixed[2 * r + 1] = _mm_unpackhi_epi8(rows[r], rows[r + 8]);
    }
    for (int r = 0; r < 16; ++r) rows[r] = mixed[r];
  }
  for (int r = 0; r < 16; ++r) _mm_storeu_si128(reinterpret_cast<__m128i*>(out + r * out_stride), rows[r]);
}
#endif

// kRows rows of the product from `row` on by kVectors vectors of columns from `column` on.
template <typename V, int kRows, int kVectors>
inline void multiply_block(const CodecProduct& p, int row, int column) {
  const float* const a = p.a + static_cast<int64_t>(row) * p.a_stride;
  const float* const b = p.b + column;
  const int a_stride = p.a_stride, n_columns = p.n_columns, depth = p.depth;
  typename V::Float sum[kRows][kVectors];
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) sum[r][v] = V::load(p.init + column + v * V::kWidth);
  }
  for (int j = 0; j < depth; ++j) {
    typename V::Float factors[kVectors];
    for (int v = 0; v < kVectors; ++v) factors[v] = V::load(b + static_cast<int64_t>(j) * n_columns + v * V::kWidth);
    for (int r = 0; r < kRows; ++r) {
      const typename V::Float own = V::set(a[static_cast<int64_t>(r) * a_stride + j]);
      for (int v = 0; v < kVectors; ++v) sum[r][v] = V::fma(own, factors[v], sum[r][v]);
    }
  }
  float* const out = p.out + static_cast<int64_t>(row) * p.out_stride + column;
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v)
      V::store(out + static_cast<int64_t>(r) * p.out_stride + v * V::kWidth, sum[r][v]);
  }
}

template <typename V, int kVectors>
inline void multiply_columns(const CodecProduct& p, int column) {
  constexpr int kRows = 6;
  int row = 0;
  for (; row + kRows <= p.n_rows; row += kRows) multiply_block<V, kRows, kVectors>(p, row, column);
  for (; row < p.n_rows; ++row) multiply_block<V, 1, kVectors>(p, row, column);
}

template <typename V>
void multiply(const CodecProduct& product) {
  constexpr int kWide = V::kVectors * V::kWidth;
  int column = 0;
  for (; column + kWide <= product.n_columns; column += kWide) multiply_columns<V, V::kVectors>(product, column);
  for (; column < product.n_columns; column += V::kWidth) multiply_columns<V, 1>(product, column);
}

template <typename V>
void centre(const f16* in, const float* mean, int n, float* out) {
  for (int i = 0; i < n; i += V::kWidth)
    V::store(out + i, V::finite_difference(V::load_half(in + i), V::load(mean + i)));
}

template <typename V>
bool quantise(const float* components, const float* inverse, const float* reach, int n, uint8_t* symbols) {
  bool any_outside = false;
  for (int i = 0; i < n; i += V::kWidth) {
    const typename V::Float scaled = V::mul(V::load(components + i), V::load(inverse + i));
    const typename V::Float most = V::load(reach + i);
    const typename V::Float rounded =
        V::truncate(V::min(V::add(V::magnitude(scaled), V::set(kComponentRound)), V::set(32767.0f)));
    any_outside |= V::any_greater(rounded, most);
    V::store_bytes(symbols + i, V::add(V::signed_like(V::min(rounded, most), scaled), most));
  }
  return any_outside;
}

template <typename V>
void transpose(const uint8_t* in, int64_t in_stride, int n_rows, int n_columns, uint8_t* out, int64_t out_stride) {
  constexpr int kBlock = 16;
  const int block_rows = n_rows / kBlock * kBlock;
  const int block_columns = n_columns / kBlock * kBlock;
  for (int i = 0; i < block_rows; i += kBlock) {
    for (int j = 0; j < block_columns; j += kBlock)
      V::transpose_block(in + i * in_stride + j, in_stride, out + j * out_stride + i, out_stride);
  }
  for (int j = 0; j < n_columns; ++j) {
    for (int i = j < block_columns ? block_rows : 0; i < n_rows; ++i) out[j * out_stride + i] = in[i * in_stride + j];
  }
}

template <typename V>
inline typename V::Shorts component_of(const uint8_t* symbols, int16_t reach, int16_t shrink) {
  const typename V::Shorts value = V::sub_shorts(V::shorts_from_bytes(symbols), V::set_shorts(reach));
  return V::towards_zero(V::times_unit(value), value, V::set_shorts(shrink));
}

template <typename V>
void unpack(const uint8_t* symbols, int64_t stride, int n_components, const int16_t* reach, const int16_t* shrink,
            int16_t* out) {
  for (int j = 0; j < n_components; j += 2, out += 2 * kKernelTokens) {
    for (int t = 0; t < kKernelTokens; t += V::kShorts) {
      const typename V::Shorts first = component_of<V>(symbols + j * stride + t, reach[j], shrink[j]);
      typename V::Shorts second = V::set_shorts(0);
      if (j + 1 < n_components) {
        second = component_of<V>(symbols + (j + 1) * stride + t, reach[j + 1], shrink[j + 1]);
      }
      V::store_pairs(out + 2 * t, first, second);
    }
  }
}

// kRows tokens from `token` on, kVectors vectors of channels from `channel` on.
template <typename V, int kRows, int kVectors>
inline void synthesise_block(const CodecSynthesis& s, int token, int channel) {
  const int16_t* const pairs = s.pairs + 2 * token;
  const int16_t* const basis = s.basis + 2 * channel;
  const int n_pairs = s.n_pairs, n_channels = s.n_channels;
  typename V::Int sum[kRows][kVectors];
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) sum[r][v] = V::zero_int();
  }
  for (int j = 0; j < n_pairs; ++j) {
    const int16_t* row = basis + static_cast<int64_t>(j) * n_channels * 2;
    const int16_t* own = pairs + static_cast<int64_t>(j) * kKernelTokens * 2;
    for (int v = 0; v < kVectors; ++v) {
      const typename V::PairRow factors = V::load_pairs(row + v * V::kWidth * 2);
      for (int r = 0; r < kRows; ++r) sum[r][v] = V::add_products(sum[r][v], own + 2 * r, factors);
    }
  }
  f16* const out = s.out + token * s.out_stride + channel;
  const float* const scale = s.scale + channel;
  const float* const mean = s.mean + channel;
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) {
      const int c = v * V::kWidth;
      V::store_half(out + r * s.out_stride + c, V::fma(V::to_float(sum[r][v]), V::load(scale + c), V::load(mean + c)));
    }
  }
}

template <typename V, int kVectors>
inline void synthesise_columns(const CodecSynthesis& s, int channel) {
  constexpr int kRows = 4;
  int token = 0;
  for (; token + kRows <= s.n_tokens; token += kRows) synthesise_block<V, kRows, kVectors>(s, token, channel);
  for (; token < s.n_tokens; ++token) synthesise_block<V, 1, kVectors>(s, token, channel);
}

template <typename V>
void synthesise(const CodecSynthesis& synthesis) {
  constexpr int kWide = V::kVectors * V::kWidth;
  const int n_channels = synthesis.n_channels;
  int channel = 0;
  for (; channel + kWide <= n_channels; channel += kWide) synthesise_columns<V, V::kVectors>(synthesis, channel);
  for (; channel < n_channels; channel += V::kWidth) synthesise_columns<V, 1>(synthesis, channel);
}

template <typename V>
void add_differences(const uint8_t* symbols, float reach, const float* bin, const float* base, int n, f16* out,
                     float* floats) {
  for (int i = 0; i < n; i += V::kWidth) {
    const typename V::Float integer = V::sub(V::from_bytes(symbols + i), V::set(reach));
    const typename V::Float value = V::fma(integer, V::load(bin + i), V::load(base + i));
    if (out != nullptr) {
      V::store_half(out + i, value);
    } else {
      V::store(floats + i, value);
    }
  }
}

template <typename V>
constexpr CodecKernels make_kernels() {
  return {multiply<V>, centre<V>, quantise<V>, transpose<V>, unpack<V>, synthesise<V>, add_differences<V>};
}

}  // namespace mneme::engine::codec_detail
