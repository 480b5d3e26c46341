// Choosing experts as the processor does, and mixing what they make, against plain double arithmetic. The kernels run
// on the pretended device, whose memory is the host's.
#include "engine/backend/cuda/expert_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "base/random.h"
#include "engine/backend/cpu/expert_choice.h"

namespace mneme::engine::cuda {
namespace {

struct Chosen {
  std::vector<int> experts;  // (n_rows, n_used)
  std::vector<float> weights;
};

Chosen choose(const ExpertRouting& how, RouterScores scores, int n_rows, int n_experts, int n_used) {
  const auto n = static_cast<size_t>(n_rows) * static_cast<size_t>(n_used);
  Chosen chosen{std::vector<int>(n, -1), std::vector<float>(n, NAN)};
  if (scores.stride == 0) scores.stride = n_experts;
  EXPECT_EQ(
      choose_experts(nullptr, scores, how, {n_rows, n_experts, n_used, chosen.experts.data(), chosen.weights.data()}),
      cudaSuccess);
  return chosen;
}

TEST(ExpertChoiceOnDevice, ByScoreTiesToTheLower) {
  const std::vector<float> scores = {0.5f, 2.0f, 2.0f, -1.0f, 0.1f,  //
                                     3.0f, 3.0f, 3.0f, 3.0f,  3.0f};
  for (const bool normalise : {true, false}) {
    const Chosen chosen = choose({.normalise = normalise}, {.logits = scores.data()}, 2, 5, 3);
    EXPECT_EQ(chosen.experts, (std::vector<int>{1, 2, 0, 0, 1, 2}));
    const double all = 2 * std::exp(2.0) + std::exp(0.5) + (normalise ? 0.0 : std::exp(-1.0) + std::exp(0.1));
    EXPECT_NEAR(chosen.weights[0], std::exp(2.0) / all, 1e-6);
    EXPECT_NEAR(chosen.weights[2], std::exp(0.5) / all, 1e-6);
    EXPECT_NEAR(chosen.weights[3], normalise ? 1.0 / 3 : 0.2, 1e-6);
  }
}

struct Shape {
  int n_experts, n_used, n_groups, n_groups_used;
};
// One expert, all of them, numbers that end within a warp and beyond one, groups of two and of many.
constexpr Shape kShapes[] = {{1, 1, 1, 1},   {5, 3, 1, 1},   {8, 8, 1, 1},   {32, 4, 1, 1},   {33, 5, 1, 1},
                             {8, 3, 4, 2},   {64, 6, 1, 1},  {64, 6, 32, 3}, {66, 4, 33, 9},  {160, 6, 8, 3},
                             {256, 8, 8, 4}, {256, 8, 8, 1}, {256, 8, 8, 8}, {512, 10, 1, 1}, {1024, 22, 4, 2}};
// Each of sigmoid or softmax, normalised, with a choice bias, with the router's own.
constexpr int kVariants = 16;

ExpertRouting routing_of(const Shape& shape, int variant) {
  return {.sigmoid = (variant & 1) != 0,
          .normalise = (variant & 2) != 0,
          .scale = variant % 3 == 0 ? 2.5f : 1.0f,
          .choice_bias = (variant & 4) != 0,
          .n_groups = shape.n_groups,
          .n_groups_used = shape.n_groups_used};
}

// Steps of a half: many experts and groups tie.
std::vector<float> coarse(size_t n, Random& random) {
  std::vector<float> values(n);
  for (float& x : values) x = 0.5f * static_cast<float>(random.below(9)) - 2.0f;
  return values;
}

TEST(ExpertChoiceOnDevice, IsTheProcessorsWithTiesAndInGroups) {
  Random random(1);
  constexpr int kRows = 4;
  for (const Shape& shape : kShapes)
    for (int variant = 0; variant < kVariants; ++variant) {
      const auto n = static_cast<size_t>(shape.n_experts);
      const ExpertRouting how = routing_of(shape, variant);
      const size_t stride = n + 1;
      const std::vector<float> logits = coarse(kRows * stride, random);
      const std::vector<float> choice_bias = coarse(n, random);
      const std::vector<float> bias = (variant & 8) != 0 ? coarse(n, random) : std::vector<float>(n, 0.0f);
      const Chosen chosen = choose(how,
                                   {.logits = logits.data(),
                                    .stride = static_cast<int64_t>(stride),
                                    .bias = (variant & 8) != 0 ? bias.data() : nullptr,
                                    .choice_bias = how.choice_bias ? choice_bias.data() : nullptr},
                                   kRows, shape.n_experts, shape.n_used);
      cpu::ExpertChoice reference(how, shape.n_used);
      for (size_t row = 0; row < kRows; ++row) {
        std::vector<float> own(n);
        for (size_t e = 0; e < n; ++e) own[e] = logits[row * stride + e] + bias[e];
        const auto expected = reference.choose(own, how.choice_bias ? choice_bias.data() : nullptr);
        for (size_t i = 0; i < expected.size(); ++i) {
          const size_t at = row * expected.size() + i;
          ASSERT_EQ(chosen.experts[at], expected[i].expert) << shape.n_experts << " variant " << variant << " " << i;
          ASSERT_NEAR(chosen.weights[at], expected[i].weight, 1e-6f * (1.0f + std::abs(expected[i].weight)));
        }
      }
    }
}

TEST(ExpertChoiceOnDevice, WeightsThatVanishStayNumbers) {
  const std::vector<float> low = {-500.0f, -500.0f, -500.0f};
  EXPECT_EQ(choose({.sigmoid = true}, {.logits = low.data()}, 1, 3, 2).weights, (std::vector<float>{0.0f, 0.0f}));
  const std::vector<float> far = {500.0f, 0.0f}, bias = {0.0f, 9.0f};
  const Chosen by_bias = choose({}, {.logits = far.data(), .choice_bias = bias.data()}, 1, 2, 1);
  EXPECT_EQ(by_bias.experts, (std::vector<int>{1}));
  EXPECT_EQ(by_bias.weights, (std::vector<float>{0.0f}));
}

// A broken step reads no memory that is not an expert's, and is not hidden.
TEST(ExpertChoiceOnDevice, LogitsThatAreNoNumbersStillChooseDifferentExperts) {
  constexpr int kExperts = 40, kUsed = 6;
  for (const float broken : {NAN, -NAN, INFINITY, -INFINITY})
    for (const bool all : {true, false})
      for (const int n_groups : {1, 4}) {
        std::vector<float> logits(kExperts, 0.5f);
        for (size_t e = 0; e < kExperts; e += all ? 1 : 7) logits[e] = broken;
        const Chosen chosen =
            choose({.n_groups = n_groups, .n_groups_used = 2}, {.logits = logits.data()}, 1, kExperts, kUsed);
        const std::set<int> different(chosen.experts.begin(), chosen.experts.end());
        EXPECT_EQ(different.size(), static_cast<size_t>(kUsed));
        EXPECT_GE(*different.begin(), 0);
        EXPECT_LT(*different.rbegin(), kExperts);
        if (std::isnan(broken)) {
          EXPECT_TRUE(std::isnan(chosen.weights[0]));
        }
      }
}

TEST(ExpertKernels, GroupsHoldEachPairOnceInOrder) {
  Random random(2);
  for (const int n_experts : {1, 5, 300}) {  // more than the block has threads
    constexpr int kRows = 37;
    const int n_used = std::min(n_experts, 3);
    std::vector<int> chosen;
    for (int row = 0; row < kRows; ++row) {
      const auto first = static_cast<int>(random.below(static_cast<uint64_t>(n_experts)));
      for (int i = 0; i < n_used; ++i) chosen.push_back((first + i) % n_experts);
    }
    const size_t n_pairs = chosen.size();
    const Routing routing{kRows, n_experts, n_used, chosen.data(), nullptr};
    std::vector<int> offsets(static_cast<size_t>(n_experts) + 1, -1), rows(n_pairs, -1), places(n_pairs, -1);
    ASSERT_EQ(group_by_expert(nullptr, routing, offsets.data(), rows.data(), places.data()), cudaSuccess);
    size_t place = 0;
    for (int e = 0; e < n_experts; ++e) {
      EXPECT_EQ(offsets[static_cast<size_t>(e)], static_cast<int>(place));
      for (size_t pair = 0; pair < n_pairs; ++pair) {
        if (chosen[pair] != e) continue;
        ASSERT_EQ(places[pair], static_cast<int>(place));
        ASSERT_EQ(rows[place++], static_cast<int>(pair) / n_used);
      }
    }
    EXPECT_EQ(offsets.back(), static_cast<int>(n_pairs));
  }
}

// Of pairs as they are and in groups; without a shared expert, with one in full, scaled, and as far as its router says.
TEST(ExpertKernels, WhatExpertsMakeIsMixedWithTheSharedOne) {
  Random random(3);
  constexpr int kRows = 3, kExperts = 6, kUsed = 2, kWidth = 300;
  constexpr size_t kPairs = size_t{kRows} * kUsed;
  const std::vector<int> chosen = {4, 1, 0, 5, 2, 3}, places = {5, 1, 0, 3, 4, 2};
  const auto numbers = [&](size_t n) {
    std::vector<float> values(n);
    for (float& x : values) x = random.gaussian();
    return values;
  };
  std::vector<int> experts = chosen;
  std::vector<float> weights = numbers(kPairs);
  const std::vector<float> y = numbers(kPairs * kWidth), product = numbers(size_t{kRows} * kWidth);
  const std::vector<float> row_scales = {1.0f, 4.0f, 0.5f}, logits = numbers(size_t{kRows} * 2);
  const SharedExpertOut variants[] = {
      {},
      {.product = product.data()},
      {.product = product.data(), .row_scales = row_scales.data()},
      {.product = product.data(), .row_scales = row_scales.data(), .logits = logits.data() + 1, .logit_stride = 2}};
  for (const SharedExpertOut& shared : variants)
    for (const bool grouped : {false, true}) {
      std::vector<float> out(size_t{kRows} * kWidth, NAN);
      ASSERT_EQ(combine_experts(nullptr, {kRows, kExperts, kUsed, experts.data(), weights.data()}, y.data(),
                                grouped ? places.data() : nullptr, shared, kWidth, out.data()),
                cudaSuccess);
      for (size_t i = 0; i < out.size(); ++i) {
        const size_t row = i / kWidth;
        double expected = 0;
        for (size_t pair = row * kUsed; pair < (row + 1) * kUsed; ++pair) {
          const size_t place = grouped ? static_cast<size_t>(places[pair]) : pair;
          expected += double{weights[pair]} * y[place * kWidth + i % kWidth];
        }
        double weight = shared.product != nullptr ? 1.0 : 0.0;
        if (shared.row_scales != nullptr) weight *= row_scales[row];
        if (shared.logits != nullptr) weight /= 1.0 + std::exp(-double{logits[2 * row + 1]});
        ASSERT_NEAR(out[i], expected + weight * product[i], 1e-5) << i;
      }
    }
}

}  // namespace
}  // namespace mneme::engine::cuda
