// What is written into a KV page and read from it: Q8_0 codes of a head, and a page turned from columns of keys to
// tokens side by side. Threads: pure functions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "engine/backend/cpu/kv_page.h"

namespace mneme::engine::cpu {

// Pages are shown as constant; their cache, which owns them, writes into them.
template <typename T>
T* writable(const T* p) {
  return const_cast<T*>(p);
}

// Codes and scales of a head; code i at codes[i * stride], scale of a block at scales[block * kPageTokens].
inline void write_codes(const float* x, int n, int64_t stride, int8_t* codes, f16* scales) {
  for (int block = 0; block < n / kKvBlock; ++block) {
    const float* values = x + int64_t{block} * kKvBlock;
    float largest = 0;
    for (int i = 0; i < kKvBlock; ++i) largest = std::max(largest, std::fabs(values[i]));
    const f16 scale = to_f16(largest / 127.0f);
    const float inverse = to_f32(scale) > 0 ? 1.0f / to_f32(scale) : 0.0f;
    scales[int64_t{block} * kPageTokens] = scale;
    for (int i = 0; i < kKvBlock; ++i) {
      const float code = std::clamp(std::nearbyint(values[i] * inverse), -127.0f, 127.0f);
      codes[(int64_t{block} * kKvBlock + i) * stride] = static_cast<int8_t>(code);
    }
  }
}

inline void read_codes(const int8_t* codes, const f16* scales, int n, int64_t stride, f16* out) {
  for (int i = 0; i < n; ++i)
    out[i] = to_f16(static_cast<float>(codes[i * stride]) * to_f32(scales[int64_t{i / kKvBlock} * kPageTokens]));
}

// Keys (head_dim, kPageTokens) and values (kPageTokens, value_stride) after them to (kPageTokens, key and value), in
// place.
template <typename T>
void turn(T* page, int head_dim, int value_stride, std::vector<std::byte>& scratch) {
  const int64_t stride = int64_t{head_dim} + value_stride;
  const size_t n_bytes = static_cast<size_t>(kPageTokens * stride) * sizeof(T);
  scratch.resize(n_bytes);
  std::memcpy(scratch.data(), page, n_bytes);
  const T* keys = reinterpret_cast<const T*>(scratch.data());
  const T* values = keys + int64_t{kPageTokens} * head_dim;
  // In squares, so that the lines on both sides stay in the cache.
  constexpr int kSquare = 16;
  for (int t = 0; t < kPageTokens; t += kSquare)
    for (int d = 0; d < head_dim; d += kSquare)
      for (int i = t; i < t + kSquare; ++i)
        for (int j = d; j < std::min(head_dim, d + kSquare); ++j)
          page[i * stride + j] = keys[int64_t{j} * kPageTokens + i];
  for (int t = 0; t < kPageTokens; ++t)
    std::copy_n(values + int64_t{t} * value_stride, value_stride, page + t * stride + head_dim);
}

}  // namespace mneme::engine::cpu
