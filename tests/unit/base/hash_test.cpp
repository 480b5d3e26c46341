#include "base/hash.h"

#include <gtest/gtest.h>

namespace mneme {
namespace {

// Values of the reference implementation: files and stores of other machines rest on them.
TEST(Hash, GivesThePublishedValues) {
  EXPECT_EQ(xxh64(as_bytes("")), 0xef46db3751d8e999u);
  EXPECT_EQ(xxh64(as_bytes("a")), 0xd24ec4f1a98c6e5bu);
  EXPECT_EQ(xxh3_64(as_bytes("")), 0x2d06800538d394c2u);
  EXPECT_EQ(xxh3_128(as_bytes("")).hex(), "99aa06d3014798d86001c324468d497f");
}

TEST(Hash, OfPiecesDependsOnWhereTheyEnd) {
  Hasher128 one;
  one.add("ab");
  one.add("c");
  Hasher128 other;
  other.add("a");
  other.add("bc");
  EXPECT_NE(one.finish(), other.finish());
}

TEST(Hash, OfASliceAtATimeIsThatOfTheWhole) {
  Hasher128 hasher;
  hasher.add_raw(as_bytes("slice "));
  hasher.add_raw(as_bytes("by slice"));
  EXPECT_EQ(hasher.finish(), xxh3_128(as_bytes("slice by slice")));
}

TEST(Hash, HexKeepsLeadingZeros) {
  EXPECT_EQ((Hash128{0, 0x1f}).hex(), "0000000000000000000000000000001f");
}

}  // namespace
}  // namespace mneme
