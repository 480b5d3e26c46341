#include "rag/answering/question_kind.h"

#include <gtest/gtest.h>

#include "rag/text/words.h"

namespace mneme::rag {
namespace {

std::unordered_set<std::string> asked(std::string_view question) {
  std::unordered_set<std::string> stems;
  for (const std::string& word : words_of(question)) stems.emplace(stem_of(word));
  return stems;
}

double cue(std::string_view question, std::string_view sentence) {
  return answer_cue(kind_of_question(question), sentence, asked(question));
}

TEST(QuestionKind, IsReadFromItsWords) {
  EXPECT_EQ(kind_of_question("Who accepted the proposal?"), QuestionKind::kPerson);
  EXPECT_EQ(kind_of_question("In what year was it built?"), QuestionKind::kDate);
  EXPECT_EQ(kind_of_question("When does it open?"), QuestionKind::kDate);
  EXPECT_EQ(kind_of_question("maximum line length in PEP 8"), QuestionKind::kNumber);
  EXPECT_EQ(kind_of_question("How many piers are there?"), QuestionKind::kNumber);
  EXPECT_EQ(kind_of_question("Where is Kelby?"), QuestionKind::kPlace);
  EXPECT_EQ(kind_of_question("Why was the GIL made optional?"), QuestionKind::kReason);
  EXPECT_EQ(kind_of_question("How do I list files?"), QuestionKind::kManner);
  EXPECT_EQ(kind_of_question("What is a wheel file?"), QuestionKind::kDefinition);
  EXPECT_EQ(kind_of_question("What is the population of Arnmouth?"), QuestionKind::kOther);
  EXPECT_EQ(kind_of_question("红烧肉要炖多少分钟？"), QuestionKind::kNumber);
  EXPECT_EQ(kind_of_question("誰が塔を建てましたか"), QuestionKind::kPerson);
  EXPECT_EQ(kind_of_question("Wann öffnet das Museum?"), QuestionKind::kDate);
  EXPECT_EQ(kind_of_question(""), QuestionKind::kOther);
  EXPECT_EQ(kind_of_question("whole wheat"), QuestionKind::kOther) << "words, not parts of words";
}

TEST(AnswerCue, HoldsTheKindOfThingAskedFor) {
  EXPECT_EQ(cue("When was it built?", "It was built in 1873."), 1.0);
  EXPECT_EQ(cue("When was it built?", "It was built of stone."), 0.0);
  EXPECT_EQ(cue("When does it close?", "It closes in November."), 1.0);
  EXPECT_GT(cue("Who built it?", "It was built by Tilda Voss."), 0.0);
  EXPECT_EQ(cue("Who built Arnmouth?", "The town of Arnmouth is old."), 0.0) << "the question's own names are no news";
  EXPECT_EQ(cue("Why is it closed?", "It is closed because of the storm."), 1.0);
  EXPECT_EQ(cue("What is a wheel?", "A wheel is a ZIP-format archive."), 1.0);
  EXPECT_EQ(cue("What is a wheel?", "Installers unpack every wheel they meet."), 0.0);
  EXPECT_EQ(cue("红烧肉要炖多少分钟？", "小火炖四十分钟。"), 1.0);
}

}  // namespace
}  // namespace mneme::rag
