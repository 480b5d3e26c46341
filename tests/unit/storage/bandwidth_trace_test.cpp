#include "storage/chunks/bandwidth_trace.h"

#include <gtest/gtest.h>

#include <cmath>

namespace mneme::storage {
namespace {

TEST(BandwidthTrace, SteadyLetsTheSameThroughAtAllTimes) {
  const BandwidthTrace trace = BandwidthTrace::steady(1000);
  EXPECT_DOUBLE_EQ(trace.bytes_per_second(0), 1000);
  EXPECT_DOUBLE_EQ(trace.bytes_per_second(123.4), 1000);
  EXPECT_NEAR(trace.finish(0.5, 2500), 3.0, 1e-9);
  EXPECT_NEAR(trace.finish(7, 0), 7.0, 1e-9);
}

TEST(BandwidthTrace, FallingFallsFromHighToLowAndStartsAgain) {
  const auto trace = BandwidthTrace::make("falling", {.low_bytes_per_s = 10, .high_bytes_per_s = 1000, .seconds = 2});
  ASSERT_TRUE(trace.ok());
  EXPECT_NEAR(trace->bytes_per_second(0), 1000, 1e-6);
  EXPECT_NEAR(trace->bytes_per_second(1.99), 10, 1e-6);
  EXPECT_NEAR(trace->bytes_per_second(2.01), 1000, 1e-6);
  for (double t = 0.1; t < 2; t += 0.1) EXPECT_LE(trace->bytes_per_second(t), trace->bytes_per_second(t - 0.1));
}

TEST(BandwidthTrace, SpikyStaysInItsRangeAndIsTheSameEachTime) {
  const BandwidthShape shape{.low_bytes_per_s = 5e7, .high_bytes_per_s = 6e9, .seconds = 10, .seed = 3};
  const auto trace = BandwidthTrace::make("spiky", shape);
  const auto again = BandwidthTrace::make("spiky", shape);
  double least = 1e99;
  double most = 0;
  for (double t = 0.05; t < 10; t += 0.1) {
    const double rate = trace->bytes_per_second(t);
    EXPECT_EQ(rate, again->bytes_per_second(t));
    least = std::min(least, rate);
    most = std::max(most, rate);
  }
  EXPECT_GE(least, 5e7 * 0.999);
  EXPECT_LE(most, 6e9 * 1.001);
  EXPECT_GT(most / least, 10);
}

TEST(BandwidthTrace, FinishAddsUpWhatTheRatesLetThrough) {
  const auto trace = BandwidthTrace::parse("1 100\n\n0.5 1000\n");
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_NEAR(trace->finish(0, 50), 0.5, 1e-9);
  EXPECT_NEAR(trace->finish(0, 100 + 250), 1.25, 1e-9);
  EXPECT_NEAR(trace->finish(0, 600 + 100), 2.5, 1e-9);  // once around
  EXPECT_NEAR(trace->finish(1.0, 600), 2.5 - 0.5 + 0.5, 1e-9);
  EXPECT_NEAR(trace->as_function(1.0)(0.1), 1000, 1e-9);
}

TEST(BandwidthTrace, RefusesWhatIsNone) {
  for (const char* text : {"", "1\n", "1 x\n", "0 5\n", "1 -5\n", "1 5\nnan 2\n"}) {
    EXPECT_EQ(BandwidthTrace::parse(text).status().code(), StatusCode::kUsage) << text;
  }
  EXPECT_EQ(BandwidthTrace::make("wild", {}).status().code(), StatusCode::kUsage);
  EXPECT_EQ(BandwidthTrace::make("spiky", {.low_bytes_per_s = 0}).status().code(), StatusCode::kUsage);
  EXPECT_EQ(BandwidthTrace::make("steady", {.low_bytes_per_s = 9, .high_bytes_per_s = 3}).status().code(),
            StatusCode::kUsage);
}

}  // namespace
}  // namespace mneme::storage
