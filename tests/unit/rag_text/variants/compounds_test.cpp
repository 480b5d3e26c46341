#include "rag/text/variants/compounds.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(Compounds, AreKindsOfTheirLastWord) {
  EXPECT_TRUE(is_kind_of("kaltmiete", "miete"));
  EXPECT_TRUE(is_kind_of("stromrechnung", "rechnung"));
  EXPECT_FALSE(is_kind_of("mietvertrag", "miete"));
  EXPECT_FALSE(is_kind_of("miete", "miete"));
  EXPECT_FALSE(is_kind_of("montag", "tag")) << "too short to tell";
}

TEST(Compounds, TellOfTheirFirstWord) {
  EXPECT_TRUE(is_compound_with("bremsbelag", "bremsen"));
  EXPECT_FALSE(is_compound_with("schulden", "schule"));
  EXPECT_FALSE(is_compound_with("bremsen", "bremse")) << "no compound";
}

TEST(Compounds, ADurationIsOfTheThingBeforeIt) {
  EXPECT_EQ(thing_of_duration("kundigungsfrist"), "kundigung");
  EXPECT_EQ(thing_of_duration("mietdauer"), "miet");
  EXPECT_EQ(thing_of_duration("frist"), "");
  EXPECT_EQ(thing_of_duration("ausdauer"), "") << "three letters are too few";
}

TEST(Compounds, AreMadeOfTwoWords) {
  EXPECT_TRUE(is_compound_of("schlusselkastens", "schlussel", "kasten"));
  EXPECT_FALSE(is_compound_of("geburtstag", "geburt", "tag")) << "three letters are too few";
  EXPECT_TRUE(is_compound_of("sonnenschirm", "sonne", "schirm"));
  EXPECT_TRUE(is_compound_of("arbeitsvertrag", "arbeit", "vertrag"));
  EXPECT_FALSE(is_compound_of("schlusselkastens", "schlussel", "kiste"));
  EXPECT_FALSE(is_compound_of("schlussel", "schlussel", "kasten"));
  EXPECT_FALSE(is_compound_of("", "", ""));
}

TEST(Compounds, BeginWithWhatAWordIsDerivedFrom) {
  EXPECT_TRUE(is_compound_of("dachdeckerrechnung", "dachdeckerei", "rechnung"));
  EXPECT_TRUE(is_compound_of("schlusselkastens", "schlussel", "kasten"));
  EXPECT_FALSE(is_compound_of("dachdeckerrechnung", "dach", "rechnung"));
  EXPECT_FALSE(may_begin_compound("dachdeckerrechnung", "dackel"));
}

}  // namespace
}  // namespace mneme::rag
