#include "engine/transformer/sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

namespace mneme::engine {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::map<TokenId, int> count_draws(const SamplerOptions& options, const std::vector<float>& logits, int n) {
  Sampler sampler(options);
  std::map<TokenId, int> counts;
  for (int i = 0; i < n; ++i) ++counts[sampler.sample(logits)];
  return counts;
}

TEST(Sampler, GreedyTakesTheLargestAndTheLowestIdOfEquals) {
  Sampler sampler({});
  EXPECT_EQ(sampler.sample(std::vector<float>{1, 5, 2, 5}), 1);
  EXPECT_EQ(sampler.sample(std::vector<float>{kNan, -3, kNan, -2}), 3);
}

TEST(Sampler, NeverPicksWhatIsNoNumber) {
  for (const float temperature : {0.0f, 1.0f}) {
    Sampler sampler({.temperature = temperature});
    EXPECT_EQ(sampler.sample(std::vector<float>{kNan, -kInfinity}), kNoToken);
    for (int i = 0; i < 50; ++i) EXPECT_EQ(sampler.sample(std::vector<float>{kNan, 0.5f, -kInfinity}), 1);
  }
}

TEST(Sampler, DrawsFollowTheSoftmax) {
  const std::vector<float> logits = {std::log(1.0f), std::log(2.0f), std::log(5.0f)};
  const auto counts = count_draws({.temperature = 1.0f, .seed = 3}, logits, 8000);
  EXPECT_NEAR(counts.at(0) / 8000.0, 0.125, 0.02);
  EXPECT_NEAR(counts.at(1) / 8000.0, 0.25, 0.02);
  EXPECT_NEAR(counts.at(2) / 8000.0, 0.625, 0.02);
}

TEST(Sampler, EqualSeedsGiveEqualTokens) {
  std::vector<float> logits(100);
  for (size_t i = 0; i < logits.size(); ++i) logits[i] = std::sin(static_cast<float>(i));
  for (uint64_t seed = 0; seed < 4; ++seed) {
    Sampler a({.temperature = 0.8f, .top_k = 40, .top_p = 0.9f, .seed = seed});
    Sampler b({.temperature = 0.8f, .top_k = 40, .top_p = 0.9f, .seed = seed});
    for (int i = 0; i < 100; ++i) EXPECT_EQ(a.sample(logits), b.sample(logits));
  }
}

TEST(Sampler, TopKAndTopPLimitTheChoice) {
  const std::vector<float> logits = {0.0f, 3.0f, 1.0f, 2.0f};
  for (const auto& [id, count] : count_draws({.temperature = 5.0f, .top_k = 2}, logits, 500)) {
    EXPECT_TRUE(id == 1 || id == 3) << count;
  }
  // Shares 0.64, 0.24, 0.09, 0.03: 0.6 needs the first only, 0.8 the first two.
  EXPECT_EQ(count_draws({.temperature = 1.0f, .top_p = 0.6f}, logits, 500).size(), 1u);
  EXPECT_EQ(count_draws({.temperature = 1.0f, .top_p = 0.8f}, logits, 500).size(), 2u);
}

TEST(Sampler, RepetitionPenaltyDiscouragesRecentTokensOnly) {
  Sampler sampler({.repetition_penalty = 2.0f, .repetition_window = 2});
  const std::vector<float> logits = {4.0f, 3.0f, 2.5f, -1.0f};
  EXPECT_EQ(sampler.sample(logits), 0);
  EXPECT_EQ(sampler.sample(logits), 1);
  EXPECT_EQ(sampler.sample(logits), 2);
  EXPECT_EQ(sampler.sample(logits), 0) << "0 has left the window";
}

TEST(TopLogprobs, AreALogSoftmaxMostLikelyFirst) {
  const std::vector<float> logits = {0.0f, std::log(3.0f), kNan};
  const auto top = top_logprobs(logits, 5);
  ASSERT_EQ(top.size(), 2u);
  EXPECT_EQ(top[0].id, 1);
  EXPECT_NEAR(top[0].logprob, std::log(0.75), 1e-6);
  EXPECT_NEAR(top[1].logprob, std::log(0.25), 1e-6);
  EXPECT_TRUE(top_logprobs(logits, 0).empty());
  EXPECT_TRUE(top_logprobs({}, 3).empty());
}

}  // namespace
}  // namespace mneme::engine
