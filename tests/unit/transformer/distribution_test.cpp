#include "engine/transformer/distribution.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace mneme::engine {
namespace {

TEST(Distribution, DivergenceByHand) {
  // p = (1/2, 1/2), q = (1/4, 3/4), as logits with different offsets.
  const std::vector<float> p{5.0f, 5.0f};
  const std::vector<float> q{0.0f, std::log(3.0f)};
  const DistributionDistance distance = compare_distributions(p, q);
  EXPECT_NEAR(distance.kl, 0.5 * std::log(2.0) + 0.5 * std::log(2.0 / 3.0), 1e-6);
  EXPECT_FALSE(distance.same_top) << "ties go to the lowest";
  EXPECT_EQ(compare_distributions(p, p).kl, 0.0);
  EXPECT_TRUE(compare_distributions(q, q).same_top);
}

TEST(Distribution, LogitsThatBrokeDownAreNoAgreement) {
  const std::vector<float> good{1, 2, 3};
  const std::vector<float> broken{NAN, 2, 3};
  EXPECT_FALSE(compare_distributions(good, broken).kl <= 1e9);
  EXPECT_TRUE(std::isnan(compare_distributions(good, std::vector<float>{1}).kl));
}

TEST(Distribution, ProbabilityOfAToken) {
  const std::vector<float> logits{0.0f, std::log(3.0f)};
  EXPECT_NEAR(token_log_probability(logits, 1), std::log(0.75), 1e-6);
  EXPECT_EQ(token_log_probability(logits, 7), -INFINITY);
  EXPECT_EQ(token_log_probability(logits, -1), -INFINITY);
}

}  // namespace
}  // namespace mneme::engine
