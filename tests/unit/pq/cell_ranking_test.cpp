// Ranking by cells against scoring every key by itself, on every instruction set.
#include "engine/pq/cell_ranking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.h"

namespace mneme::engine {
namespace {

struct Case {
  int n_keys = 0;
  int n_heads = 1;
  int n_codes = kTableEntries;  // that occur
  float spread = 2;             // of the logarithms of weights
  bool maximum = false;
};

// Codes and weights of a step, and what every key scores by them.
struct Step {
  std::vector<uint8_t> first, second;
  std::vector<float> weights;  // (n_heads, 2, kTableEntries)
  std::vector<float> factors;
  Case c;

  Step(const Case& shape, uint64_t seed) : c(shape) {
    Random random(seed);
    for (int i = 0; i < c.n_keys; ++i) {
      first.push_back(static_cast<uint8_t>(random.below(static_cast<uint64_t>(c.n_codes))));
      second.push_back(static_cast<uint8_t>(random.below(static_cast<uint64_t>(c.n_codes))));
    }
    for (int i = 0; i < c.n_heads * 2 * kTableEntries; ++i)
      weights.push_back(std::exp(std::max(kCellFloor, -std::fabs(random.gaussian()) * c.spread)));
    for (int h = 0; h < c.n_heads; ++h) factors.push_back(std::exp(random.gaussian() * 3));
  }
  CodePair codes() const { return {first.data(), second.data()}; }
  double weight(int head, int key) const {
    const float* own = weights.data() + 2 * head * kTableEntries;
    return double{own[first[static_cast<size_t>(key)]]} * own[kTableEntries + second[static_cast<size_t>(key)]];
  }
  double score(int key) const {
    double score = 0;
    for (int h = 0; h < c.n_heads; ++h) {
      const double one = factors[static_cast<size_t>(h)] * weight(h, key);
      score = c.maximum ? std::max(score, one) : score + one;
    }
    return score;
  }
  void begin(CellRanking& cells) const {
    cells.clear(c.n_heads);
    cells.add(codes(), 0, c.n_keys);
    set_weights(cells);
  }
  void set_weights(CellRanking& cells) const {
    for (int h = 0; h < c.n_heads; ++h) {
      const auto at = weights.begin() + 2 * h * kTableEntries;
      std::copy(at, at + 2 * kTableEntries, cells.weights(h).begin());
    }
  }
};

const std::vector<Case> kCases = {
    {.n_keys = 5000, .n_heads = 4},
    {.n_keys = 1000, .n_heads = 1, .spread = 8},
    {.n_keys = 20000, .n_heads = 7, .n_codes = 16},
    {.n_keys = 777, .n_heads = 5, .n_codes = 3},
    {.n_keys = 63, .n_heads = 2},
    {.n_keys = 64, .n_heads = 2, .spread = 40},
    {.n_keys = 1, .n_heads = 4},
    {.n_keys = 3000, .n_heads = 4, .maximum = true},
};

// No key that was left scores more than one that was taken, but for the rounding of scores to 8 bits of mantissa; of
// one cell, the first keys are taken.
void expect_best(const Step& step, const std::vector<TokenPos>& taken, const std::string& what) {
  ASSERT_TRUE(std::is_sorted(taken.begin(), taken.end())) << what;
  std::vector<bool> is_taken(static_cast<size_t>(step.c.n_keys), false);
  double worst = INFINITY;
  for (const TokenPos position : taken) {
    ASSERT_FALSE(is_taken.at(static_cast<size_t>(position))) << what;
    is_taken[static_cast<size_t>(position)] = true;
    worst = std::min(worst, step.score(position));
  }
  std::vector<bool> cell_is_full(kCells, false);
  for (int key = 0; key < step.c.n_keys; ++key) {
    const size_t cell = step.codes().cell(key);
    if (is_taken[static_cast<size_t>(key)]) {
      EXPECT_FALSE(cell_is_full[cell]) << what << ": a later key of a cell was preferred";
    } else {
      cell_is_full[cell] = true;
      ASSERT_LE(step.score(key), worst * (1 + 1.0 / 64)) << what << ", key " << key;
    }
  }
}

TEST(CellRanking, TakesTheBestKeys) {
  for (const PqKernels* kernels : available_pq_kernels()) {
    for (size_t i = 0; i < kCases.size(); ++i) {
      const Step step(kCases[i], i);
      const int n = step.c.n_keys;
      for (const int k : {1, n / 10, n / 2, n - 1, n}) {
        CellRanking cells(*kernels);
        step.begin(cells);
        cells.score(step.factors, step.c.maximum);
        std::vector<TokenPos> taken = {-7};
        cells.take(step.codes(), 0, n, k, {}, taken);
        ASSERT_EQ(taken.front(), -7) << "what was there before must stay";
        taken.erase(taken.begin());
        ASSERT_EQ(static_cast<int>(taken.size()), std::max(0, k));
        expect_best(step, taken, std::string(kernels->name) + ", case " + std::to_string(i) + ", " + std::to_string(k));
      }
    }
  }
}

TEST(CellRanking, TakesOfAPartOfTheKeys) {
  const Step step({.n_keys = 4000, .n_heads = 4}, 3);
  for (const PqKernels* kernels : available_pq_kernels()) {
    CellRanking cells(*kernels);
    cells.clear(step.c.n_heads);
    cells.add(step.codes(), 37, 3801);
    step.set_weights(cells);
    cells.score(step.factors, false);
    std::vector<TokenPos> taken;
    cells.take(step.codes(), 37, 3801, 500, {}, taken);
    ASSERT_EQ(taken.size(), 500u);
    EXPECT_GE(taken.front(), 37);
    EXPECT_LT(taken.back(), 3801);
  }
}

TEST(CellRanking, GuessesChangeNothing) {
  const Step step({.n_keys = 3000, .n_heads = 4}, 4);
  CellRanking cells(best_pq_kernels());
  step.begin(cells);
  cells.score(step.factors, false);
  for (const int k : {1, 300, 2900}) {
    std::vector<TokenPos> expected;
    cells.take(step.codes(), 0, 3000, k, {}, expected);
    for (const int guess : {0, 1, 9000, 16256, 20000, 0x7f7f, 0x7fff}) {
      std::vector<TokenPos> taken;
      cells.take(step.codes(), 0, 3000, k, static_cast<int16_t>(guess), taken);
      EXPECT_EQ(taken, expected) << k << ", " << guess;
    }
  }
}

// Whoever knows the k-th score need not let it be looked for.
TEST(CellRanking, TakesTheSameByAKnownScore) {
  const Step step({.n_keys = 3000, .n_heads = 4, .n_codes = 20}, 4);
  CellRanking cells(best_pq_kernels());
  for (const int k : {1, 300, 2900, 3000}) {
    step.begin(cells);
    cells.score(step.factors, false);
    std::vector<TokenPos> expected;
    cells.take(step.codes(), 0, 3000, k, {}, expected);
    step.begin(cells);
    cells.score(step.factors, false);
    KthScore kth{0, 3000};
    for (int score = 1; score < kScoreEnd; ++score) {
      int counts[kThresholds];
      const auto tried = static_cast<int16_t>(score);
      cells.count_reaching({tried, tried, tried, tried}, counts);
      if (counts[0] < k) break;
      kth = {score, counts[0]};
    }
    std::vector<TokenPos> taken;
    cells.take_by(step.codes(), 0, 3000, k, kth, taken);
    EXPECT_EQ(taken, expected) << k;
  }
}

TEST(CellRanking, CountsWhatReachesAScore) {
  for (const PqKernels* kernels : available_pq_kernels()) {
    const Step step({.n_keys = 2500, .n_heads = 3}, 5);
    CellRanking cells(*kernels);
    step.begin(cells);
    cells.score(step.factors, false);
    constexpr int16_t kTries[kThresholds] = {0, 15000, 16256, 17000};
    int counts[kThresholds];
    cells.count_reaching(kTries, counts);
    EXPECT_EQ(counts[0], 2500);
    for (int t = 1; t < kThresholds; ++t) {
      // Scores are cut to 8 bits of mantissa: keys within a 64th of the threshold may fall on either side.
      const double weight = std::ldexp(1.0 + (kTries[t] % 128) / 128.0, kTries[t] / 128 - 127);
      int surely = 0;
      int perhaps = 0;
      for (int key = 0; key < 2500; ++key) {
        surely += step.score(key) >= weight * (1 + 1e-4);
        perhaps += step.score(key) >= weight * (1 - 1e-4);
      }
      EXPECT_GE(counts[t], surely) << kernels->name;
      EXPECT_LE(counts[t], perhaps) << kernels->name;
    }
  }
}

TEST(CellRanking, SumsOfHeadsAreThoseOfTheirKeys) {
  for (const PqKernels* kernels : available_pq_kernels()) {
    for (size_t i = 0; i < kCases.size(); ++i) {
      const Step step(kCases[i], 10 + i);
      CellRanking cells(*kernels);
      step.begin(cells);
      const auto sums = cells.head_sums();
      for (int h = 0; h < step.c.n_heads; ++h) {
        double expected = 0;
        for (int key = 0; key < step.c.n_keys; ++key) expected += step.weight(h, key);
        EXPECT_NEAR(sums[static_cast<size_t>(h)] / expected, 1, 1e-4) << kernels->name << ", case " << i;
      }
    }
  }
}

// The sums of all keys, some of which are no candidates and therefore not counted.
TEST(CellRanking, SumsHoldKeysThatAreNotCounted) {
  for (const PqKernels* kernels : available_pq_kernels()) {
    for (size_t i = 0; i < kCases.size(); ++i) {
      const Step step(kCases[i], 30 + i);
      const int n_counted = step.c.n_keys - step.c.n_keys / 3;
      CellRanking cells(*kernels);
      step.begin(cells);
      const auto whole = cells.head_sums();
      const std::vector<float> all(whole.begin(), whole.end());
      cells.clear(step.c.n_heads);
      cells.add(step.codes(), 0, n_counted);
      const auto sums = cells.head_sums(step.codes(), n_counted, step.c.n_keys);
      for (size_t h = 0; h < all.size(); ++h) EXPECT_NEAR(sums[h] / all[h], 1, 1e-4) << kernels->name << ", case " << i;
    }
  }
}

// Counts that somebody keeps give what own ones give, and are left as they are.
TEST(CellRanking, CountsThatSomebodyKeeps) {
  for (const PqKernels* kernels : available_pq_kernels()) {
    const Step step({.n_keys = 4000, .n_heads = 4}, 3);
    const auto take = [&](CellRanking& cells) {
      step.set_weights(cells);
      cells.score(step.factors, false);
      std::vector<TokenPos> taken;
      cells.take(step.codes(), 0, 4000, 333, {}, taken);
      std::vector<float> first, second;
      cells.weigh_rest(step.factors, first, second);
      return std::pair(taken, first);
    };
    CellRanking own(*kernels);
    step.begin(own);
    std::vector<float> counts(kCells);
    count_cells(step.codes(), 0, 4000, 1.0f, counts);
    const std::vector<float> before = counts;
    CellRanking kept(*kernels);
    kept.use_counts(step.c.n_heads, counts);
    CellRanking moved(std::move(own));
    EXPECT_EQ(take(kept), take(moved)) << kernels->name;
    EXPECT_EQ(counts, before);
  }
}

// What is left, by either part's codes, in the heads' own units.
TEST(CellRanking, WeighsTheRest) {
  for (const PqKernels* kernels : available_pq_kernels()) {
    const Step step({.n_keys = 6000, .n_heads = 3, .n_codes = 40}, 20);
    CellRanking cells(*kernels);
    step.begin(cells);
    cells.score(step.factors, false);
    std::vector<TokenPos> taken;
    cells.take(step.codes(), 0, 6000, 700, {}, taken);
    std::vector<float> by_code[2];
    cells.weigh_rest(step.factors, by_code[0], by_code[1]);
    std::vector<double> expected[2] = {std::vector<double>(by_code[0].size()), std::vector<double>(by_code[0].size())};
    for (int key = 0; key < 6000; ++key) {
      if (std::binary_search(taken.begin(), taken.end(), key)) continue;
      for (int h = 0; h < 3; ++h) {
        const auto row = static_cast<size_t>(h * kTableEntries);
        expected[0][row + step.first[static_cast<size_t>(key)]] += step.weight(h, key);
        expected[1][row + step.second[static_cast<size_t>(key)]] += step.weight(h, key);
      }
    }
    for (int part = 0; part < 2; ++part)
      for (size_t i = 0; i < by_code[part].size(); ++i)
        EXPECT_NEAR(by_code[part][i], expected[part][i], 1e-4 * expected[part][i] + 1e-6) << kernels->name;
  }
}

TEST(CellRanking, CountForMassHoldsTheMass) {
  const Step step({.n_keys = 5000, .n_heads = 4, .spread = 3}, 30);
  CellRanking cells(best_pq_kernels());
  step.begin(cells);
  cells.score(step.factors, false);
  std::vector<double> scores;
  for (int key = 0; key < 5000; ++key) scores.push_back(step.score(key));
  std::sort(scores.begin(), scores.end(), std::greater<>());
  const double total = std::accumulate(scores.begin(), scores.end(), 0.0);
  for (const double share : {0.5, 0.9, 0.99}) {
    const int n = cells.count_for_mass(share, 1, 5000);
    EXPECT_NEAR(std::accumulate(scores.begin(), scores.begin() + n, 0.0) / total, share, 0.02) << share;
  }
  EXPECT_EQ(cells.count_for_mass(0.0001, 300, 5000), 300);
  EXPECT_EQ(cells.count_for_mass(0.9999, 1, 200), 200);
}

}  // namespace
}  // namespace mneme::engine
