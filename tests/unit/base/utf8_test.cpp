#include "base/utf8.h"

#include <gtest/gtest.h>

namespace mneme::utf8 {
namespace {

TEST(Utf8, EveryScalarValueRoundTrips) {
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xd800 && c < 0xe000) continue;
    std::string text;
    append(text, c);
    ASSERT_TRUE(valid(text));
    size_t offset = 0;
    ASSERT_EQ(next(text, offset), c);
    ASSERT_EQ(offset, text.size());
  }
}

TEST(Utf8, MalformedFormsAreRefused) {
  for (std::string_view bad : {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80",
                               "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe4\xb8", "\xff"}) {
    EXPECT_EQ(first_invalid(bad), 0u);
    EXPECT_TRUE(valid(sanitise(bad)));
  }
  EXPECT_EQ(first_invalid("ab\xff"), 2u);
}

TEST(Utf8, FloorBoundaryNeverSplits) {
  const std::string text = "a\u4e2d\U0001f600z";
  EXPECT_EQ(floor_boundary(text, 0), 0u);
  EXPECT_EQ(floor_boundary(text, 2), 1u);
  EXPECT_EQ(floor_boundary(text, 7), 4u);
  EXPECT_EQ(floor_boundary(text, 8), 8u);
  EXPECT_EQ(floor_boundary(text, 100), text.size());
}

}  // namespace
}  // namespace mneme::utf8
