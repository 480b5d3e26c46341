// Which words of the documents stand in for those of a question that no passage has.
#include "rag/retrieval/words_of_documents.h"

#include <gtest/gtest.h>

#include "rag/indexing/indexer.h"
#include "rag/workspace.h"
#include "tests/unit/rag_indexing/plain_workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

class WordsOfDocumentsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    workspace_ = open_plain_workspace(home_.path());
    ASSERT_NE(workspace_, nullptr);
    docs_.write("handbook.md",
                "# Handbook\n\nYou have 30 days of paid holiday a year.\n\n## Sick leave\n\nTell us early.\n");
    docs_.write("bread.md", "# Bread\n\nMix flour and water, leave it alone. Go on with the salt.\n");
    docs_.write("walk.md", "# Walk\n\nLeave the village and go out by the eastern gate to Südtirol.\n");
    docs_.write("verein.md",
                "# Verein\n\nDer Vorstand wird auf drei Jahre gewählt. Die Miete ist im März zu zahlen.\n");
    docs_.write("waesche.md", "# Trockner\n\n## Programme\n\n- Wolle: 38 Minuten\n\nDen Teig kalt backen.\n");
    docs_.write("yard.md", "# Yard\n\nGo back to the gate.\n");
    docs_.write("avtal.md", "# Avtal\n\nHyran betalas före varje månads början. Avtalet gäller från den 1 mars.\n");
    docs_.write("kosten.md", "# Kosten\n\nDie Kosten trägt der Mieter.\n");
    docs_.write("route.md", "# Route\n\nLa route longe la mer.\n");
    IndexOptions index;
    index.paths = {docs_.path()};
    index.kv = KvPolicy::kOff;
    ASSERT_TRUE(Indexer(*workspace_).run(index, {}).ok());
  }

  std::string reworded(std::string_view question) {
    const auto words = in_words_of_documents(workspace_->catalogue(), workspace_->embedder(), question);
    EXPECT_TRUE(words.ok());
    return words.ok() ? words->text : std::string();
  }

  TemporaryFolder home_;
  TemporaryFolder docs_;
  std::unique_ptr<Workspace> workspace_;
};

TEST_F(WordsOfDocumentsTest, OfSynonymsThatWhichStandsBesideTheOtherWords) {
  EXPECT_EQ(reworded("How many vacation days do I have?"), "How many holiday days do I have?");
  EXPECT_EQ(reworded("Is there any vacation?"), "Is there any leave?") << "nothing tells them apart: the commoner";
}

TEST_F(WordsOfDocumentsTest, OfFormsThatWhichStandsBesideTheOtherWords) {
  EXPECT_EQ(reworded("När börjar avtalet gälla?"), "När gäller avtalet gälla?") << "no beginning of months";
  EXPECT_EQ(reworded("hvad koster huslejen"), "hvad koster huslejen") << "what asks for a price is not looked for";
}

TEST_F(WordsOfDocumentsTest, WhatIsNoWordOfTheDocumentsIsNotLookedFor) {
  EXPECT_EQ(reworded("How much salt goes in?"), "How much salt goes in?");
  EXPECT_EQ(reworded("Combien coûte la mer ?"), "Combien coûte la mer ?");
  EXPECT_EQ(reworded("How do I get to Suedtirol?"), "How do I get to Südtirol?");
}

TEST_F(WordsOfDocumentsTest, AreSpelledAsTheyAre) {
  EXPECT_EQ(reworded("Wie wird der Vorstand gewwählt?"), "Wie wird der Vorstand gewählt?");
  EXPECT_EQ(reworded("Wann wird die Miete gezahlt?"), "Wann wird die Miete zahlen?");
}

TEST_F(WordsOfDocumentsTest, ACompoundGivesWayToWhatItIsMadeOf) {
  EXPECT_EQ(reworded("Wie lange dauert das Wollprogramm?"), "Wie lange dauert das wolle programm?");
  EXPECT_EQ(reworded("Wie lange dauert das Kurzprogramm?"), "Wie lange dauert das Kurzprogramm?");
  EXPECT_EQ(reworded("How long is the wollprogramm?"), "How long is the wollprogramm?") << "other languages have none";
}

TEST_F(WordsOfDocumentsTest, AParticipleGivesWayToItsVerb) {
  EXPECT_EQ(reworded("Wie wird der Teig gebacken?"), "Wie wird der Teig backen?") << "not by the English \"back\"";
}

}  // namespace
}  // namespace mneme::rag
