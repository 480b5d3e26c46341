#include "rag/retrieval/passage_scorer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

using ::testing::ElementsAre;

PassageEvidence evidence_of(std::string_view question, std::string_view passage) {
  const PassageScorer scorer(question, [](std::string_view) { return 1.0; });
  PassageEvidence evidence;
  scorer.score(passage, evidence);
  return evidence;
}

std::string words(int n) {
  std::string text;
  for (int i = 0; i < n; ++i) text += "filler" + std::to_string(i) + " ";
  return text;
}

TEST(PassageScorer, TermsCarryMeaningAndStandOnce) {
  EXPECT_THAT(PassageScorer::terms_of("Where is the red, red kettle?"), ElementsAre("red", "kettl"));
}

TEST(PassageScorer, CoverageCountsEachTermOnce) {
  EXPECT_DOUBLE_EQ(evidence_of("red kettle", "A red red door").coverage, 0.5);
  EXPECT_DOUBLE_EQ(evidence_of("red kettle", "Kettles are red").coverage, 1.0);
  EXPECT_DOUBLE_EQ(evidence_of("red kettle", "").coverage, 0.0);
}

TEST(PassageScorer, StretchesGrowWithTheirWidth) {
  const PassageEvidence strewn = evidence_of("red kettle", "red " + words(30) + "kettle");
  EXPECT_DOUBLE_EQ(strewn.close, 0.5);
  EXPECT_DOUBLE_EQ(strewn.window, 1.0);
  const PassageEvidence far = evidence_of("red kettle", "red " + words(60) + "kettle");
  EXPECT_DOUBLE_EQ(far.window, 0.5);
  EXPECT_DOUBLE_EQ(far.coverage, 1.0);
}

TEST(PassageScorer, NeighboursAreSeen) {
  EXPECT_DOUBLE_EQ(evidence_of("red kettle", "the red kettle").pairs, 1.0);
  EXPECT_DOUBLE_EQ(evidence_of("red kettle", "the kettle is red").pairs, 0.0);
  EXPECT_DOUBLE_EQ(evidence_of("red", "red").pairs, 0.0) << "one word has no neighbour";
}

TEST(PassageScorer, WhereTheFirstTermStands) {
  const PassageEvidence early = evidence_of("kettle", "kettle " + words(9));
  EXPECT_DOUBLE_EQ(early.first, 0.1);
  EXPECT_EQ(early.n_terms, 10u);
  EXPECT_DOUBLE_EQ(evidence_of("kettle", words(9) + "kettle").first, 1.0);
}

TEST(RerankScore, RisesWithWhatSpeaksForAPassage) {
  const PassageEvidence nothing;
  const double base = rerank_score(nothing, 1.0);
  for (double PassageEvidence::* member :
       {&PassageEvidence::lexical, &PassageEvidence::dense, &PassageEvidence::coverage, &PassageEvidence::close,
        &PassageEvidence::pairs, &PassageEvidence::spelling, &PassageEvidence::symbols, &PassageEvidence::places}) {
    PassageEvidence evidence;
    evidence.*member = 0.5;
    EXPECT_GT(rerank_score(evidence, 1.0), base);
  }
  PassageEvidence late;
  late.first = 0.0;
  EXPECT_GT(rerank_score(late, 1.0), base) << "nothing begins with first = 1";
}

}  // namespace
}  // namespace mneme::rag
