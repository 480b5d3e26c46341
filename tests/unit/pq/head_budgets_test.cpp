// A layer's budget split among its KV heads: exact in number, and never worse than an even split.
#include "engine/pq/head_budgets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/random.h"

namespace mneme::engine {
namespace {

int bin_of(float weight) {
  return static_cast<int>(std::bit_cast<uint32_t>(weight) >> 16) >> kWeightBinShift;
}

std::vector<int> bins_of(const std::vector<std::vector<float>>& heads) {
  std::vector<int> bins(heads.size() * kWeightBins, 0);
  for (size_t h = 0; h < heads.size(); ++h)
    for (const float weight : heads[h]) ++bins[h * kWeightBins + static_cast<size_t>(bin_of(weight))];
  return bins;
}

// Weights of one head, normalised; the larger `spread`, the fewer keys hold them.
std::vector<float> head(size_t n, float spread, uint64_t seed) {
  Random random(seed);
  std::vector<float> weights(n);
  for (float& weight : weights) weight = std::exp(spread * random.gaussian());
  const float sum = std::accumulate(weights.begin(), weights.end(), 0.0f);
  for (float& weight : weights) weight /= sum;
  return weights;
}

double covered(std::vector<float> weights, int k) {
  std::sort(weights.begin(), weights.end(), std::greater<>());
  return std::accumulate(weights.begin(), weights.begin() + k, 0.0);
}

TEST(HeadBudgets, EqualHeadsTakeEqually) {
  const auto one = head(1000, 1.0f, 1);
  for (const int taken : split_among_heads(bins_of({one, one, one}), 3, 100)) EXPECT_NEAR(taken, 100, 20);
}

TEST(HeadBudgets, CoverNoLessThanAnEvenSplit) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<std::vector<float>> heads = {head(2000, 0.5f, seed), head(2000, 3.0f, seed + 100),
                                                   head(2000, 1.5f, seed + 200), head(2000, 6.0f, seed + 300)};
    const int k = 50 + static_cast<int>(seed) * 20;
    const std::vector<int> taken = split_among_heads(bins_of(heads), 4, k);
    EXPECT_EQ(std::accumulate(taken.begin(), taken.end(), 0), 4 * k);
    double split = 0;
    double even = 0;
    for (size_t h = 0; h < heads.size(); ++h) {
      EXPECT_GE(taken[h], k / kLeastShare);
      split += covered(heads[h], taken[h]);
      even += covered(heads[h], k);
    }
    EXPECT_GE(split, even) << seed;
  }
}

TEST(HeadBudgets, NoMoreThanThereIs) {
  const std::vector<std::vector<float>> heads = {head(10, 1.0f, 1), head(500, 1.0f, 2), {}};
  EXPECT_EQ(split_among_heads(bins_of(heads), 3, 100), (std::vector<int>{10, 290, 0}));
  EXPECT_EQ(split_among_heads(bins_of(heads), 3, 1000), (std::vector<int>{10, 500, 0}));
  EXPECT_EQ(split_among_heads(bins_of(heads), 3, 0), (std::vector<int>{0, 0, 0}));
}

}  // namespace
}  // namespace mneme::engine
