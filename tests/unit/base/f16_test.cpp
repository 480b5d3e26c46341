#include "base/f16.h"

#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

namespace mneme {
namespace {

TEST(F16, EveryValueSurvivesTheRoundTrip) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const f16 half{static_cast<uint16_t>(bits)};
    const float value = to_f32(half);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(to_f32(to_f16(value))));
    } else {
      ASSERT_EQ(to_f16(value).bits, half.bits) << bits;
    }
  }
}

TEST(F16, RoundsToNearestEven) {
  // Between two neighbours a and b: the midpoint goes to the even one, anything off it to the nearer one.
  for (uint32_t bits = 0; bits < 0x7bff; ++bits) {
    const float low = to_f32(f16{static_cast<uint16_t>(bits)});
    const float high = to_f32(f16{static_cast<uint16_t>(bits + 1)});
    const float middle = (low + high) / 2;
    ASSERT_EQ(to_f16(middle).bits, (bits & 1) ? bits + 1 : bits);
    ASSERT_EQ(to_f16(std::nextafter(middle, 0.0f)).bits, bits);
    ASSERT_EQ(to_f16(std::nextafter(middle, 1e9f)).bits, bits + 1);
  }
}

TEST(F16, LargeValuesBecomeInfinity) {
  EXPECT_EQ(to_f16(65519.0f).bits, 0x7bff);
  EXPECT_EQ(to_f16(65520.0f).bits, 0x7c00);
  EXPECT_EQ(to_f16(-1e30f).bits, 0xfc00);
}

TEST(Bf16, RoundsToNearestEvenAndKeepsNan) {
  EXPECT_EQ(to_bf16(1.0f).bits, 0x3f80);
  EXPECT_EQ(to_bf16(1.00390625f).bits, 0x3f80);  // midpoint, even below
  EXPECT_EQ(to_bf16(1.01171875f).bits, 0x3f82);  // midpoint, even above
  EXPECT_TRUE(std::isnan(to_f32(to_bf16(std::nanf("")))));
}

}  // namespace
}  // namespace mneme
