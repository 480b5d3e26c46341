// Streaming-softmax attention over tokens that lie scattered (AttentionRows), written once over a vector type V. The
// softmax is that of attention_kernels.h, so that rows and pages may follow each other.
#pragma once

#include <cstdint>
#include <type_traits>

#include "engine/backend/cpu/attention_kernels.h"
#include "engine/backend/cpu/kernels.h"

namespace mneme::engine::cpu {

template <class V>
struct RowAttentionKernels {
  using F = typename V::F;
  static constexpr int kW = V::kWidth;
  static constexpr int kQueryBlock = 4;

  static constexpr int kRowTile = 64;  // rows softened together: their values are still in the first-level cache

  // Memory is asked for AttentionRows::kAhead rows before it is read: with every key that is scored one more key, with
  // every value that is added one more value. Requests in bursts wait for each other, and the arithmetic for them: on a
  // Sapphire Rapids core, spread out, a row of 256 bytes takes 65 ns instead of 80 to 105. All is inlined, as GCC drops
  // calls of functions that do nothing but ask for memory.
  [[gnu::always_inline]] static void fetch_bytes(const void* row, int n_bytes) {
    for (int i = 0; i < n_bytes; i += 64) __builtin_prefetch(static_cast<const char*>(row) + i, 0, 3);
  }
  [[gnu::always_inline]] static bool is_to_fetch(const AttentionRows& run, int row) {
    return row >= run.n_fetched && row < run.n_rows + run.n_ahead;
  }
  template <bool kCodes>
  [[gnu::always_inline]] static void fetch_key(const AttentionRows& run, int row) {
    if (is_to_fetch(run, row)) fetch_bytes(run.rows[row].key, run.head_dim * (kCodes ? 1 : 2));
  }
  template <bool kCodes>
  [[gnu::always_inline]] static void fetch_value(const AttentionRows& run, int row) {
    if (is_to_fetch(run, row)) fetch_bytes(run.rows[row].value, run.value_stride * (kCodes ? 1 : 2));
  }

  // Scores of up to kW rows for kQ queries, into scores[q * stride + 0 .. kW); those beyond `count` are any numbers.
  // kVectors: of a key, 0 for any number. Rows are taken in the pairs that V folds together, so that a part of a query
  // is loaded once for two of them, or not at all where all queries fit into registers.
  template <bool kCodes, int kQ, int kVectors>
  static void score_tile(const AttentionRows& run, const float* queries, int first, int count, int64_t stride,
                         float* scores) {
    constexpr bool kHeld = kW >= 16 && kVectors > 0 && kQ * kVectors <= 16;
    F held[kHeld ? kQ : 1][kHeld ? kVectors : 1];
    if constexpr (kHeld) {
      for (int q = 0; q < kQ; ++q)
        for (int v = 0; v < kVectors; ++v) held[q][v] = V::load(queries + int64_t{q} * run.head_dim + v * kW);
    }
    const bool fetches = queries == run.queries;  // once for all queries
    const int last = first + count - 1;
    F sums[kQ][kPairs];
    for (int pair = 0; pair < kPairs; ++pair) {
      const int at[2] = {first + first_of_pair(pair), first + second_of_pair(pair)};
      if (fetches) {
        fetch_key<kCodes>(run, at[0] + AttentionRows::kAhead);
        if constexpr (kW > 1) fetch_key<kCodes>(run, at[1] + AttentionRows::kAhead);
      }
      const KvRow& one = run.rows[at[0] < last ? at[0] : last];
      const KvRow& other = run.rows[at[1] < last ? at[1] : last];
      F acc[kQ], acc_other[kQ];
      for (int q = 0; q < kQ; ++q) acc[q] = acc_other[q] = V::zero();
      const auto step = [&](int d, int n) __attribute__((always_inline)) {
        const F key = AttentionKernels<V>::template element<kCodes>(one.key, one.key_scales, d, n);
        F key_other = key;
        if constexpr (kW > 1)
          key_other = AttentionKernels<V>::template element<kCodes>(other.key, other.key_scales, d, n);
        for (int q = 0; q < kQ; ++q) {
          const float* query = queries + int64_t{q} * run.head_dim + d;
          F part;
          if constexpr (kHeld) {
            part = held[q][d / kW];
          } else {
            part = n == kW ? V::load(query) : V::load_part(query, n);
          }
          acc[q] = V::fma(part, key, acc[q]);
          if constexpr (kW > 1) acc_other[q] = V::fma(part, key_other, acc_other[q]);
        }
      };
      if constexpr (kVectors > 0) {
        for (int v = 0; v < kVectors; ++v) step(v * kW, kW);
      } else {
        for (int d = 0; d < run.head_dim; d += kW) step(d, run.head_dim - d < kW ? run.head_dim - d : kW);
      }
      for (int q = 0; q < kQ; ++q) {
        if constexpr (kW > 1) {
          sums[q][pair] = V::fold(acc[q], acc_other[q]);
        } else {
          sums[q][pair] = acc[q];
        }
      }
    }
    for (int q = 0; q < kQ; ++q) {
      if constexpr (kW > 1) {
        V::store(scores + q * stride, V::sum_folded(sums[q]));
      } else {
        V::store(scores + q * stride, sums[q][0]);
      }
    }
  }
  static constexpr int kPairs = kW > 1 ? kW / 2 : 1;
  static constexpr int first_of_pair(int pair) {
    if constexpr (kW > 1) return V::first_of_pair(pair);
    return pair;
  }
  static constexpr int second_of_pair(int pair) {
    if constexpr (kW > 1) return V::second_of_pair(pair);
    return pair;
  }

