#include "base/file_time.h"

#include <gtest/gtest.h>

namespace mneme {
namespace {

TEST(FileTime, IsInNanoseconds) {
  EXPECT_EQ(file_time_ns({.tv_sec = 2, .tv_nsec = 3}), 2'000'000'003);
  EXPECT_EQ(file_time_ns({.tv_sec = -1, .tv_nsec = 5}), -999'999'995);
}

// A camera with a flat battery, or `touch -d 2400-01-01`.
TEST(FileTime, YearsBeyondTheNumbersAreTheNearestThatFit) {
  EXPECT_EQ(file_time_ns({.tv_sec = 13'569'465'600, .tv_nsec = 0}), 9'223'372'035'000'000'000);
  EXPECT_EQ(file_time_ns({.tv_sec = -13'569'465'600, .tv_nsec = 0}), -5'000'000'000'000'000'000);
}

}  // namespace
}  // namespace mneme
