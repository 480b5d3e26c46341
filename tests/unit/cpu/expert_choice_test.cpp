#include "engine/backend/cpu/expert_choice.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace mneme::testing {
namespace {

using engine::ExpertRouting;
using engine::cpu::ExpertChoice;
using Chosen = ExpertChoice::Chosen;

std::vector<Chosen> choose(const ExpertRouting& routing, int n_used, std::vector<float> logits,
                           const std::vector<float>& bias = {}) {
  ExpertChoice choice(routing, n_used);
  const auto chosen = choice.choose(logits, bias.empty() ? nullptr : bias.data());
  return {chosen.begin(), chosen.end()};
}

float sigmoid(float x) {
  return 1.0f / (1.0f + std::exp(-x));
}

TEST(ExpertChoice, SoftmaxOfAllOrOfThoseUsed) {
  const std::vector<float> logits = {std::log(1.0f), std::log(5.0f), std::log(2.0f), std::log(2.0f)};
  const auto normalised = choose({}, 2, logits);
  ASSERT_EQ(normalised.size(), 2u);
  EXPECT_EQ(normalised[0].expert, 1);
  EXPECT_EQ(normalised[1].expert, 2) << "of equals the lower";
  EXPECT_NEAR(normalised[0].weight, 5.0 / 7.0, 1e-6);
  const auto plain = choose({.normalise = false}, 2, logits);
  EXPECT_NEAR(plain[0].weight, 0.5, 1e-6);
  EXPECT_NEAR(plain[1].weight, 0.2, 1e-6);
}

TEST(ExpertChoice, SigmoidsAreScaled) {
  const auto plain = choose({.sigmoid = true, .normalise = false, .scale = 2.5f}, 1, {0.5f, -1.0f});
  EXPECT_NEAR(plain[0].weight, 2.5f * sigmoid(0.5f), 1e-6);
  const auto normalised = choose({.sigmoid = true, .scale = 2.5f}, 2, {0.5f, -1.0f});
  EXPECT_NEAR(normalised[0].weight + normalised[1].weight, 2.5f, 1e-6);
}

TEST(ExpertChoice, TheBiasChoosesAndDoesNotWeigh) {
  for (const bool by_sigmoid : {false, true}) {
    const ExpertRouting routing{.sigmoid = by_sigmoid, .normalise = false};
    const auto chosen = choose(routing, 1, {2.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f});
    const float total = std::exp(2.0f) + std::exp(1.0f) + 1.0f;
    EXPECT_EQ(chosen[0].expert, 2);
    EXPECT_NEAR(chosen[0].weight, by_sigmoid ? 0.5f : 1.0f / total, 1e-6);
  }
}

// The best expert's group has no other good one, so its two together lose.
TEST(ExpertChoice, GroupsAreWorthTheirBestTwo) {
  const std::vector<float> logits = {3.0f, -9.0f, -9.0f, 1.0f, 1.5f, -9.0f, 0.5f, 0.4f, 0.3f};
  const ExpertRouting routing{.sigmoid = true, .normalise = true, .n_groups = 3, .n_groups_used = 1};
  const auto chosen = choose(routing, 2, logits);
  EXPECT_EQ(chosen[0].expert, 4);
  EXPECT_EQ(chosen[1].expert, 3);
  const auto of_all = choose({.sigmoid = true, .n_groups = 3, .n_groups_used = 3}, 2, logits);
  EXPECT_EQ(of_all[0].expert, 0);
}

TEST(ExpertChoice, WeightsThatVanishStayNumbers) {
  const auto chosen = choose({.sigmoid = true}, 2, {-500.0f, -500.0f, -500.0f});
  for (const Chosen& one : chosen) EXPECT_EQ(one.weight, 0.0f);
  const auto by_bias = choose({}, 1, {500.0f, 0.0f}, {0.0f, 9.0f});
  EXPECT_EQ(by_bias[0].expert, 1);
  EXPECT_EQ(by_bias[0].weight, 0.0f);
}

}  // namespace
}  // namespace mneme::testing
