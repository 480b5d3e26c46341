// The parts of the retrieval kernels that are written once: plain loops over whatever follows the last whole block, and
// the f32 loops over a vector type V (engine/simd). Everything is a template on V, so that no code compiled for one
// instruction set can be linked in place of another's. Include only from pq_kernels_*.cpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "engine/pq/pq_cell_loops.h"
#include "engine/pq/pq_kernels.h"

namespace mneme::engine {

template <class V>
struct PqLoops : PqCellLoops<V> {
  using Cells = PqCellLoops<V>;
  using F = typename V::F;
  static constexpr int kW = V::kWidth;

  // 2^((score - bias) / unit) with a linear mantissa.
  static float weight(int16_t score) {
    static_assert(kScoreUnit == 128, "a bfloat16 has seven bits of mantissa");
    return std::bit_cast<float>(static_cast<uint32_t>(static_cast<uint16_t>(score)) << 16);
  }

  static void scan_keys(const ScanRun& run, int begin, int end) {
    for (int h = 0; h < run.n_heads; ++h) {
      const int16_t* tables = run.tables + int64_t{h} * run.n_parts * run.n_entries;
      for (int i = begin; i < end; ++i) {
        int sum = kScoreBias;
        for (int p = 0; p < run.n_parts; ++p) sum += tables[p * run.n_entries + run.codes[p][i]];
        const auto score = static_cast<int16_t>(sum);
        run.scores[h * run.score_stride + i] = score;
        run.sums[h * kScanBlock + i % kScanBlock] += weight(score);
      }
    }
  }

  static void combine_keys(const CombineRun& run, int begin, int end) {
    for (int i = begin; i < end; ++i) {
      float total = weight(run.scores[i]) * run.factors[0];
      for (int h = 1; h < run.n_heads; ++h) {
        const float one = weight(run.scores[h * run.score_stride + i]);
        total = run.maximum ? std::max(total, one * run.factors[h]) : std::fma(one, run.factors[h], total);
      }
      run.out[i] = static_cast<int16_t>(std::bit_cast<uint32_t>(total) >> 16);
    }
  }

  static void count_keys(const int16_t* scores, int begin, int end, const int16_t (&thresholds)[kThresholds],
                         int (&counts)[kThresholds]) {
    for (int i = begin; i < end; ++i)
      for (int t = 0; t < kThresholds; ++t) counts[t] += scores[i] >= thresholds[t];
  }

  static int collect_keys(const int16_t* scores, int begin, int end, int16_t threshold, int32_t first_index,
                          int32_t* out) {
    int n = 0;
    for (int i = begin; i < end; ++i) {
      out[n] = first_index + i;
      n += scores[i] >= threshold;
    }
    return n;
  }

  // --- f32 -----------------------------------------------------------------------------------------------------------

  // Scores x.c - |c|^2/2 of kPoints points against kVectors vectors of centroids.
  template <int kPoints, int kVectors>
  static void point_scores(const NearestRun& run, const float* points, int first_centroid,
                           F (&acc)[kPoints][kVectors]) {
    for (int j = 0; j < kVectors; ++j) {
      const F minus = V::sub(V::zero(), V::load(run.half_norms + first_centroid + j * kW));
      for (int i = 0; i < kPoints; ++i) acc[i][j] = minus;
    }
    for (int d = 0; d < run.dim; ++d) {
      const float* row = run.centroids + int64_t{d} * run.n_centroids + first_centroid;
      F c[kVectors];
      for (int j = 0; j < kVectors; ++j) c[j] = V::load(row + j * kW);
      for (int i = 0; i < kPoints; ++i) {
        const F x = V::set(points[i * run.point_stride + d]);
        for (int j = 0; j < kVectors; ++j) acc[i][j] = V::fma(x, c[j], acc[i][j]);
      }
    }
  }

  template <int kPoints, int kVectors>
  static void nearest_points(const NearestRun& run, int point) {
    const float* points = run.points + point * run.point_stride;
    float best[kPoints];
    int code[kPoints] = {};
    std::fill(best, best + kPoints, -__builtin_inff());
    for (int first = 0; first < run.n_centroids; first += kVectors * kW) {
      F acc[kPoints][kVectors];
      point_scores<kPoints, kVectors>(run, points, first, acc);
      for (int i = 0; i < kPoints; ++i) {
        F largest = acc[i][0];
        for (int j = 1; j < kVectors; ++j) largest = V::max(largest, acc[i][j]);
        const float score = V::largest(largest);
        if (!(score > best[i])) continue;
        for (int j = 0; j < kVectors; ++j) {
          if (const int lane = V::first_equal(acc[i][j], score); lane >= 0) {
            best[i] = score;
            code[i] = first + j * kW + lane;
            break;
          }
        }
      }
    }
    for (int i = 0; i < kPoints; ++i) run.codes[point + i] = static_cast<uint8_t>(code[i]);
  }

  static void nearest(const NearestRun& run) {
    constexpr int kPoints = kW >= 16 ? 6 : 4;
    constexpr int kVectors = kW >= 16 ? 4 : kW >= 8 ? 2 : 4;
    const bool wide = run.n_centroids % (kVectors * kW) == 0;
    int i = 0;
    for (; i + kPoints <= run.n_points; i += kPoints)
      wide ? nearest_points<kPoints, kVectors>(run, i) : nearest_points<kPoints, 1>(run, i);
    for (; i < run.n_points; ++i) wide ? nearest_points<1, kVectors>(run, i) : nearest_points<1, 1>(run, i);
  }

  // Four vectors of sums at once: one after the other would wait for each addition.
  static void products(const float* query, int dim, const int8_t* centroids, int n_centroids, float* out) {
    constexpr int kVectors = 4;
    int j = 0;
    for (; j + kVectors * kW <= n_centroids; j += kVectors * kW)
      column_products<kVectors>(query, dim, centroids + j, n_centroids, out + j);
    for (; j < n_centroids; j += kW) column_products<1>(query, dim, centroids + j, n_centroids, out + j);
  }

  template <int kVectors>
  static void column_products(const float* query, int dim, const int8_t* centroids, int n_centroids, float* out) {
    F sums[kVectors];
    for (F& sum : sums) sum = V::zero();
    for (int d = 0; d < dim; ++d) {
      const F x = V::set(query[d]);
      for (int v = 0; v < kVectors; ++v)
        sums[v] = V::fma(x, V::load(centroids + int64_t{d} * n_centroids + v * kW), sums[v]);
    }
    for (int v = 0; v < kVectors; ++v) V::store(out + v * kW, sums[v]);
  }

  // The parts of a table that are the same for every instruction set.
  static constexpr PqKernels shared_part(const char* name) {
    PqKernels table{};
    table.name = name;
    table.nearest = nearest;
    table.products = products;
    table.weigh = Cells::weigh;
    table.sum_cells = Cells::sum_cells;
    table.score_cells = Cells::score_cells;
    table.count_cells = Cells::count_cells;
    table.count_near = Cells::count_near;
    table.last_of_cell = Cells::last_of_cell;
    table.weigh_tail = Cells::weigh_tail;
    table.mix_rows = Cells::mix_rows;
    return table;
  }
};

}  // namespace mneme::engine
