// What the documents do not tell of a question of several parts is said.
#include <gtest/gtest.h>

#include "tests/unit/rag_answering/asked_home.h"

namespace mneme::rag {
namespace {

class UntoldPartsTest : public AskedHome {};

TEST_F(UntoldPartsTest, ANoteNamesThePartOfWhichNothingIsQuoted) {
  docs_.write("ferry.md",
              "# The island\n\n## Getting there\n\nThe ferry sails from Brenna in 55 minutes. A return ticket costs 24 "
              "crowns, children travel free. Cars need a place on the ferry.\n");
  docs_.write("bees.md", "# Bees\n\nThe bees swarm in May. Honey is taken in July.\n");
  index_all();
  const Answer half = ask({"How much is the ferry, and when was the lighthouse built?"});
  EXPECT_NE(half.text.find("24 crowns"), std::string::npos) << half.text;
  ASSERT_EQ(half.notes.size(), 1U);
  EXPECT_EQ(half.notes[0], "the documents do not say: when was the lighthouse built?");
  const Answer both = ask({"How much is the ferry, and when do the bees swarm?"});
  EXPECT_NE(both.text.find("24 crowns"), std::string::npos) << both.text;
  EXPECT_NE(both.text.find("in May"), std::string::npos) << both.text;
  EXPECT_TRUE(both.notes.empty()) << both.notes.front();
  const Answer goes_on = ask({"How much is the ferry, and who paints it?"});
  EXPECT_TRUE(goes_on.notes.empty()) << "what points back may only not be understood: " << goes_on.notes.front();
}

}  // namespace
}  // namespace mneme::rag
