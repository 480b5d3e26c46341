// One float at a time: the vector type of the reference kernels.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/f16.h"

namespace mneme::engine::simd {

struct ScalarVector {
  static constexpr int kWidth = 1;
  static constexpr const char* kName = "scalar";
  using F = float;
  static F zero() { return 0.0f; }
  static F set(float x) { return x; }
  static F set(f16 x) { return to_f32(x); }
  static F load(const float* p) { return *p; }
  static F load(const f16* p) { return to_f32(*p); }
  static F load(const bf16* p) { return to_f32(*p); }
  static F load(const int8_t* p) { return static_cast<float>(*p); }
  static F load(const uint8_t* p) { return static_cast<float>(*p); }
  template <typename T>
  static F load_part(const T* p, int /*count*/) {
    return load(p);
  }
  static void store(float* p, F x) { *p = x; }
  static void store(f16* p, F x) { *p = to_f16(x); }
  template <typename T>
  static void store_part(T* p, F x, int /*count*/) {
    store(p, x);
  }
  static F add(F a, F b) { return a + b; }
  static F sub(F a, F b) { return a - b; }
  static F mul(F a, F b) { return a * b; }
  static F div(F a, F b) { return a / b; }
  static F fma(F a, F b, F c) { return a * b + c; }
  static F max(F a, F b) { return std::max(a, b); }
  static F min(F a, F b) { return std::min(a, b); }
  static F round(F a) { return std::nearbyint(a); }
  static F scale_by_power_of_two(F a, F n) { return std::ldexp(a, static_cast<int>(n)); }
  // Whole numbers in [-128, 127].
  static void store_int8(int8_t* p, F x) { *p = static_cast<int8_t>(x); }
  static float sum(F a) { return a; }
  static float largest(F a) { return a; }
  // Lane i: the sum of the lanes of rows[i].
  static F sum_each(const F (&rows)[kWidth]) { return rows[0]; }
};

}  // namespace mneme::engine::simd
