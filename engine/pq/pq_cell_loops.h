// The part of the retrieval kernels that works on cells (pq_kernels.h) instead of keys: loops over a vector type V
// (engine/simd). Everything is a template on V, so that no code compiled for one instruction set can be linked in place
// of another's. Include only from pq_kernels_*.cpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "engine/pq/pq_kernels.h"
#include "engine/simd/vector_math.h"

namespace mneme::engine {

template <class V>
struct PqCellLoops {
  using F = typename V::F;
  static constexpr int kW = V::kWidth;

  static float weigh(float* x, int n, float scale) {
    const F factor = V::set(scale);
    F most = V::mul(V::load(x), factor);
    for (int i = kW; i < n; i += kW) most = V::max(most, V::mul(V::load(x + i), factor));
    const float largest = V::largest(most);
    const F shift = V::set(largest);
    for (int i = 0; i < n; i += kW) {
      const F logarithm = V::max(V::sub(V::mul(V::load(x + i), factor), shift), V::set(kCellFloor));
      V::store(x + i, simd::VectorMath<V>::exp(logarithm));
    }
    return largest;
  }

  static const float* first_part(const CellWeights& w, int head) { return w.weights + 2 * head * kTableEntries; }
  static const float* second_part(const CellWeights& w, int head) { return first_part(w, head) + kTableEntries; }

  template <int kHeads>
  static void sum_cells_of(const CellWeights& w, int head, const float* counts, float* sums) {
    F totals[kHeads];
    for (F& total : totals) total = V::zero();
    for (int a = 0; a < kTableEntries; ++a, counts += kTableEntries) {
      F rows[kHeads];
      for (F& row : rows) row = V::zero();
      for (int b = 0; b < kTableEntries; b += kW) {
        const F n = V::load(counts + b);
        for (int h = 0; h < kHeads; ++h) rows[h] = V::fma(n, V::load(second_part(w, head + h) + b), rows[h]);
      }
      for (int h = 0; h < kHeads; ++h) totals[h] = V::fma(rows[h], V::set(first_part(w, head + h)[a]), totals[h]);
    }
    for (int h = 0; h < kHeads; ++h) sums[head + h] = V::sum(totals[h]);
  }

  static void sum_cells(const CellWeights& w, const float* counts, float* sums) {
    int head = 0;
    for (; head + 4 <= w.n_heads; head += 4) sum_cells_of<4>(w, head, counts, sums);
    for (; head < w.n_heads; ++head) sum_cells_of<1>(w, head, counts, sums);
  }

  template <bool kMaximum>
  static void score_all_cells(const CellScoreRun& run) {
    const CellWeights& w = run.weights;
    for (int a = 0; a < kTableEntries; ++a) {
      for (int b = 0; b < kTableEntries; b += kW) {
        F total = V::mul(V::load(second_part(w, 0) + b), V::set(first_part(w, 0)[a]));
        for (int h = 1; h < w.n_heads; ++h) {
          const F one = V::load(second_part(w, h) + b);
          const F factor = V::set(first_part(w, h)[a]);
          total = kMaximum ? V::max(total, V::mul(one, factor)) : V::fma(one, factor, total);
        }
        V::store_upper(run.scores + a * kTableEntries + b, total);
      }
    }
  }

  static void score_cells(const CellScoreRun& run) {
    run.maximum ? score_all_cells<true>(run) : score_all_cells<false>(run);
  }

  static void count_cells(const int16_t* scores, const float* counts, const int16_t (&thresholds)[kThresholds],
                          float (&sums)[kThresholds]) {
    F totals[kThresholds];
    for (F& total : totals) total = V::zero();
    for (int i = 0; i < kCells; i += kW) {
      const auto some = V::load_scores(scores + i);
      const F n = V::load(counts + i);
      for (int t = 0; t < kThresholds; ++t) totals[t] = V::add_reaching(totals[t], n, some, thresholds[t]);
    }
    for (int t = 0; t < kThresholds; ++t) sums[t] = V::sum(totals[t]);
  }

  // Few cells score near a threshold: they are looked at one by one, all others together.
  static void count_near(const int16_t* scores, const float* counts, int16_t first,
                         float (&reaching)[kNearScores + 1]) {
    std::fill(reaching, reaching + kNearScores, 0.0f);
    F above = V::zero();
    for (int row = 0; row < kCells; row += kTableEntries) {
      for (int i = row; i < row + kTableEntries; i += kW)
        above = V::add_reaching(above, V::load(counts + i), V::load_scores(scores + i),
                                static_cast<int16_t>(first + kNearScores));
      for (uint64_t near = V::near_scores(scores + row, first); near != 0; near &= near - 1) {
        const int cell = row + __builtin_ctzll(near);
        reaching[scores[cell] - first] += counts[cell];
      }
    }
    reaching[kNearScores] = V::sum(above);
    for (int i = kNearScores - 1; i >= 0; --i) reaching[i] += reaching[i + 1];
  }