  template <bool kCodes, int kQ>
  static void score_block(const AttentionRows& run, const float* queries, int first, int count, int64_t stride,
                          float* scores) {
    if (run.head_dim == 4 * kW) return score_tile<kCodes, kQ, 4>(run, queries, first, count, stride, scores);
    if (run.head_dim == 8 * kW) return score_tile<kCodes, kQ, 8>(run, queries, first, count, stride, scores);
    score_tile<kCodes, kQ, 0>(run, queries, first, count, stride, scores);
  }

  // out[q][d ..] += sum over rows of weights[q][row] * value[d ..], kN vectors wide.
  template <bool kCodes, int kQ, int kN>
  static void add_rows(const AttentionRows& run, int first, int count, const float* weights, int d, float* out) {
    const bool fetches = d == 0 && out == run.out;  // once for all queries
    F acc[kQ][kN];
    for (int q = 0; q < kQ; ++q)
      for (int v = 0; v < kN; ++v) acc[q][v] = V::load(out + int64_t{q} * run.value_stride + d + v * kW);
    for (int t = 0; t < count; ++t) {
      const KvRow& row = run.rows[first + t];
      if (fetches) fetch_value<kCodes>(run, first + t + AttentionRows::kAhead);
      F value[kN];
      for (int v = 0; v < kN; ++v)
        value[v] = AttentionKernels<V>::template element<kCodes>(row.value, row.value_scales, d + v * kW, kW);
      for (int q = 0; q < kQ; ++q) {
        const F weight = V::set(weights[int64_t{q} * kPageTokens + t]);
        for (int v = 0; v < kN; ++v) acc[q][v] = V::fma(weight, value[v], acc[q][v]);
      }
    }
    for (int q = 0; q < kQ; ++q)
      for (int v = 0; v < kN; ++v) V::store(out + int64_t{q} * run.value_stride + d + v * kW, acc[q][v]);
  }

  template <bool kCodes, int kQ>
  static void add_block(const AttentionRows& run, int first, int count, const float* weights, float* out) {
    constexpr int kN = kW >= 16 ? 4 : 2;
    int d = 0;
    for (; d + kN * kW <= run.value_stride; d += kN * kW) add_rows<kCodes, kQ, kN>(run, first, count, weights, d, out);
    for (; d < run.value_stride; d += kW) add_rows<kCodes, kQ, 1>(run, first, count, weights, d, out);
  }

  // Calls body(queries in a block, first query): kQueryBlock at a time, then one by one.
  template <class Body>
  static void for_query_blocks(int n_queries, Body body) {
    int q = 0;
    for (; q + kQueryBlock <= n_queries; q += kQueryBlock) body(std::integral_constant<int, kQueryBlock>{}, q);
    for (; q < n_queries; ++q) body(std::integral_constant<int, 1>{}, q);
  }

  template <bool kCodes>
  static void attend_tile(const AttentionRows& run, int first, int count) {
    float* scores = run.scratch;
    for (int t = 0; t < count; t += kW) {
      const int n = count - t < kW ? count - t : kW;
      for_query_blocks(run.n_queries, [&]<int kQ>(std::integral_constant<int, kQ>, int q) {
        score_block<kCodes, kQ>(run, run.queries + int64_t{q} * run.head_dim, first + t, n, kPageTokens,
                                scores + int64_t{q} * kPageTokens + t);
      });
    }
    const int padded = (count + kW - 1) / kW * kW;
    for (int q = 0; q < run.n_queries; ++q)
      AttentionKernels<V>::soften(run, q, 0, count, padded, scores + int64_t{q} * kPageTokens);
    for_query_blocks(run.n_queries, [&]<int kQ>(std::integral_constant<int, kQ>, int q) {
      add_block<kCodes, kQ>(run, first, count, scores + int64_t{q} * kPageTokens,
                            run.out + int64_t{q} * run.value_stride);
    });
  }

  template <bool kCodes>
  static void attend_all_rows(const AttentionRows& run) {
    for (int row = 0; row < AttentionRows::kAhead; ++row) {
      fetch_key<kCodes>(run, row);
      fetch_value<kCodes>(run, row);
    }
    for (int first = 0; first < run.n_rows; first += kRowTile)
      attend_tile<kCodes>(run, first, run.n_rows - first < kRowTile ? run.n_rows - first : kRowTile);
  }

  static void attend_rows(const AttentionRows& run) {
    const bool codes = run.n_rows > 0 && run.rows[0].key_scales != nullptr;
    codes ? attend_all_rows<true>(run) : attend_all_rows<false>(run);
  }

  template <bool kCodes>
  static void score_all_rows(const AttentionRows& run, int64_t stride, float* scores) {
    for (int row = 0; row < AttentionRows::kAhead; ++row) fetch_key<kCodes>(run, row);
    for (int t = 0; t < run.n_rows; t += kW) {
      const int n = run.n_rows - t < kW ? run.n_rows - t : kW;
      for_query_blocks(run.n_queries, [&]<int kQ>(std::integral_constant<int, kQ>, int q) {
        score_block<kCodes, kQ>(run, run.queries + int64_t{q} * run.head_dim, t, n, stride, scores + q * stride + t);
      });
    }
  }

  static void score_rows(const AttentionRows& run, int64_t stride, float* scores) {
    const bool codes = run.n_rows > 0 && run.rows[0].key_scales != nullptr;
    codes ? score_all_rows<true>(run, stride, scores) : score_all_rows<false>(run, stride, scores);
  }
};

}  // namespace mneme::engine::cpu
