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

// What is said beside an answer is said in the language of the question, whatever the documents are in.
TEST_F(UntoldPartsTest, NotesAreInTheLanguageOfTheQuestion) {
  docs_.write("hytte.md", "# Hytten\n\nHytten koster 900 kroner om natten. Katte er husdyr, der er velkomne.\n");
  docs_.write("haus.md", "# Das Haus\n\nDie Miete beträgt 900 Euro im Monat. Das Auto steht vor dem Haus.\n");
  index_all();
  const Answer german = ask({"Wie hoch ist die Miete, und wann wurde der Leuchtturm gebaut?"});
  ASSERT_FALSE(german.notes.empty()) << german.text;
  EXPECT_EQ(german.notes.back().find("Dazu sagen die Dokumente nichts: "), 0U) << german.notes.back();
  EXPECT_EQ(ask({"hvornår sejler færgen til øen"}).text, "Dokumenterne siger ikke noget om det.");
  EXPECT_EQ(ask({"Wie viele Dokumente hast du?"}).text.find("documents"), std::string::npos);
  EXPECT_EQ(ask({"page 7 of the house"}).notes.size(), 0U);
}

}  // namespace
}  // namespace mneme::rag
