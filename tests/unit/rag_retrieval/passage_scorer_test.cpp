#include "rag/retrieval/passage_scorer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

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
  const PassageScorer scorer("red kettle", [](std::string_view) { return 1.0; });
  EXPECT_DOUBLE_EQ(scorer.share_in("A red red door"), 0.5);
  EXPECT_DOUBLE_EQ(PassageScorer("the", [](std::string_view) { return 1.0; }).share_in("the"), 0.0);
}

TEST(PassageScorer, StretchesGrowWithTheirWidth) {
  const PassageEvidence strewn = evidence_of("red kettle", "red " + words(30) + "kettle");
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
  EXPECT_DOUBLE_EQ(early.log_terms, std::log(11.0));
  EXPECT_DOUBLE_EQ(evidence_of("kettle", words(9) + "kettle").first, 1.0);
}

TEST(PassageScorer, ThreeInARowAndNearOnes) {
  EXPECT_DOUBLE_EQ(evidence_of("old red kettle", "an old red kettle").triples, 1.0);
  EXPECT_DOUBLE_EQ(evidence_of("old red kettle", "a red old kettle").triples, 0.0);
  EXPECT_DOUBLE_EQ(evidence_of("old red kettle", "old kettle that is red").near, 1.0);
  EXPECT_DOUBLE_EQ(evidence_of("kettle of copper", "copper " + words(20) + " kettle").near, 0.0);
  EXPECT_DOUBLE_EQ(evidence_of("kettle of copper", "copper kettle").near, 1.0) << "grammar words between do not count";
}

TEST(PassageScorer, TheBeginningAndRareWords) {
  EXPECT_DOUBLE_EQ(evidence_of("red kettle", "kettle " + words(40) + "red").lead, 0.5);
  const PassageScorer scorer("red kettle", [](std::string_view term) { return term == "red" ? 1.0 : 3.0; });
  PassageEvidence evidence;
  scorer.score("a kettle", evidence);
  EXPECT_DOUBLE_EQ(evidence.coverage, 0.75);
  EXPECT_DOUBLE_EQ(evidence.rare, 0.9);
}

TEST(PassageScorer, PlacesAloneAreReadWithoutOrder) {
  const auto one = [](std::string_view) { return 1.0; };
  PassageEvidence all;
  PassageScorer("old red kettle", one).score("An old red kettle of copper.", all);
  PassageEvidence places;
  PassageScorer("old red kettle", one, PassageScorer::Reads::kPlaces).score("An old red kettle of copper.", places);
  for (double PassageEvidence::* member :
       {&PassageEvidence::coverage, &PassageEvidence::window, &PassageEvidence::lead, &PassageEvidence::rare,
        &PassageEvidence::first, &PassageEvidence::log_terms}) {
    EXPECT_EQ(all.*member, places.*member);
  }
  EXPECT_EQ(places.pairs + places.triples + places.near, 0.0);
}

TEST(EvidenceScore, KnowsHowAQuestionIsWritten) {
  EXPECT_EQ(writing_of("Où est la gare ?"), Writing::kLatin);
  EXPECT_EQ(writing_of("Где стоит башня?"), Writing::kSpaced);
  EXPECT_EQ(writing_of("ما هي العاصمة"), Writing::kSpaced);
  EXPECT_EQ(writing_of("塔は何メートルですか"), Writing::kUnspaced);
  EXPECT_EQ(writing_of("42?"), Writing::kLatin);
  EXPECT_EQ(writing_name(Writing::kSpaced), "spaced");
}

TEST(EvidenceScore, RisesWithWhatSpeaksForAPassage) {
  for (const Writing writing : {Writing::kLatin, Writing::kSpaced, Writing::kUnspaced}) {
    const double base = evidence_score({}, 1.0, writing);
    for (double PassageEvidence::* member :
         {&PassageEvidence::lexical, &PassageEvidence::rare, &PassageEvidence::lead, &PassageEvidence::spelling,
          &PassageEvidence::symbols, &PassageEvidence::named, &PassageEvidence::path, &PassageEvidence::defines,
          &PassageEvidence::answer}) {
      PassageEvidence evidence;
      evidence.*member = 0.5;
      EXPECT_GT(evidence_score(evidence, 1.0, writing), base);
    }
    PassageEvidence near;
    near.dense = 0.5;
    near.dense_place = 0.5;
    EXPECT_GT(evidence_score(near, 1.0, writing), base);
    EXPECT_EQ(evidence_score(near, 0.0, writing), base) << "an embedder that is not to be trusted says nothing";
  }
}

}  // namespace
}  // namespace mneme::rag
