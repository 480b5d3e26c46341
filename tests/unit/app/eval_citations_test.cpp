#include "app/eval/eval_citations.h"

#include <gtest/gtest.h>

namespace mneme::app {
namespace {

EvalSet lighthouse_set() {
  EvalSet set{.name = "test", .questions = {}};
  const std::vector<EvalContext> contexts = {{"Arnmouth", "The lighthouse of Arnmouth was built in 1873. It is high."},
                                             {"Kelby", "Dogs are allowed on the ferry to Kelby."},
                                             {"Tea", "Green tea wants cooler water than black tea."}};
  EvalQuestion question{.id = "1",
                        .question = "When was the lighthouse built?",
                        .contexts = contexts,
                        .answers = {"1873"},
                        .supporting = {0},
                        .answerable = true};
  set.questions.push_back(question);
  question.id = "2";
  question.answers = {"a word that is not there"};
  set.questions.push_back(question);
  return set;
}

TEST(EvalCitations, CountsRightAndPlantedAnswers) {
  const EvalSet set = lighthouse_set();
  const CitationScores scores = evaluate_citations(set, corpus_of(set), 3, 1, [](size_t) {}, never_cancelled());
  for (const CitationCounts& counts : {scores.sentence, scores.bare}) {
    EXPECT_EQ(counts.right, 1) << "the question whose answer is nowhere is left out";
    EXPECT_EQ(counts.planted, 1);
    EXPECT_EQ(counts.caught, 1);
    EXPECT_EQ(counts.flagged, 0);
  }
}

TEST(EvalCitations, StopsWhenCancelled) {
  CancelToken cancel;
  cancel.cancel();
  const EvalSet set = lighthouse_set();
  EXPECT_TRUE(evaluate_citations(set, corpus_of(set), 3, 1, [](size_t) {}, cancel).interrupted);
}

}  // namespace
}  // namespace mneme::app
