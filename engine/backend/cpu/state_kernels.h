// The kernels of layers that keep a state, written once over a vector type V (engine/simd). Everything here is a
// template on V, so that no code compiled for one instruction set can be linked in place of another's.
//
// Some rows of a gated delta net at once [DeltaNet in parallel 2406.06484, Gated Delta Networks 2412.06464]. Written
// out over rows t of a chunk that finds the state S, with a_t the product of the decays up to t and D_ts of those
// behind s up to t, the recurrence (model_config.h, StateConfig) is
//   u_t = b_t (v_t - a_t S^T k_t - sum_{s < t} D_ts (k_t k_s) u_s)       what the row adds under its key
//   o_t = a_t S^T q_t + sum_{s <= t} D_ts (q_t k_s) u_s
//   S'  = a_T S + sum_s D_Ts k_s u_s^T
// so the state is read twice and written once for all of the rows. It has as many products whatever the chunk's length;
// what the sums over s add grows with it, which is why chunks are short. A chunk of one row is the recurrence itself.
// Mamba-2 is the same but for u_t = b_t v_t, which leaves the form of its paper [2405.21060, section 6].
#pragma once

#include <cstdint>

#include "engine/backend/cpu/kernels.h"
#include "engine/simd/vector_math.h"

namespace mneme::engine::cpu {

template <class V>
struct StateKernels {
  using F = typename V::F;
  static constexpr int kW = V::kWidth;
  // Columns of the state that are worked on together: as many vectors as the registers hold four rows of.
  static constexpr int kVectors = kW == 16 ? 4 : kW == 8 ? 2 : 1;

  // How much of one row is left at another: D_ts, and the a_t of all rows.
  struct Decays {
    float between[kStateRows][kStateRows];
    float since_start[kStateRows];
    explicit Decays(const StateRows& rows) {
      float all = 1.0f;
      for (int t = 0; t < rows.n_rows; ++t) {
        all *= rows.decays[t];
        since_start[t] = all;
        for (int s = 0; s < t; ++s) between[t][s] = between[t - 1][s] * rows.decays[t];
        between[t][t] = 1.0f;
      }
    }
  };

  // sums[m] = sum_k factors[m][k] * state[k], of kM rows of factors.
  template <int kM, int kN>
  static void multiply_state(const StateRows& rows, const float* factors, const float* state, float* sums) {
    F acc[kM][kN];
    for (int m = 0; m < kM; ++m)
      for (int n = 0; n < kN; ++n) acc[m][n] = V::zero();
    for (int k = 0; k < rows.key_length; ++k) {
      F s[kN];
      for (int n = 0; n < kN; ++n) s[n] = V::load(state + int64_t{k} * rows.stride + n * kW);
      for (int m = 0; m < kM; ++m) {
        const F factor = V::set(factors[m * rows.key_stride + k]);
        for (int n = 0; n < kN; ++n) acc[m][n] = V::fma(factor, s[n], acc[m][n]);
      }
    }
    for (int m = 0; m < kM; ++m)
      for (int n = 0; n < kN; ++n) V::store(sums + m * kN * kW + n * kW, acc[m][n]);
  }

  // kM rows k of the state, kN vectors of each: left of it after all rows, and what the rows add under their keys.
  template <int kM, int kN>
  static void add_to_state(const StateRows& rows, float left, const float* keys, const float* added, float* state) {
    F acc[kM][kN];
    const F scale = V::set(left);
    for (int m = 0; m < kM; ++m)
      for (int n = 0; n < kN; ++n) acc[m][n] = V::mul(scale, V::load(state + m * rows.stride + n * kW));
    for (int s = 0; s < rows.n_rows; ++s) {
      F u[kN];
      for (int n = 0; n < kN; ++n) u[n] = V::load(added + s * kN * kW + n * kW);
      for (int m = 0; m < kM; ++m) {
        const F key = V::set(keys[s * rows.key_stride + m]);
        for (int n = 0; n < kN; ++n) acc[m][n] = V::fma(key, u[n], acc[m][n]);
      }
    }
    for (int m = 0; m < kM; ++m)
      for (int n = 0; n < kN; ++n) V::store(state + m * rows.stride + n * kW, acc[m][n]);
  }

  // out += sum_s factors[s] * added[s] of kN vectors; `n` terms.
  template <int kN>
  static void add_terms(const float* factors, int n, const float* added, F (&out)[kN]) {
    for (int s = 0; s < n; ++s) {
      const F factor = V::set(factors[s]);
      for (int i = 0; i < kN; ++i) out[i] = V::fma(factor, V::load(added + s * kN * kW + i * kW), out[i]);
    }
  }

