// A layer's budget split among its KV heads: exact in number, and never worse than an even split.
#include "engine/pq/head_budgets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.h"

namespace mneme::engine {
namespace {

// Heads whose keys have these weights.
class Weights final : public HeadScores {
 public:
  explicit Weights(std::vector<std::vector<float>> heads) : heads_(std::move(heads)) {}
  int n_heads() const override { return static_cast<int>(heads_.size()); }
  void count(int head, const int16_t (&thresholds)[kThresholds], int (&counts)[kThresholds]) const override {
    for (int t = 0; t < kThresholds; ++t) {
      counts[t] = 0;
      for (const float weight : heads_[static_cast<size_t>(head)])
        counts[t] += static_cast<int16_t>(std::bit_cast<uint32_t>(weight) >> 16) >= thresholds[t];
    }
  }
  const std::vector<float>& operator[](size_t head) const { return heads_[head]; }

 private:
  std::vector<std::vector<float>> heads_;
};

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
  for (const int taken : split_among_heads(Weights({one, one, one}), 100).taken) EXPECT_NEAR(taken, 100, 2);
}

TEST(HeadBudgets, CoverNoLessThanAnEvenSplit) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Weights heads({head(2000, 0.5f, seed), head(2000, 3.0f, seed + 100), head(2000, 1.5f, seed + 200),
                         head(2000, 6.0f, seed + 300)});
    const int k = 50 + static_cast<int>(seed) * 20;
    const HeadSplit found = split_among_heads(heads, k);
    EXPECT_EQ(std::accumulate(found.taken.begin(), found.taken.end(), 0), 4 * k);
    double split = 0;
    double even = 0;
    for (size_t h = 0; h < 4; ++h) {
      EXPECT_GE(found.taken[h], k / kLeastShare);
      split += covered(heads[h], found.taken[h]);
      even += covered(heads[h], k);
    }
    EXPECT_GE(split, even) << seed;
    for (const int guess : {0, int{found.threshold}, found.threshold + 1, 0x7fff})
      EXPECT_EQ(split_among_heads(heads, k, static_cast<int16_t>(guess)).taken, found.taken) << guess;
  }
}

TEST(HeadBudgets, NoMoreThanThereIs) {
  const Weights heads({head(10, 1.0f, 1), head(500, 1.0f, 2), {}});
  EXPECT_EQ(split_among_heads(heads, 100).taken, (std::vector<int>{10, 290, 0}));
  EXPECT_EQ(split_among_heads(heads, 1000).taken, (std::vector<int>{10, 500, 0}));
  EXPECT_EQ(split_among_heads(heads, 0).taken, (std::vector<int>{0, 0, 0}));
}

// Equal weights: any threshold is reached by all or by none.
TEST(HeadBudgets, TiesAreSplitToTheKey) {
  const std::vector<float> equal(100, 0.01f);
  EXPECT_EQ(split_among_heads(Weights({equal, equal}), 70).taken, (std::vector<int>{100, 40}));
  EXPECT_EQ(split_among_heads(Weights({equal, std::vector<float>(100, 0.0f)}), 70).taken, (std::vector<int>{100, 40}));
}

}  // namespace
}  // namespace mneme::engine
