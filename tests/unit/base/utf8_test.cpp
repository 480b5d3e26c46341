#include "base/utf8.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>

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

// The length of the character that the bytes begin with, by the definition alone: as many bytes as the first says, the
// shortest form, no surrogate, nothing beyond the last character.
std::optional<size_t> length_by_definition(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const size_t length = byte(0) < 0x80 ? 1 : byte(0) < 0xc0 ? 0 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4;
  if (length == 0 || byte(0) >= 0xf8 || length > text.size()) return std::nullopt;
  constexpr std::array<uint32_t, 5> kFirst{0, 0, 0x80, 0x800, 0x10000};
  uint32_t value = length == 1 ? byte(0) : byte(0) & (0x7fu >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return std::nullopt;
    value = value << 6 | (byte(i) & 0x3fu);
  }
  if (value < kFirst[length] || (value >= 0xd800 && value < 0xe000) || value > 0x10ffff) return std::nullopt;
  return length;
}

// All first bytes, and behind them bytes at every border, cut off anywhere.
TEST(Utf8, WellFormedIsWhatTheDefinitionSays) {
  constexpr std::array<unsigned char, 11> kNext{0x00, 0x28, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff};
  for (int first = 0; first < 256; ++first) {
    for (size_t i = 0; i < kNext.size() * kNext.size() * kNext.size(); ++i) {
      const std::string whole{static_cast<char>(first), static_cast<char>(kNext[i % 11]),
                              static_cast<char>(kNext[i / 11 % 11]), static_cast<char>(kNext[i / 121])};
      for (size_t size = 1; size <= whole.size(); ++size) {
        const std::string_view text = std::string_view(whole).substr(0, size);
        const std::optional<size_t> length = length_by_definition(text);
        size_t offset = 0;
        const char32_t c = next(text, offset);
        ASSERT_EQ(offset, length.value_or(1));
        ASSERT_TRUE(length || c == 0xfffd);
        ASSERT_EQ(first_invalid(text) > 0, length.has_value());
      }
    }
  }
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
