// The f32 kernels, written once over a vector type V (engine/simd) and compiled per instruction set. Everything here is
// a template on V, so that no code compiled for one instruction set can be linked in place of another's.
#pragma once

#include <cstdint>

#include "engine/backend/cpu/kernels.h"
#include "engine/simd/vector_math.h"

namespace mneme::engine::cpu {

template <class V>
struct FloatKernels {
  using F = typename V::F;
  using Math = simd::VectorMath<V>;
  static constexpr int kW = V::kWidth;

  // --- Elementwise functions -----------------------------------------------------------------------------------------

  // Calls body(load, store, offset, count) for whole vectors, then for the rest.
  template <class Body>
  static void for_vectors(int n, Body body) {
    int i = 0;
    for (; i + kW <= n; i += kW) body(i, kW);
    if (i < n) body(i, n - i);
  }
  template <typename T>
  static F get(const T* p, int count) {
    return count == kW ? V::load(p) : V::load_part(p, count);
  }
  template <typename T>
  static void put(T* p, F x, int count) {
    if (count == kW) {
      V::store(p, x);
    } else {
      V::store_part(p, x, count);
    }
  }

  template <F (*kActivation)(F)>
  static void gated(const float* gate, const float* up, int n, float* out) {
    for_vectors(n, [&](int i, int count) {
      F y = kActivation(get(gate + i, count));
      if (up) y = V::mul(y, get(up + i, count));
      put(out + i, y, count);
    });
  }

  static void add(const float* x, int n, float* out) {
    for_vectors(n, [&](int i, int count) { put(out + i, V::add(get(out + i, count), get(x + i, count)), count); });
  }

  static void add_scaled(const float* x, float scale, int n, float* out) {
    const F s = V::set(scale);
    for_vectors(n, [&](int i, int count) { put(out + i, V::fma(s, get(x + i, count), get(out + i, count)), count); });
  }

  static void softcap(float cap, int n, float* x) {
    const F scale = V::set(cap);
    const F inverse = V::set(1.0f / cap);
    for_vectors(
        n, [&](int i, int count) { put(x + i, V::mul(scale, Math::tanh(V::mul(get(x + i, count), inverse))), count); });
  }

  static void to_half(const float* x, int n, f16* out) {
    for_vectors(n, [&](int i, int count) { put(out + i, get(x + i, count), count); });
  }
  static void to_float(const f16* x, int n, float* out) {
    for_vectors(n, [&](int i, int count) { put(out + i, get(x + i, count), count); });
  }

  // --- RoPE ----------------------------------------------------------------------------------------------------------

  // Pair i of the first 2 n elements is (head[i], head[n + i])...
  static void rotate_halves(const float* cosines, const float* sines, int n, float* head) {
    for_vectors(n, [&](int i, int count) {
      const F a = get(head + i, count);
      const F b = get(head + n + i, count);
      const F c = get(cosines + i, count);
      const F s = get(sines + i, count);
      put(head + i, V::sub(V::mul(a, c), V::mul(b, s)), count);
      put(head + n + i, V::fma(a, s, V::mul(b, c)), count);
    });
  }

  // ...or (head[2 i], head[2 i + 1]).
  static void rotate_neighbours(const float* cosines, const float* sines, int n, float* head) {
    int i = 0;
    if constexpr (kW > 1) {
      for (; i + kW / 2 <= n; i += kW / 2)
        V::store(head + 2 * i,
                 V::rotate_pairs(V::load(head + 2 * i), V::load_twice(cosines + i), V::load_twice(sines + i)));
    }
    for (; i < n; ++i) {
      const float a = head[2 * i];
      const float b = head[2 * i + 1];
      head[2 * i] = a * cosines[i] - b * sines[i];
      head[2 * i + 1] = a * sines[i] + b * cosines[i];
    }
  }

  // --- Norms ---------------------------------------------------------------------------------------------------------

  static float square_root(float x) { return __builtin_sqrtf(x); }

  static void rms_norm(const float* x, const float* weight, float epsilon, int n, float* out) {
    F squares = V::zero();
    for_vectors(n, [&](int i, int count) {
      const F v = get(x + i, count);
      squares = V::fma(v, v, squares);
    });
    const F scale = V::set(1.0f / square_root(V::sum(squares) / static_cast<float>(n) + epsilon));
    for_vectors(n, [&](int i, int count) {
      F v = V::mul(get(x + i, count), scale);
      if (weight) v = V::mul(v, get(weight + i, count));
      put(out + i, v, count);
    });
  }

  static void layer_norm(const float* x, const float* weight, const float* bias, float epsilon, int n, float* out) {
    F total = V::zero();
    for_vectors(n, [&](int i, int count) { total = V::add(total, get(x + i, count)); });
    const float mean = V::sum(total) / static_cast<float>(n);
    // The missing lanes of a last partial vector would count as -mean: their squares are taken off again.
    F squares = V::zero();
    const F centre = V::set(mean);
    for_vectors(n, [&](int i, int count) {
      const F v = V::sub(get(x + i, count), centre);
      squares = V::fma(v, v, squares);
    });
    const int missing = (kW - n % kW) % kW;
    const float variance = (V::sum(squares) - static_cast<float>(missing) * mean * mean) / static_cast<float>(n);
    const F scale = V::set(1.0f / square_root(variance + epsilon));
    for_vectors(n, [&](int i, int count) {
      F v = V::mul(V::sub(get(x + i, count), centre), scale);
      if (weight) v = V::mul(v, get(weight + i, count));
      if (bias) v = V::add(v, get(bias + i, count));
      put(out + i, v, count);
    });
  }