  // rows[a]: bit b tells whether cell (a, b) is taken.
  static int collect_marked(const CellCollectRun& run, const uint64_t* rows, int begin, int n) {
    for (int i = begin; i < run.n_keys; ++i) {
      run.out[n] = run.first_index + i;
      n += static_cast<int>(rows[run.codes[0][i]] >> run.codes[1][i] & 1);
    }
    return n;
  }

  static bool is_in_cell(const CellSearch& run, int i) {
    return run.codes[0][i] == run.cell[0] && run.codes[1][i] == run.cell[1];
  }
  // Looks at keys [0, end), of which n have been found behind them.
  static int last_of_keys(const CellSearch& run, int end, int n) {
    for (int i = end - 1; i >= 0 && n < run.n_wanted; --i)
      if (is_in_cell(run, i)) run.out[n++] = run.first_index + i;
    return n;
  }
  static int last_of_cell(const CellSearch& run) { return last_of_keys(run, run.n_keys, 0); }

  // Counts are cut at the threshold once for all heads; what every first code weighs is summed for kW of them together.
  template <int kHeads>
  static void weigh_tail_of(const CellTailRun& run, int head) {
    constexpr int kVectors = kTableEntries / kW;
    F second[kHeads][kVectors];
    for (auto& of_head : second)
      for (F& sum : of_head) sum = V::zero();
    for (int first = 0; first < kTableEntries; first += kW) {
      F rows[kHeads][kW];
      for (int a = first; a < first + kW; ++a) {
        for (int h = 0; h < kHeads; ++h) rows[h][a - first] = V::zero();
        for (int v = 0; v < kVectors; ++v) {
          const int cell = a * kTableEntries + v * kW;
          const F n = V::keep_below(V::load(run.counts + cell), V::load_scores(run.scores + cell), run.threshold);
          for (int h = 0; h < kHeads; ++h) {
            const F weight = V::load(second_part(run.weights, head + h) + v * kW);
            rows[h][a - first] = V::fma(n, weight, rows[h][a - first]);
            second[h][v] = V::fma(n, V::set(first_part(run.weights, head + h)[a]), second[h][v]);
          }
        }
      }
      for (int h = 0; h < kHeads; ++h)
        V::store(run.first + (head + h) * kTableEntries + first,
                 V::mul(V::sum_each(rows[h]), V::load(first_part(run.weights, head + h) + first)));
    }
    for (int h = 0; h < kHeads; ++h)
      for (int v = 0; v < kVectors; ++v)
        V::store(run.second + (head + h) * kTableEntries + v * kW,
                 V::mul(second[h][v], V::load(second_part(run.weights, head + h) + v * kW)));
  }

  static void weigh_tail(const CellTailRun& run) {
    int head = 0;
    for (; head + 4 <= run.weights.n_heads; head += 4) weigh_tail_of<4>(run, head);
    for (; head < run.weights.n_heads; ++head) weigh_tail_of<1>(run, head);
  }

  // kHeads heads, kN vectors wide: enough sums at once that none waits for its last addition.
  template <int kHeads, int kN>
  static void mix_columns(const MixRun& run, int head, int d) {
    F sums[kHeads][kN];
    for (int h = 0; h < kHeads; ++h)
      for (int j = 0; j < kN; ++j) sums[h][j] = V::load(run.out + (head + h) * run.width + d + j * kW);
    for (int i = 0; i < kTableEntries; ++i) {
      F row[kN];
      for (int j = 0; j < kN; ++j) row[j] = V::load(run.rows + i * run.width + d + j * kW);
      for (int h = 0; h < kHeads; ++h) {
        const F weight = V::set(run.weights[(head + h) * kTableEntries + i]);
        for (int j = 0; j < kN; ++j) sums[h][j] = V::fma(weight, row[j], sums[h][j]);
      }
    }
    for (int h = 0; h < kHeads; ++h)
      for (int j = 0; j < kN; ++j) V::store(run.out + (head + h) * run.width + d + j * kW, sums[h][j]);
  }

  template <int kHeads>
  static void mix_heads(const MixRun& run, int head) {
    constexpr int kN = 2;
    int d = 0;
    for (; d + kN * kW <= run.width; d += kN * kW) mix_columns<kHeads, kN>(run, head, d);
    for (; d < run.width; d += kW) mix_columns<kHeads, 1>(run, head, d);
  }

  static void mix_rows(const MixRun& run) {
    int head = 0;
    for (; head + 4 <= run.n_heads; head += 4) mix_heads<4>(run, head);
    for (; head < run.n_heads; ++head) mix_heads<1>(run, head);
  }
};

}  // namespace mneme::engine