  // What the first n of the rows' queries and keys find in the state.
  template <int kN>
  static void find(const StateRows& rows, int n, const float* state, float (*found)[kN * kW]) {
    const float* const factors = rows.queries_keys;
    int m = 0;
    for (; m + 4 <= n; m += 4) multiply_state<4, kN>(rows, factors + m * rows.key_stride, state, found[m]);
    for (; m + 2 <= n; m += 2) multiply_state<2, kN>(rows, factors + m * rows.key_stride, state, found[m]);
    if (m < n) multiply_state<1, kN>(rows, factors + m * rows.key_stride, state, found[m]);
  }

  // u_t of a delta net.
  template <int kN>
  static void correct(const StateRows& rows, const Decays& decays, int t, const float* found, const float* added,
                      F (&u)[kN]) {
    const int n = rows.n_rows;
    const float strength = rows.strengths[t];
    float of_key[kStateRows];
    for (int s = 0; s < t; ++s) of_key[s] = -strength * decays.between[t][s] * rows.products[(n + t) * n + s];
    for (int i = 0; i < kN; ++i) {
      const F missing = V::fma(V::set(-decays.since_start[t]), V::load(found + i * kW), u[i]);
      u[i] = V::mul(V::set(strength), missing);
    }
    add_terms<kN>(of_key, t, added, u);
  }

  // Columns [column, column + kN kW) of all rows: columns do not meet. kCorrects: of a delta net.
  template <int kN, bool kCorrects>
  static void run_columns(const StateRows& rows, const Decays& decays, const float* keys, int column) {
    constexpr int kColumns = kN * kW;
    const int n = rows.n_rows;
    float* const state = rows.state + column;
    alignas(64) float found[2 * kStateRows][kColumns];  // what queries, then keys find in the state
    alignas(64) float added[kStateRows][kColumns];
    find<kN>(rows, kCorrects ? 2 * n : n, state, found);
    for (int t = 0; t < n; ++t) {
      float of_query[kStateRows];
      for (int s = 0; s <= t; ++s) of_query[s] = decays.between[t][s] * rows.products[t * n + s];
      F u[kN];
      F out[kN];
      for (int i = 0; i < kN; ++i) {
        u[i] = V::load(rows.values + int64_t{t} * rows.stride + column + i * kW);
        out[i] = V::mul(V::set(decays.since_start[t]), V::load(found[t] + i * kW));
        if constexpr (!kCorrects) out[i] = V::fma(V::set(rows.skip), u[i], out[i]);
        if constexpr (!kCorrects) u[i] = V::mul(V::set(rows.strengths[t]), u[i]);
      }
      if constexpr (kCorrects) correct<kN>(rows, decays, t, found[n + t], added[0], u);
      for (int i = 0; i < kN; ++i) V::store(added[t] + i * kW, u[i]);
      add_terms<kN>(of_query, t + 1, added[0], out);
      for (int i = 0; i < kN; ++i) V::store(rows.out + int64_t{t} * rows.stride + column + i * kW, out[i]);
    }
    const float left = decays.since_start[n - 1];
    int k = 0;
    for (; k + 4 <= rows.key_length; k += 4)
      add_to_state<4, kN>(rows, left, keys + k, added[0], state + int64_t{k} * rows.stride);
    for (; k < rows.key_length; ++k)
      add_to_state<1, kN>(rows, left, keys + k, added[0], state + int64_t{k} * rows.stride);
  }

  template <bool kCorrects>
  static void run(const StateRows& rows) {
    const Decays decays(rows);
    const int n = rows.n_rows;
    // Keys as they are left at the end.
    for (int s = 0; s < n; ++s) {
      const F left = V::set(decays.between[n - 1][s]);
      const float* const key = rows.queries_keys + int64_t{n + s} * rows.key_stride;
      for (int i = 0; i < rows.key_stride; i += kW)
        V::store(rows.scratch + int64_t{s} * rows.key_stride + i, V::mul(left, V::load(key + i)));
    }
    int column = 0;
    for (; column + kVectors * kW <= rows.stride; column += kVectors * kW)
      run_columns<kVectors, kCorrects>(rows, decays, rows.scratch, column);
    for (; column < rows.stride; column += kW) run_columns<1, kCorrects>(rows, decays, rows.scratch, column);
  }

  static void convolve(const Convolution& c) {
    const auto some = [&](int i, int count) {
      F sum = c.bias == nullptr ? V::zero() : count == kW ? V::load(c.bias + i) : V::load_part(c.bias + i, count);
      for (int j = 0; j < c.n_rows; ++j) {
        const float* const w = c.weights + j * c.weight_stride + i;
        sum = count == kW ? V::fma(V::load(w), V::load(c.rows[j] + i), sum)
                          : V::fma(V::load_part(w, count), V::load_part(c.rows[j] + i, count), sum);
      }
      const F y = c.silu ? simd::VectorMath<V>::silu(sum) : sum;
      count == kW ? V::store(c.out + i, y) : V::store_part(c.out + i, y, count);
    };
    int i = 0;
    for (; i + kW <= c.n; i += kW) some(i, kW);
    if (i < c.n) some(i, c.n - i);
  }
};

}  // namespace mneme::engine::cpu
