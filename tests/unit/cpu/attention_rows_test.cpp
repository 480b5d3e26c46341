// Attention to scattered tokens, on every instruction set, against plain double arithmetic.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "engine/backend/cpu/aligned_buffer.h"
#include "engine/backend/cpu/kernels.h"

namespace mneme::engine::cpu {
namespace {

struct Shape {
  int n_queries, head_dim, n_rows;
  bool codes = false;
  float softcap = 0;
};

class AttendRows : public testing::TestWithParam<Shape> {};
INSTANTIATE_TEST_SUITE_P(Shapes, AttendRows,
                         testing::Values(Shape{4, 64, 300}, Shape{1, 64, 1}, Shape{5, 128, 129}, Shape{8, 80, 128},
                                         Shape{3, 40, 17}, Shape{7, 256, 31}, Shape{4, 10, 50}, Shape{4, 64, 0},
                                         Shape{2, 64, 200, false, 5.0f}, Shape{4, 64, 300, true},
                                         Shape{6, 128, 130, true}, Shape{1, 32, 15, true}, Shape{9, 96, 40, true},
                                         Shape{4, 64, 200, true, 5.0f}));

// Rows of keys and values in memory, and what they stand for.
struct Rows {
  std::vector<std::vector<f16>> halves, value_halves;
  std::vector<std::vector<int8_t>> codes, value_codes;
  std::vector<std::vector<f16>> scales, value_scales;
  std::vector<KvRow> rows;
  std::vector<std::vector<double>> keys, values;

