// The kernels of layers that keep a state, written once over a vector type V (engine/simd). Everything here is a
// template on V, so that no code compiled for one instruction set can be linked in place of another's.
//
// Some rows of a gated delta net at once [DeltaNet in parallel 2406.06484, Gated Delta Networks 2412.06464]. Written
// out over rows t of a chunk that finds the state S, with a_t the product of the decays up to t and D_ts of those
// behind s up to t, the recurrence (model_config.h, DeltaConfig) is
//   u_t = b_t (v_t - a_t S^T k_t - sum_{s < t} D_ts (k_t k_s) u_s)       what the row adds under its key
//   o_t = a_t S^T q_t + sum_{s <= t} D_ts (q_t k_s) u_s
//   S'  = a_T S + sum_s D_Ts k_s u_s^T
// so the state is read twice and written once for all of the rows. It has as many products whatever the chunk's length;
// what the sums over s add grows with it, which is why chunks are short. A chunk of one row is the recurrence itself.
#pragma once

#include <cstdint>

#include "engine/backend/cpu/kernels.h"
#include "engine/simd/vector_math.h"

namespace mneme::engine::cpu {

template <class V>
struct DeltaKernels {
  using F = typename V::F;
  static constexpr int kW = V::kWidth;
  // Columns of the state that are worked on together: as many vectors as the registers hold four rows of.
  static constexpr int kVectors = kW == 16 ? 4 : kW == 8 ? 2 : 1;

  // How much of one row is left at another: D_ts, and the a_t of all rows.
  struct Decays {
    float between[kDeltaRows][kDeltaRows];
    float since_start[kDeltaRows];
    explicit Decays(const DeltaRows& rows) {
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
  static void multiply_state(const DeltaRows& rows, const float* factors, const float* state, float* sums) {
    F acc[kM][kN];
    for (int m = 0; m < kM; ++m)
      for (int n = 0; n < kN; ++n) acc[m][n] = V::zero();
    for (int k = 0; k < rows.dim; ++k) {
      F s[kN];
      for (int n = 0; n < kN; ++n) s[n] = V::load(state + int64_t{k} * rows.stride + n * kW);
      for (int m = 0; m < kM; ++m) {
        const F factor = V::set(factors[m * rows.stride + k]);
        for (int n = 0; n < kN; ++n) acc[m][n] = V::fma(factor, s[n], acc[m][n]);
      }
    }
    for (int m = 0; m < kM; ++m)
      for (int n = 0; n < kN; ++n) V::store(sums + m * kN * kW + n * kW, acc[m][n]);
  }

  // kM rows k of the state, kN vectors of each: left of it after all rows, and what the rows add under their keys.
  template <int kM, int kN>
  static void add_to_state(const DeltaRows& rows, float left, const float* keys, const float* added, float* state) {
    F acc[kM][kN];
    const F scale = V::set(left);
    for (int m = 0; m < kM; ++m)
      for (int n = 0; n < kN; ++n) acc[m][n] = V::mul(scale, V::load(state + m * rows.stride + n * kW));
    for (int s = 0; s < rows.n_rows; ++s) {
      F u[kN];
      for (int n = 0; n < kN; ++n) u[n] = V::load(added + s * kN * kW + n * kW);
      for (int m = 0; m < kM; ++m) {
        const F key = V::set(keys[s * rows.stride + m]);
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

  // Columns [column, column + kN kW) of all rows: columns do not meet.
  template <int kN>
  static void run_columns(const DeltaRows& rows, const Decays& decays, const float* keys, int column) {
    constexpr int kColumns = kN * kW;
    const int n = rows.n_rows;
    float* const state = rows.state + column;
    alignas(64) float found[2 * kDeltaRows][kColumns];  // what queries, then keys find in the state
    alignas(64) float added[kDeltaRows][kColumns];
    const float* const factors = rows.queries_keys;
    int m = 0;
    for (; m + 4 <= 2 * n; m += 4) multiply_state<4, kN>(rows, factors + m * rows.stride, state, found[m]);
    if (m < 2 * n) multiply_state<2, kN>(rows, factors + m * rows.stride, state, found[m]);
    for (int t = 0; t < n; ++t) {
      float of_key[kDeltaRows];
      float of_query[kDeltaRows];
      const float strength = rows.strengths[t];
      for (int s = 0; s <= t; ++s) {
        of_query[s] = decays.between[t][s] * rows.products[t * n + s];
        of_key[s] = -strength * decays.between[t][s] * rows.products[(n + t) * n + s];
      }
      F u[kN];
      for (int i = 0; i < kN; ++i) {
        const F missing = V::fma(V::set(-decays.since_start[t]), V::load(found[n + t] + i * kW),
                                 V::load(rows.values + int64_t{t} * rows.stride + column + i * kW));
        u[i] = V::mul(V::set(strength), missing);
      }
      add_terms<kN>(of_key, t, added[0], u);
      for (int i = 0; i < kN; ++i) V::store(added[t] + i * kW, u[i]);
      F out[kN];
      for (int i = 0; i < kN; ++i) out[i] = V::mul(V::set(decays.since_start[t]), V::load(found[t] + i * kW));
      add_terms<kN>(of_query, t + 1, added[0], out);
      for (int i = 0; i < kN; ++i) V::store(rows.out + int64_t{t} * rows.stride + column + i * kW, out[i]);
    }
    const float left = decays.since_start[n - 1];
    int k = 0;
    for (; k + 4 <= rows.dim; k += 4)
      add_to_state<4, kN>(rows, left, keys + k, added[0], state + int64_t{k} * rows.stride);
    for (; k < rows.dim; ++k) add_to_state<1, kN>(rows, left, keys + k, added[0], state + int64_t{k} * rows.stride);
  }

  static void run_delta(const DeltaRows& rows) {
    const Decays decays(rows);
    const int n = rows.n_rows;
    // Keys as they are left at the end.
    for (int s = 0; s < n; ++s) {
      const F left = V::set(decays.between[n - 1][s]);
      const float* const key = rows.queries_keys + int64_t{n + s} * rows.stride;
      for (int i = 0; i < rows.stride; i += kW)
        V::store(rows.scratch + int64_t{s} * rows.stride + i, V::mul(left, V::load(key + i)));
    }
    int column = 0;
    for (; column + kVectors * kW <= rows.stride; column += kVectors * kW)
      run_columns<kVectors>(rows, decays, rows.scratch, column);
    for (; column < rows.stride; column += kW) run_columns<1>(rows, decays, rows.scratch, column);
  }

  // out = silu of the sum over j of weights[j] * rows[j], n channels.
  static void convolve(const float* const* rows, int n_rows, const float* weights, int64_t weight_stride, int n,
                       float* out) {
    const auto some = [&](int i, int count) {
      F sum = V::zero();
      for (int j = 0; j < n_rows; ++j) {
        const float* const w = weights + j * weight_stride + i;
        sum = count == kW ? V::fma(V::load(w), V::load(rows[j] + i), sum)
                          : V::fma(V::load_part(w, count), V::load_part(rows[j] + i, count), sum);
      }
      const F y = simd::VectorMath<V>::silu(sum);
      count == kW ? V::store(out + i, y) : V::store_part(out + i, y, count);
    };
    int i = 0;
    for (; i + kW <= n; i += kW) some(i, kW);
    if (i < n) some(i, n - i);
  }
};

}  // namespace mneme::engine::cpu
