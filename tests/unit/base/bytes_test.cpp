#include "base/bytes.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>

namespace mneme {
namespace {

constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();

TEST(ByteReader, ReadsNumbersAndBytesInTurn) {
  const std::array<uint8_t, 7> bytes = {1, 2, 3, 4, 5, 6, 7};
  ByteReader reader(std::as_bytes(std::span(bytes)));
  EXPECT_EQ(reader.read<uint16_t>(), 0x0201);
  EXPECT_EQ(as_text(reader.read_bytes(2)), "\3\4");
  reader.skip(1);
  EXPECT_EQ(reader.offset(), 5u);
  EXPECT_EQ(reader.read<uint16_t>(), 0x0706);
  EXPECT_EQ(reader.left(), 0u);
  EXPECT_TRUE(reader.ok());
}

TEST(ByteReader, GivesZerosAfterTheFirstFailure) {
  const std::string text = "abcd";
  ByteReader reader(as_bytes(text));
  EXPECT_EQ(reader.read<uint64_t>(), 0u);  // more than there is
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.offset(), 0u);
  EXPECT_EQ(reader.read<uint8_t>(), 0u);  // though there would be enough for it
  EXPECT_TRUE(reader.read_bytes(1).empty());
  EXPECT_FALSE(reader.ok());
}

TEST(ByteReader, CountsThatWouldWrapAroundFail) {
  const std::string text = "abcd";
  ByteReader reader(as_bytes(text));
  reader.skip(2);
  reader.skip(std::numeric_limits<size_t>::max());
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.offset(), 2u);
}

TEST(ByteReader, AnEmptySpanHoldsNothing) {
  ByteReader reader(ByteSpan{});
  EXPECT_TRUE(reader.read_bytes(0).empty());
  EXPECT_TRUE(reader.ok());
  EXPECT_EQ(reader.read<uint8_t>(), 0u);
  EXPECT_FALSE(reader.ok());
}

TEST(CheckedArithmetic, RefusesWhatDoesNotFit) {
  EXPECT_EQ(checked_add(kMost - 1, 1), kMost);
  EXPECT_EQ(checked_add(kMost, 1), std::nullopt);
  EXPECT_EQ(checked_multiply(uint64_t{1} << 32, (uint64_t{1} << 32) - 1), kMost - ((uint64_t{1} << 32) - 1));
  EXPECT_EQ(checked_multiply(uint64_t{1} << 32, uint64_t{1} << 32), std::nullopt);
  EXPECT_EQ(checked_multiply(0, kMost), 0u);
}

}  // namespace
}  // namespace mneme