  Rows(const Shape& s, int stride, uint64_t seed) {
    Random random(seed);
    for (int i = 0; i < s.n_rows; ++i) {
      keys.emplace_back();
      values.emplace_back();
      if (s.codes) {
        fill_codes(random, s.head_dim, codes, scales, keys.back());
        fill_codes(random, s.head_dim, value_codes, value_scales, values.back());
        rows.push_back(
            {codes.back().data(), value_codes.back().data(), scales.back().data(), value_scales.back().data()});
      } else {
        fill_halves(random, s.head_dim, s.head_dim, halves, keys.back());
        fill_halves(random, s.head_dim, stride, value_halves, values.back());
        rows.push_back({halves.back().data(), value_halves.back().data(), nullptr, nullptr});
      }
    }
  }
  static void fill_halves(Random& random, int n, int stride, std::vector<std::vector<f16>>& to,
                          std::vector<double>& exact) {
    to.emplace_back(static_cast<size_t>(stride), f16{0});
    for (int d = 0; d < n; ++d) {
      to.back()[static_cast<size_t>(d)] = to_f16(random.gaussian());
      exact.push_back(to_f32(to.back()[static_cast<size_t>(d)]));
    }
  }
  static void fill_codes(Random& random, int n, std::vector<std::vector<int8_t>>& to,
                         std::vector<std::vector<f16>>& scales, std::vector<double>& exact) {
    to.emplace_back(static_cast<size_t>(n));
    scales.emplace_back(static_cast<size_t>((n / kKvBlock - 1) * kPageTokens + 1), f16{0});
    for (int d = 0; d < n; ++d) {
      f16& scale = scales.back()[static_cast<size_t>(d / kKvBlock * kPageTokens)];
      if (d % kKvBlock == 0) scale = to_f16(0.01f + 0.01f * static_cast<float>(random.uniform()));
      to.back()[static_cast<size_t>(d)] = static_cast<int8_t>(static_cast<int>(random.below(255)) - 127);
      exact.push_back(to_f32(scale) * static_cast<double>(to.back()[static_cast<size_t>(d)]));
    }
  }
};

TEST_P(AttendRows, EqualsDoublePrecision) {
  const Shape s = GetParam();
  const int stride = (s.head_dim + 15) / 16 * 16;
  const Rows rows(s, stride, static_cast<uint64_t>(s.n_rows * 7 + s.head_dim));
  Random random(3);
  std::vector<float> queries(static_cast<size_t>(s.n_queries * s.head_dim));
  for (float& q : queries) q = 0.3f * random.gaussian();
  for (const Kernels* kernels : available_kernels()) {
    AlignedBuffer<float> scratch(static_cast<size_t>(attention_scratch_floats(s.n_queries, s.head_dim, stride)));
    std::vector<float> out(static_cast<size_t>(s.n_queries * stride), 0.0f);
    std::vector<float> maximum(static_cast<size_t>(s.n_queries), -__builtin_inff());
    std::vector<float> sum(static_cast<size_t>(s.n_queries), 0.0f);
    AttentionRows run;
    run.n_queries = s.n_queries;
    run.head_dim = s.head_dim;
    run.value_stride = stride;
    run.queries = queries.data();
    run.rows = rows.rows.data();
    run.n_rows = s.n_rows;
    run.softcap = s.softcap;
    run.maximum = maximum.data();
    run.sum = sum.data();
    run.out = out.data();
    run.scratch = scratch.data();
    kernels->attend_rows(run);
    for (int q = 0; q < s.n_queries; ++q) {
      std::vector<double> weights;
      double total = 0;
      for (const std::vector<double>& key : rows.keys) {
        double score = 0;
        for (int d = 0; d < s.head_dim; ++d)
          score += queries[static_cast<size_t>(q * s.head_dim + d)] * key[static_cast<size_t>(d)];
        if (s.softcap > 0) score = s.softcap * std::tanh(score / s.softcap);
        weights.push_back(std::exp(score));
        total += weights.back();
      }
      if (s.n_rows == 0) {
        EXPECT_EQ(sum[static_cast<size_t>(q)], 0.0f);
        continue;
      }
      EXPECT_NEAR(sum[static_cast<size_t>(q)] * std::exp(double{maximum[static_cast<size_t>(q)]}) / total, 1, 1e-4);
      for (int d = 0; d < s.head_dim; ++d) {
        double expected = 0;
        for (size_t i = 0; i < weights.size(); ++i)
          expected += weights[i] / total * rows.values[i][static_cast<size_t>(d)];
        EXPECT_NEAR(out[static_cast<size_t>(q * stride + d)] / sum[static_cast<size_t>(q)], expected, 2e-4)
            << kernels->name << ", query " << q;
      }
    }
  }
}

TEST_P(AttendRows, ScoresAreProducts) {
  const Shape s = GetParam();
  const Rows rows(s, (s.head_dim + 15) / 16 * 16, 18);
  Random random(5);
  std::vector<float> queries(static_cast<size_t>(s.n_queries * s.head_dim));
  for (float& q : queries) q = 0.3f * random.gaussian();
  const int stride = (s.n_rows + 15) / 16 * 16;
  for (const Kernels* kernels : available_kernels()) {
    std::vector<float> scores(static_cast<size_t>(s.n_queries * stride));
    AttentionRows run;
    run.n_queries = s.n_queries;
    run.head_dim = s.head_dim;
    run.queries = queries.data();
    run.rows = rows.rows.data();
    run.n_rows = s.n_rows;
    kernels->score_rows(run, stride, scores.data());
    for (int q = 0; q < s.n_queries; ++q) {
      for (int i = 0; i < s.n_rows; ++i) {
        double expected = 0;
        for (int d = 0; d < s.head_dim; ++d)
          expected += queries[static_cast<size_t>(q * s.head_dim + d)] *
                      rows.keys[static_cast<size_t>(i)][static_cast<size_t>(d)];
        EXPECT_NEAR(scores[static_cast<size_t>(q * stride + i)], expected, 1e-4) << kernels->name;
      }
    }
  }
}

// A row's score has the same bits alone and among any number of others, and wherever it stands among them.
TEST_P(AttendRows, ScoresDoNotDependOnNeighbours) {
  const Shape s = GetParam();
  const Rows rows(s, (s.head_dim + 15) / 16 * 16, 19);
  Random random(6);
  std::vector<float> queries(static_cast<size_t>(s.n_queries * s.head_dim));
  for (float& q : queries) q = 0.3f * random.gaussian();
  const int stride = (s.n_rows + 15) / 16 * 16;
  const auto n_scores = static_cast<size_t>(s.n_queries * stride);
  for (const Kernels* kernels : available_kernels()) {
    AttentionRows run;
    run.n_queries = s.n_queries;
    run.head_dim = s.head_dim;
    run.queries = queries.data();
    std::vector<float> all(n_scores), some(n_scores);
    run.rows = rows.rows.data();
    run.n_rows = s.n_rows;
    kernels->score_rows(run, stride, all.data());
    for (const int first : {1, 5, 16, s.n_rows - 1}) {
      if (first < 0 || first >= s.n_rows) continue;
      run.rows = rows.rows.data() + first;
      run.n_rows = s.n_rows - first;
      kernels->score_rows(run, stride, some.data());
      for (int q = 0; q < s.n_queries; ++q)
        for (int i = 0; i < run.n_rows; ++i)
          ASSERT_EQ(some[static_cast<size_t>(q * stride + i)], all[static_cast<size_t>(q * stride + first + i)])
              << kernels->name << ", query " << q << ", row " << first + i;
    }
  }
}

// Rows cut into two calls, the first of which asks for some of the second's memory: the same as all at once.
TEST_P(AttendRows, InTwoCallsAsInOne) {
  const Shape s = GetParam();
  const int stride = (s.head_dim + 15) / 16 * 16;
  const Rows rows(s, stride, 17);
  Random random(4);
  std::vector<float> queries(static_cast<size_t>(s.n_queries * s.head_dim));
  for (float& q : queries) q = 0.3f * random.gaussian();
  const auto n_queries = static_cast<size_t>(s.n_queries);
  AlignedBuffer<float> scratch(static_cast<size_t>(attention_scratch_floats(s.n_queries, s.head_dim, stride)));
  std::vector<float> results[2];
  const int half = s.n_rows / 2;
  for (const bool cut : {false, true}) {
    std::vector<float> out(n_queries * static_cast<size_t>(stride)), maximum(n_queries, -__builtin_inff()),
        sum(n_queries);
    AttentionRows run;
    run.n_queries = s.n_queries;
    run.head_dim = s.head_dim;
    run.value_stride = stride;
    run.queries = queries.data();
    run.rows = rows.rows.data();
    run.n_rows = cut ? half : s.n_rows;
    run.n_ahead = std::min(AttentionRows::kAhead, s.n_rows - run.n_rows);
    run.softcap = s.softcap;
    run.maximum = maximum.data();
    run.sum = sum.data();
    run.out = out.data();
    run.scratch = scratch.data();
    best_kernels().attend_rows(run);
    if (cut) {
      run.rows += half;
      run.n_fetched = run.n_ahead;
      run.n_rows = s.n_rows - half;
      run.n_ahead = 0;
      best_kernels().attend_rows(run);
    }
    for (size_t i = 0; i < out.size(); ++i) {
      const size_t query = i / static_cast<size_t>(stride);
      results[cut].push_back(s.n_rows == 0 ? out[i] : out[i] / sum[query]);
    }
  }
  for (size_t i = 0; i < results[0].size(); ++i) EXPECT_NEAR(results[0][i], results[1][i], 1e-5f);
}

}  // namespace
}  // namespace mneme::engine::cpu
