#include "engine/transformer/sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/random.h"

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
  EXPECT_EQ(sampler.sample(logits), 1) << "so has 1";
  EXPECT_EQ(sampler.sample(logits), 2);
  Sampler below_zero({.repetition_penalty = 2.0f});
  EXPECT_EQ(below_zero.sample(std::vector<float>{-1.0f, -1.5f}), 0);
  EXPECT_EQ(below_zero.sample(std::vector<float>{-1.0f, -1.5f}), 1) << "what is below zero falls, too";
}

TEST(Sampler, LargeLogitsAreNumbersToo) {
  const std::vector<float> logits = {3000.0f, 2999.0f, -3000.0f};
  EXPECT_EQ(count_draws({.temperature = 0.01f}, logits, 100).at(0), 100);
  EXPECT_EQ(count_draws({.temperature = 1.0f}, logits, 300).size(), 2u);
}

// The first n of the logits, as a device gives them.
LikeliestTokens head_of(const std::vector<float>& logits, size_t n, float temperature) {
  LikeliestTokens likeliest;
  for (size_t i = 0; i < logits.size(); ++i)
    if (logits[i] > -kInfinity) likeliest.tokens.push_back({static_cast<TokenId>(i), logits[i]});
  std::sort(likeliest.tokens.begin(), likeliest.tokens.end(),
            [](const auto& a, const auto& b) { return a.logit != b.logit ? a.logit > b.logit : a.id < b.id; });
  // Summed in another order than the sampler's.
  for (const float logit : logits)
    if (logit > -kInfinity) likeliest.total += std::exp((double{logit} - likeliest.tokens[0].logit) / temperature);
  likeliest.are_all = likeliest.tokens.size() <= n;
  likeliest.tokens.resize(std::min(n, likeliest.tokens.size()));
  return likeliest;
}

// Whatever the head decides is what all logits decide; the rest it leaves to them, with the same random number.
TEST(Sampler, TheLikeliestTokensDecideWhatAllLogitsDo) {
  Random random(5);
  for (const float spread : {0.2f, 2.0f, 8.0f}) {
    for (const SamplerOptions& options : {SamplerOptions{}, SamplerOptions{.temperature = 1.0f, .seed = 3},
                                          SamplerOptions{.temperature = 0.7f, .top_p = 0.9f},
                                          SamplerOptions{.temperature = 1.3f, .top_k = 40, .top_p = 0.95f},
                                          SamplerOptions{.temperature = 0.8f, .top_k = 500, .top_p = 0.5f},
                                          SamplerOptions{.temperature = 1.0f, .repetition_penalty = 1.2f}}) {
      Sampler by_head(options);
      Sampler by_all(options);
      int decided = 0;
      for (int i = 0; i < 200; ++i) {
        std::vector<float> logits(1000);
        for (float& x : logits) x = spread * random.gaussian();
        logits[7] = kNan;
        logits[9] = -kInfinity;
        logits[12] = logits[11];
        const std::optional<TokenId> token =
            by_head.sample(head_of(logits, 64, options.temperature > 0 ? options.temperature : 1.0f));
        decided += token ? 1 : 0;
        ASSERT_EQ(token ? *token : by_head.sample(logits), by_all.sample(logits));
      }
      const bool penalises = options.repetition_penalty != 1.0f;
      const bool is_greedy = options.temperature == 0.0f && !penalises;
      const bool is_steep = spread == 8.0f && !penalises && options.top_k < 64;
      EXPECT_GE(decided, is_greedy ? 200 : is_steep ? 150 : 0);
      EXPECT_LE(decided, penalises ? 0 : 200);
    }
  }
}

TEST(Sampler, AFewTokensAreAllThereAre) {
  Sampler by_head({.temperature = 1.0f, .seed = 9});
  Sampler by_all({.temperature = 1.0f, .seed = 9});
  const std::vector<float> logits = {kNan, 0.5f, -kInfinity, 0.25f, 0.125f};
  for (int i = 0; i < 100; ++i) EXPECT_EQ(by_head.sample(head_of(logits, 64, 1.0f)), by_all.sample(logits));
  EXPECT_EQ(by_head.sample(LikeliestTokens()), kNoToken);
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