  // --- Rounding to int8 ----------------------------------------------------------------------------------------------

  static void quantize_row(const float* x, int n, const QuantizedRow& out) {
    for (int block = 0; block < n / kRowBlock; ++block) {
      const float* values = x + block * kRowBlock;
      F largest = V::zero();
      for (int i = 0; i < kRowBlock; i += kW) {
        const F v = V::load(values + i);
        largest = V::max(largest, V::max(v, V::sub(V::zero(), v)));
      }
      const float magnitude = V::largest(largest);
      const float scale = magnitude / 127.0f;
      const F inverse = V::set(magnitude > 0 ? 127.0f / magnitude : 0.0f);
      float half_sums[2];
      for (int half = 0; half < 2; ++half) {
        F sum = V::zero();
        for (int i = half * 16; i < half * 16 + 16; i += kW) {
          const F code = V::round(V::mul(V::load(values + i), inverse));
          V::store_int8(out.codes + block * kRowBlock + i, code);
          sum = V::add(sum, code);
        }
        half_sums[half] = V::sum(sum);
        out.minus_sums[1][block * 2 + half] = -static_cast<int32_t>(half_sums[half]);
        out.scaled_sums[1][block * 2 + half] = scale * half_sums[half];
      }
      out.scales[block] = scale;
      out.minus_sums[0][block] = -static_cast<int32_t>(half_sums[0] + half_sums[1]);
      out.scaled_sums[0][block] = scale * (half_sums[0] + half_sums[1]);
    }
  }

  template <typename T>
  static void scale_factors(const f16* d, const T* factors, int n_blocks, int n_groups, float* out) {
    for (int b = 0; b < n_blocks; ++b)
      for (int i = 0; i < 16; i += kW) {
        const F scale = V::load(d + b * 32 + i);
        for (int g = b * n_groups; g < (b + 1) * n_groups; ++g)
          V::store(out + g * 16 + i, V::mul(scale, V::load(factors + g * 16 + i)));
      }
  }

  // --- Products (FloatProduct) ---------------------------------------------------------------------------------------

  // Where a tile of a product begins in its operands.
  template <typename T>
  struct TileAt {
    const T* w;
    const float* x;
    const float* bias;  // or null
    float* y;
  };

  // kN weight rows times kM activation rows: dot products side by side, lanes summed at the end.
  template <int kM, int kN, typename T>
  static void dot_tile(const FloatProduct& p, const TileAt<T>& at) {
    const int64_t w_stride = p.w_stride, x_stride = p.x_stride, n_in = p.n_in;
    F acc[kM][kN];
    for (int i = 0; i < kM; ++i)
      for (int j = 0; j < kN; ++j) acc[i][j] = V::zero();
    int64_t k = 0;
    for (; k + kW <= n_in; k += kW) {
      F b[kN];
      for (int j = 0; j < kN; ++j) b[j] = V::load(at.w + j * w_stride + k);
      for (int i = 0; i < kM; ++i) {
        const F a = V::load(at.x + i * x_stride + k);
        for (int j = 0; j < kN; ++j) acc[i][j] = V::fma(a, b[j], acc[i][j]);
      }
    }
    if (const int rest = static_cast<int>(n_in - k); rest > 0) {
      for (int i = 0; i < kM; ++i) {
        const F a = V::load_part(at.x + i * x_stride + k, rest);
        for (int j = 0; j < kN; ++j) acc[i][j] = V::fma(a, V::load_part(at.w + j * w_stride + k, rest), acc[i][j]);
      }
    }
    for (int i = 0; i < kM; ++i)
      for (int j = 0; j < kN; ++j) at.y[i * p.y_stride + j] = V::sum(acc[i][j]) + (at.bias ? at.bias[j] : 0.0f);
  }

  template <int kN, typename T>
  static void dot_rows(const FloatProduct& p, TileAt<T> at, int n_rows) {
    constexpr int kRows = kW >= 16 ? 4 : 2;
    const auto move_on = [&](int64_t rows) {
      at.x += rows * p.x_stride;
      at.y += rows * p.y_stride;
    };
    int i = 0;
    for (; i + kRows <= n_rows; i += kRows, move_on(kRows)) dot_tile<kRows, kN>(p, at);
    for (; i < n_rows; ++i, move_on(1)) dot_tile<1, kN>(p, at);
  }

  template <typename T>
  static void multiply_typed(const FloatProduct& p) {
    constexpr int kRowsInCache = 32;  // of x, in the second-level cache while the weights pass
    const auto* w = static_cast<const T*>(p.w);
    for (int first = 0; first < p.n_rows; first += kRowsInCache) {
      const int n_rows = p.n_rows - first < kRowsInCache ? p.n_rows - first : kRowsInCache;
      const auto at = [&](int j) {
        return TileAt<T>{w + j * p.w_stride, p.x + first * p.x_stride, p.bias ? p.bias + j : nullptr,
                         p.y + first * p.y_stride + j};
      };
      int j = 0;
      for (; j + 4 <= p.n_columns; j += 4) dot_rows<4>(p, at(j), n_rows);
      for (; j < p.n_columns; ++j) dot_rows<1>(p, at(j), n_rows);
    }
  }

  static void multiply_floats(const FloatProduct& product) {
    switch (product.type) {
      case FloatType::kF32: return multiply_typed<float>(product);
      case FloatType::kF16: return multiply_typed<f16>(product);
      case FloatType::kBF16: return multiply_typed<bf16>(product);
    }
  }
};

}  // namespace mneme::engine::cpu
