#include "rag/text/languages/german.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(German, IsKnownByItsGrammarWords) {
  EXPECT_TRUE(is_german("Wie hoch ist die Kaution?"));
  EXPECT_TRUE(is_german("Welche Frist hat der Vertrag?"));
  EXPECT_FALSE(is_german("What was the war about, and who did die in it?"));
  EXPECT_FALSE(is_german("Combien coûte le loyer ?"));
  EXPECT_FALSE(is_german(""));
}

TEST(German, CompoundsAreKindsOfTheirLastWord) {
  EXPECT_TRUE(is_kind_of("kaltmiete", "miete"));
  EXPECT_TRUE(is_kind_of("stromrechnung", "rechnung"));
  EXPECT_FALSE(is_kind_of("mietvertrag", "miete"));
  EXPECT_FALSE(is_kind_of("miete", "miete"));
  EXPECT_FALSE(is_kind_of("montag", "tag")) << "too short to tell";
}

TEST(German, CompoundsTellOfTheirFirstWord) {
  EXPECT_TRUE(is_compound_with("bremsbelag", "bremsen"));
  EXPECT_FALSE(is_compound_with("schulden", "schule"));
  EXPECT_FALSE(is_compound_with("bremsen", "bremse")) << "no compound";
}

TEST(German, ADurationIsOfTheThingBeforeIt) {
  EXPECT_EQ(thing_of_duration("kundigungsfrist"), "kundigung");
  EXPECT_EQ(thing_of_duration("mietdauer"), "miet");
  EXPECT_EQ(thing_of_duration("frist"), "");
  EXPECT_EQ(thing_of_duration("ausdauer"), "") << "three letters are too few";
}

}  // namespace
}  // namespace mneme::rag
