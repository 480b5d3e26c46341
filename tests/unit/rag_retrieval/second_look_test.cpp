#include "rag/retrieval/second_look.h"

#include <gtest/gtest.h>

#include "rag/embedding/embedder.h"
#include "rag/retrieval/document_names.h"

namespace mneme::rag {
namespace {

double one(std::string_view) {
  return 1.0;
}

std::vector<PassageEvidence> look(std::string_view question, const std::vector<LookedAt>& passages,
                                  const Embedder* embedder = nullptr) {
  std::vector<PassageEvidence> evidence(passages.size());
  SecondLook(question, embedder, one).look(passages, evidence);
  return evidence;
}

TEST(CalledNames, AreWordsWithNumbersNextToEachOther) {
  const CalledNames pep("What is the maximum line length in PEP 8?");
  EXPECT_EQ(pep.share_in("PEP 8: Style Guide"), 1.0);
  EXPECT_EQ(pep.share_in("Style Guide\npep-0008"), 1.0) << "the file's name, with leading zeros";
  EXPECT_EQ(pep.share_in("PEP 584: Union operators\npep-0584"), 0.0);
  EXPECT_EQ(pep.share_in("8 reasons for a PEP"), 0.0);
  EXPECT_EQ(CalledNames("How much does the P300 weigh?").share_in("Ardent P300 garden pump"), 1.0);
  EXPECT_EQ(CalledNames("Compare chapter 3 and chapter 4").share_in("Chapter 3"), 0.5);
  EXPECT_TRUE(CalledNames("What happened in 2030?").empty()) << "a number behind a grammar word names nothing";
  EXPECT_TRUE(CalledNames("").empty());
}

TEST(CalledNames, SomeCanBeNothingElse) {
  constexpr auto kOnly = CalledNames::Which::kIdentifiers;
  EXPECT_EQ(CalledNames("Who wrote PEP 8?", kOnly).share_in("PEP 8: Style Guide"), 1.0);
  EXPECT_FALSE(CalledNames("How much does the P300 weigh?", kOnly).empty());
  EXPECT_TRUE(CalledNames("When does season 3 begin?", kOnly).empty());
  EXPECT_TRUE(CalledNames("who wrote pep 8", kOnly).empty()) << "without capitals it may be anything";
}

TEST(SecondLook, SeesSignsNamesAndTheKindOfAnswer) {
  const std::vector<LookedAt> passages = {{"The `?` operator hands an error on.", "Quill 2"},
                                          {"The dot operator calls a method.", "Quill 3"}};
  auto evidence = look("What does the ? operator of Quill 2 do?", passages);
  EXPECT_EQ(evidence[0].symbols, 1.0);
  EXPECT_EQ(evidence[1].symbols, 0.0);
  EXPECT_EQ(evidence[0].named, 1.0);
  EXPECT_EQ(evidence[1].named, 0.0);
  evidence =
      look("When was the tower built?", {{"The tower was built in 1802.", ""}, {"The tower was built of oak.", ""}});
  EXPECT_GT(evidence[0].answer, evidence[1].answer);
  EXPECT_GT(evidence[0].spelling, 0.0);
}

TEST(SecondLook, WholeRunsOfAScriptCountWhereNoSpacesPartWords) {
  const std::vector<LookedAt> passages = {{"マイケルは平泉の鉄道を調べた。", ""}, {"マイルの平和、泉の鉄。", ""}};
  auto evidence = look("平泉の鉄道は誰が調べたか?", passages);
  EXPECT_EQ(evidence[0].runs, 1.0);
  EXPECT_EQ(evidence[1].runs, 0.0);
  evidence = look("Who built the railway of Hiraizumi?", passages);
  EXPECT_EQ(evidence[0].runs, 0.0) << "words are parted by spaces there";
}

TEST(SecondLook, TheNearestSentenceCounts) {
  const auto embedder = open_embedder("hashed", 1);
  ASSERT_TRUE(embedder.ok());
  const std::string filler = "Reeds grow along the dike. Boats lie in the harbour. The bakery opens at five. ";
  const auto evidence =
      look("Where does the heron breed?",
           {{filler + "The heron breeds on the pump house. " + filler, ""}, {filler + filler, ""}}, embedder->get());
  EXPECT_GT(evidence[0].sentence, evidence[1].sentence);
}

// "# tar", and under it what tar does.
TEST(SecondLook, WhatIsHeadedByTheThingDefinesIt) {
  const LookedAt page{"tar\nArchiving utility.", "tar\ntar", "common tar", "tar"};
  const LookedAt other{"Filters\nSome tar files have links.", "Filters\npep", "peps pep", "Filters for tar files"};
  const auto evidence = look("What does tar do?", {page, other});
  EXPECT_GT(evidence[0].defines, 0.0);
  EXPECT_EQ(evidence[1].defines, 0.0);
  EXPECT_EQ(look("Who wrote tar?", {page})[0].defines, 0.0) << "no definition is asked for";
}

TEST(SecondLook, OddInputIsHarmless) {
  const auto embedder = open_embedder("hashed", 1);
  ASSERT_TRUE(embedder.ok());
  for (const std::string_view question : {"", "?", "the of", "\xff\xfe", "红烧肉"}) {
    const auto evidence = look(question, {{"", ""}, {"\xff", "\xff"}, {"红烧肉要炖。", "菜"}}, embedder->get());
    for (const PassageEvidence& e : evidence) EXPECT_GE(e.sentence + e.answer, 0.0);
  }
  EXPECT_TRUE(look("anything", {}).empty());
}

}  // namespace
}  // namespace mneme::rag
