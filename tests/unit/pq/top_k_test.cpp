#include "engine/pq/top_k.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/random.h"

namespace mneme::engine {
namespace {

std::vector<int32_t> plain_top(const std::vector<int16_t>& scores, int k, int first) {
  std::vector<int32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return scores[static_cast<size_t>(a)] > scores[static_cast<size_t>(b)]; });
  order.resize(std::min(order.size(), static_cast<size_t>(std::max(0, k))));
  std::sort(order.begin(), order.end());
  for (int32_t& i : order) i += first;
  return order;
}

void expect_top(const std::vector<int16_t>& scores, int k) {
  for (const PqKernels* kernels : available_pq_kernels()) {
    TopK top(*kernels);
    std::vector<int32_t> got = {-5};
    top.select(scores, k, 100, got);
    ASSERT_EQ(got.front(), -5) << "what was there before must stay";
    got.erase(got.begin());
    EXPECT_THAT(got, ::testing::ElementsAreArray(plain_top(scores, k, 100)))
        << kernels->name << ", " << k << " of " << scores.size();
  }
}

TEST(TopK, EqualsSorting) {
  Random random(1);
  for (const int n : {0, 1, 5, 33, 1000, 2048, 20000}) {
    for (const double spread : {3.0, 400.0, 9000.0}) {
      std::vector<int16_t> scores(static_cast<size_t>(n));
      for (int16_t& s : scores)
        s = static_cast<int16_t>(std::clamp(random.gaussian() * spread - 2000.0, -32768.0, 32767.0));
      for (const int k : {0, 1, n / 10, n / 2, n - 1, n, n + 1}) expect_top(scores, k);
    }
  }
}

TEST(TopK, EqualScoresGoByPosition) {
  expect_top(std::vector<int16_t>(5000, -7), 1234);
  std::vector<int16_t> two(6000, -30000);
  for (size_t i = 0; i < two.size(); i += 3) two[i] = 5;
  expect_top(two, 1999);
  expect_top(two, 2500);
}

TEST(TopK, ExtremesAndPeriodsThatDeceiveTheSample) {
  std::vector<int16_t> scores(40960, INT16_MIN);
  for (size_t i = 0; i < scores.size(); i += 20) scores[i] = INT16_MAX;  // the sample's own stride, or beside it
  expect_top(scores, 100);
  expect_top(scores, 3000);
  std::rotate(scores.begin(), scores.begin() + 10, scores.end());
  expect_top(scores, 100);
  expect_top(scores, 3000);
}

TEST(TopK, CountForMassHoldsTheMass) {
  Random random(2);
  std::vector<int16_t> scores(5000);
  for (int16_t& s : scores) s = static_cast<int16_t>(random.gaussian() * 300 - 3000);
  std::vector<int16_t> sorted = scores;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double total = 0;
  for (const int16_t s : sorted) total += std::exp2(s / double{kScoreUnit});
  for (const double share : {0.5, 0.9, 0.99}) {
    const int n = TopK::count_for_mass(scores, share, 1, 5000);
    double held = 0;
    for (int i = 0; i < n; ++i) held += std::exp2(sorted[static_cast<size_t>(i)] / double{kScoreUnit});
    EXPECT_NEAR(held / total, share, 0.03);
  }
  EXPECT_EQ(TopK::count_for_mass(scores, 0.9, 4000, 5000), 4000);
  EXPECT_EQ(TopK::count_for_mass(scores, 0.99, 1, 10), 10);
  EXPECT_EQ(TopK::count_for_mass(std::vector<int16_t>(100, -9), 0.5, 1, 100), 50);
}

}  // namespace
}  // namespace mneme::engine
