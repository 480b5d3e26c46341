// A layer's budget split among its KV heads: exact in number, and never worse than an even split.
#include "engine/pq/head_budgets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <optional>
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

// The same, counted near a guess before; counts what is asked for all the same.
class NearWeights final : public HeadScores {
 public:
  NearWeights(const Weights& weights, int16_t guess) : weights_(weights) {
    for (int head = 0; head < weights.n_heads(); ++head) {
      NearCounts near;
      near.first = NearCounts::first_near(guess);
      near.n_all = static_cast<int>(weights[static_cast<size_t>(head)].size());
      for (int i = 0; i <= kNearScores; ++i) near.reaching[i] = reaching(head, near.first + i);
      near_.push_back(near);
    }
  }
  int n_heads() const override { return weights_.n_heads(); }
  void count(int head, const int16_t (&thresholds)[kThresholds], int (&counts)[kThresholds]) const override {
    ++n_counted_;
    weights_.count(head, thresholds, counts);
  }
  const NearCounts* near(int head) const override { return &near_[static_cast<size_t>(head)]; }
  int n_counted() const { return n_counted_; }
  int reaching(int head, int score) const {
    const auto threshold = static_cast<int16_t>(score);
    int counts[kThresholds];
    weights_.count(head, {threshold, threshold, threshold, threshold}, counts);
    return counts[0];
  }

 private:
  const Weights& weights_;
  std::vector<NearCounts> near_;
  mutable int n_counted_ = 0;
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

TEST(HeadBudgets, CountsNearTheGuessChangeNothing) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    const Weights heads({head(600, 0.5f, seed), head(600, 3.0f, seed + 100), head(600, 6.0f, seed + 300)});
    for (const int k : {0, 7, 100, 599, 600, 900}) {
      const HeadSplit expected = split_among_heads(heads, k);
      for (const int away : {0, 10, -10, kNearScores / 2, -kNearScores, 1000, -20000, 20000}) {
        const auto guess = static_cast<int16_t>(std::clamp(expected.threshold + away, 0, 0x7fff));
        const NearWeights near(heads, guess);
        const HeadSplit found = split_among_heads(near, k, guess);
        EXPECT_EQ(found.taken, expected.taken) << k << ", " << away;
        if (k < 600) {
          EXPECT_EQ(found.threshold, expected.threshold) << k << ", " << away;  // else any that all reach
        }
        if (k < 600 && std::abs(away) <= 10) {
          EXPECT_EQ(near.n_counted(), 0) << "the threshold lies among them";
        }
      }
    }
  }
}

// Where a score is told, it is the last key's: as many reach it as are taken, or more, and then fewer the next one.
TEST(HeadBudgets, TellsTheScoreOfTheLastKeyTaken) {
  const Weights heads({head(2000, 0.5f, 1), head(2000, 3.0f, 101), std::vector<float>(500, 0.002f), head(9, 1.0f, 5)});
  const NearWeights counts(heads, 0);
  int n_told = 0;
  for (const int k : {7, 200, 700, 2000}) {
    const HeadSplit split = split_among_heads(heads, k);
    for (int h = 0; h < heads.n_heads(); ++h) {
      const std::optional<KthScore>& last = split.last_scores[static_cast<size_t>(h)];
      if (!last) continue;
      ++n_told;
      const int taken = split.taken[static_cast<size_t>(h)];
      EXPECT_EQ(last->n_reaching, counts.reaching(h, last->score)) << k << ", " << h;
      EXPECT_GE(last->n_reaching, taken);
      if (last->n_reaching > taken) {
        EXPECT_LT(counts.reaching(h, last->score + 1), taken) << k << ", " << h;
      }
    }
  }
  EXPECT_GE(n_told, 12);
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
