#include "rag/retrieval/second_look.h"

#include <gtest/gtest.h>

#include "rag/embedding/embedder.h"

namespace mneme::rag {
namespace {

double one(std::string_view) {
  return 1.0;
}

std::vector<PassageEvidence> look(std::string_view question, const std::vector<LookedAt>& passages,
                                  const Embedder* embedder = nullptr) {
  std::vector<PassageEvidence> evidence(passages.size());
  const SecondLook second(question, embedder, one);
  for (size_t i = 0; i < passages.size(); ++i) second.look(passages[i], evidence[i]);
  return evidence;
}

TEST(SecondLook, SeesTheKindOfAnswer) {
  const auto evidence =
      look("When was the tower built?", {{"The tower was built in 1802.", ""}, {"The tower was built of oak.", ""}});
  EXPECT_GT(evidence[0].answer, evidence[1].answer);
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
