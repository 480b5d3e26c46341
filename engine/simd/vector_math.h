// Elementary functions of a vector type V (*_vector.h). Templates on V, so that no code compiled for one instruction
// set can be linked in place of another's. Threads: pure functions.
#pragma once

namespace mneme::engine::simd {

template <class V>
struct VectorMath {
  using F = typename V::F;

  // e^x to about 1 ulp for x in [-87, 88]; clamped outside.
  static F exp(F x) {
    x = V::min(V::max(x, V::set(-87.33654f)), V::set(88.0f));
    const F n = V::round(V::mul(x, V::set(1.44269504f)));
    F r = V::fma(n, V::set(-0.693359375f), x);
    r = V::fma(n, V::set(2.12194440e-4f), r);
    F p = V::set(1.9875691500e-4f);
    p = V::fma(p, r, V::set(1.3981999507e-3f));
    p = V::fma(p, r, V::set(8.3334519073e-3f));
    p = V::fma(p, r, V::set(4.1665795894e-2f));
    p = V::fma(p, r, V::set(1.6666665459e-1f));
    p = V::fma(p, r, V::set(5.0000001201e-1f));
    p = V::add(V::fma(V::mul(p, r), r, r), V::set(1.0f));
    return V::scale_by_power_of_two(p, n);
  }

  static F tanh(F x) {
    const F e = exp(V::min(V::max(V::add(x, x), V::set(-40.0f)), V::set(40.0f)));
    return V::sub(V::set(1.0f), V::div(V::set(2.0f), V::add(e, V::set(1.0f))));
  }

  static F sigmoid(F x) { return V::div(V::set(1.0f), V::add(V::set(1.0f), exp(V::sub(V::zero(), x)))); }
  static F silu(F x) { return V::div(x, V::add(V::set(1.0f), exp(V::sub(V::zero(), x)))); }

  static F gelu_tanh(F x) {
    const F inner = V::mul(V::set(0.7978845608f), V::fma(V::mul(V::mul(x, x), x), V::set(0.044715f), x));
    return V::mul(V::mul(V::set(0.5f), x), V::add(V::set(1.0f), tanh(inner)));
  }

  // Error function of a >= 0, absolute error below 2e-7: Abramowitz and Stegun 7.1.26.
  static F erf_of_magnitude(F a) {
    const F t = V::div(V::set(1.0f), V::fma(a, V::set(0.3275911f), V::set(1.0f)));
    F p = V::set(1.061405429f);
    p = V::fma(p, t, V::set(-1.453152027f));
    p = V::fma(p, t, V::set(1.421413741f));
    p = V::fma(p, t, V::set(-0.284496736f));
    p = V::mul(V::fma(p, t, V::set(0.254829592f)), t);
    return V::sub(V::set(1.0f), V::mul(p, exp(V::sub(V::zero(), V::mul(a, a)))));
  }

  static F gelu(F x) {
    const F a = V::max(x, V::sub(V::zero(), x));
    const F e = erf_of_magnitude(V::mul(a, V::set(0.7071067812f)));
    // 0.5 * x * (1 + sign(x) erf) = 0.5 * (x + |x| erf)
    return V::mul(V::set(0.5f), V::fma(a, e, x));
  }
};

}  // namespace mneme::engine::simd
