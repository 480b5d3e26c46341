#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace mneme {
namespace {

// Answers, calibrations and indexes of a seed are the same in every version: so must these be. Computed apart from the
// program, by the definition of xoshiro256++ and splitmix64.
TEST(Random, GivesTheNumbersOfItsDefinition) {
  Random random(42);
  EXPECT_EQ(random.next(), 0xd0764d4f4476689fu);
  EXPECT_EQ(random.next(), 0x519e4174576f3791u);
  EXPECT_EQ(random(), 0xfbe07cfb0c24ed8cu);
}

TEST(Random, StaysWithinItsBounds) {
  Random random(1);
  std::vector<int> counts(7);
  for (int i = 0; i < 7000; ++i) ++counts.at(random.below(7));
  for (const int count : counts) EXPECT_NEAR(count, 1000, 150);
  EXPECT_EQ(random.below(1), 0u);
  double sum = 0.0;
  for (int i = 0; i < 10000; ++i) {
    const double u = random.uniform();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
  }
  EXPECT_NEAR(sum / 10000, 0.5, 0.02);
}

TEST(Random, GaussiansHaveMeanNoneAndVarianceOne) {
  Random random(2);
  constexpr int kN = 20000;
  double sum = 0.0;
  double squares = 0.0;
  int beyond_two = 0;
  for (int i = 0; i < kN; ++i) {
    const double x = random.gaussian();
    sum += x;
    squares += x * x;
    beyond_two += x > 2.0 || x < -2.0 ? 1 : 0;
  }
  EXPECT_NEAR(sum / kN, 0.0, 0.03);
  EXPECT_NEAR(squares / kN, 1.0, 0.05);
  EXPECT_NEAR(static_cast<double>(beyond_two) / kN, 0.0455, 0.006);
}

}  // namespace
}  // namespace mneme
