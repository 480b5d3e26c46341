#include "base/human_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace mneme {
namespace {

TEST(HumanText, BytesInPowersOfAThousand) {
  EXPECT_EQ(human_bytes(0), "0 B");
  EXPECT_EQ(human_bytes(999), "999 B");
  EXPECT_EQ(human_bytes(1000), "1.0 kB");
  EXPECT_EQ(human_bytes(1500), "1.5 kB");
  EXPECT_EQ(human_bytes(99'900), "99.9 kB");
  EXPECT_EQ(human_bytes(99'949), "99.9 kB");
  EXPECT_EQ(human_bytes(99'951), "100 kB");
  EXPECT_EQ(human_bytes(99'999), "100 kB");
  EXPECT_EQ(human_bytes(999'499), "999 kB");
  EXPECT_EQ(human_bytes(999'500), "1.0 MB");
  EXPECT_EQ(human_bytes(999'400), "999 kB");
  EXPECT_EQ(human_bytes(999'999), "1.0 MB");
  EXPECT_EQ(human_bytes(20e9), "20.0 GB");
  EXPECT_EQ(human_bytes(5e17), "500000 TB");
}

TEST(HumanText, CountsInGroupsOfThree) {
  EXPECT_EQ(human_count(0), "0");
  EXPECT_EQ(human_count(123), "123");
  EXPECT_EQ(human_count(1234), "1,234");
  EXPECT_EQ(human_count(1234567), "1,234,567");
  EXPECT_EQ(human_count(-123), "-123");
  EXPECT_EQ(human_count(-1234), "-1,234");
  EXPECT_EQ(human_count(std::numeric_limits<int64_t>::min()), "-9,223,372,036,854,775,808");
}

TEST(HumanText, OneIsNotMany) {
  EXPECT_EQ(human_number_of(1, "passage"), "1 passage");
  EXPECT_EQ(human_number_of(0, "passage"), "0 passages");
  EXPECT_EQ(human_number_of(12784, "document"), "12,784 documents");
}

}  // namespace
}  // namespace mneme
