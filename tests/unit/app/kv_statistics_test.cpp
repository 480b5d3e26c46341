// Statistics of keys and values against numbers that can be worked out by hand.
#include "app/insight/kv_statistics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace mneme::app {
namespace {

std::vector<f16> halves(const std::vector<float>& values) {
  std::vector<f16> result;
  for (const float value : values) result.push_back(to_f16(value));
  return result;
}

TEST(KvStatistics, RankCorrelationSeesOrderOnly) {
  const std::vector<float> a{1, 2, 3, 4, 5};
  EXPECT_DOUBLE_EQ(rank_correlation(a, std::vector<float>{1, 10, 100, 1000, 10000}), 1.0);
  EXPECT_DOUBLE_EQ(rank_correlation(a, std::vector<float>{9, 7, 5, 3, 1}), -1.0);
  // Textbook: d = (0, 1, -1, 0, 0), 1 - 6 * 2 / (5 * 24).
  EXPECT_NEAR(rank_correlation(a, std::vector<float>{1, 3, 2, 4, 5}), 0.9, 1e-12);
  EXPECT_DOUBLE_EQ(rank_correlation(a, std::vector<float>{2, 2, 2, 2, 2}), 0.0);
  EXPECT_DOUBLE_EQ(rank_correlation({}, {}), 0.0);
}

TEST(KvStatistics, EqualValuesShareTheirRank) {
  EXPECT_DOUBLE_EQ(rank_correlation(std::vector<float>{1, 1, 2, 2}, std::vector<float>{3, 3, 8, 8}), 1.0);
}

TEST(KvStatistics, ShareOfLargest) {
  const std::vector<float> values{1, 0, 6, 0, 1, 1, 0, 0, 1, 0};
  EXPECT_DOUBLE_EQ(share_of_largest(values, 0.1), 0.6);
  EXPECT_DOUBLE_EQ(share_of_largest(values, 0.5), 1.0);
  EXPECT_DOUBLE_EQ(share_of_largest(values, 0.0), 0.0);
  EXPECT_DOUBLE_EQ(share_of_largest(std::vector<float>{0, 0}, 0.5), 0.0);
}

TEST(KvStatistics, EntropyOfCounts) {
  EXPECT_DOUBLE_EQ(entropy_bits(std::vector<uint32_t>{0, 8, 0}), 0.0);
  EXPECT_DOUBLE_EQ(entropy_bits(std::vector<uint32_t>{}), 0.0);
  EXPECT_NEAR(entropy_bits(std::vector<uint32_t>(16, 1u << 20)), 4.0, 1e-5);
  // Few samples look too orderly: 64 draws of 64 symbols are well below 6 bits before the correction.
  Random random(1);
  double sum = 0;
  for (int round = 0; round < 100; ++round) {
    std::vector<uint32_t> counts(64);
    for (int i = 0; i < 256; ++i) ++counts[random.below(64)];
    sum += entropy_bits(counts) / 100;
  }
  EXPECT_NEAR(sum, 6.0, 0.05);
}

TEST(KvStatistics, DeltasOfARamp) {
  // Channel 0 rises by one a token, channel 1 stands still at 8.
  const DeltaStatistics found = delta_statistics(halves({0, 8, 1, 8, 2, 8, 3, 8}), 2, 2);
  EXPECT_DOUBLE_EQ(found.channel_variance, (1.25 + 0.0) / 2);
  EXPECT_DOUBLE_EQ(found.neighbour_variance, 0.25);  // three ones and three zeros
  EXPECT_DOUBLE_EQ(found.anchor_variance, 0.25);     // two of each
  EXPECT_GT(found.variance, 10.0);
  EXPECT_DOUBLE_EQ(delta_statistics(halves({1, 2}), 2, 10).variance, 0.0);
}

TEST(KvStatistics, DeltasOfNoiseAreTwiceAsWide) {
  Random random(3);
  std::vector<float> noise(4 * 5000);
  for (float& value : noise) value = random.gaussian();
  const DeltaStatistics found = delta_statistics(halves(noise), 4, 10);
  EXPECT_NEAR(found.neighbour_variance / found.variance, 2.0, 0.05);
  EXPECT_NEAR(found.anchor_variance / found.variance, 2.0, 0.05);
}

TEST(KvStatistics, PowerLawIsFound) {
  std::vector<double> ranks, weights;
  for (int rank = 1; rank <= 1024; rank *= 2) {
    ranks.push_back(rank);
    weights.push_back(0.3 * std::pow(rank, -1.25));
  }
  const PowerLaw law = fit_power_law(ranks, weights);
  EXPECT_NEAR(law.exponent, 1.25, 1e-9);
  EXPECT_NEAR(law.r_squared, 1.0, 1e-9);
  EXPECT_DOUBLE_EQ(fit_power_law(std::vector<double>{1}, std::vector<double>{0.5}).exponent, 0.0);
}

TEST(KvStatistics, GroupingByWhatDistinguishesTakesFewerBits) {
  // Every channel of every layer has a value of its own, the same for all tokens.
  constexpr int kLayers = 2, kTokens = 64, kWidth = 8;
  GroupedEntropy entropy(kLayers, kTokens, kWidth, 1.0);
  for (int layer = 0; layer < kLayers; ++layer) {
    std::vector<float> rows;
    for (int t = 0; t < kTokens; ++t) {
      for (int c = 0; c < kWidth; ++c) rows.push_back(static_cast<float>(layer * kWidth + c));
    }
    entropy.add_layer(layer, halves(rows));
  }
  const GroupedEntropy::Bits bits = entropy.bits();
  EXPECT_NEAR(bits.none, 4.0, 0.02);     // sixteen values
  EXPECT_NEAR(bits.channel, 1.0, 0.02);  // two layers
  EXPECT_NEAR(bits.layer, 3.0, 0.02);    // eight channels
  EXPECT_DOUBLE_EQ(bits.layer_and_channel, 0.0);
  EXPECT_GT(bits.token, 3.9);
}

TEST(KvStatistics, EntropyTakesWhatIsNoNumber) {
  GroupedEntropy entropy(1, 2, 2, 0.5);
  entropy.add_layer(0, std::vector<f16>{{0x7e00}, {0x7c00}, {0xfc00}, {0}});  // NaN, infinities, zero
  EXPECT_GT(entropy.bits().none, 1.0);
}

}  // namespace
}  // namespace mneme::app
