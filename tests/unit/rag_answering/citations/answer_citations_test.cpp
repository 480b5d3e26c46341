// What an answer that a model wrote says of its sources.
#include "rag/answering/citations/answer_citations.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace mneme::rag {
namespace {

Answer written(std::string text) {
  Answer answer;
  answer.text = std::move(text);
  answer.sources.resize(2);
  answer.sources[0].source.text = "The ferry to Kelby sails at nine in winter.";
  answer.sources[0].source.document = "/d/ferry.md";
  answer.sources[1].source.text = "The museum of Arnmouth opens at ten on Sundays.";
  answer.sources[1].source.document = "/d/museum.md";
  for (int n = 1; n <= 2; ++n) answer.sources[static_cast<size_t>(n - 1)].n = n;
  return answer;
}

Answer checked(std::string text, bool short_answer = false) {
  Answer answer = written(std::move(text));
  check_citations_of(answer, "When does the ferry to Kelby sail?", short_answer);
  collect_citations(answer);
  return answer;
}

TEST(AnswerCitations, WhatIsNamedIsCitedAndQuotedWhereItIsBorneOut) {
  const Answer good = checked("The ferry to Kelby sails at nine in winter [1].");
  ASSERT_EQ(good.citations.size(), 1U);
  EXPECT_EQ(good.citations[0].n, 1);
  EXPECT_TRUE(good.citations[0].quoted);
  EXPECT_FALSE(good.sources[1].cited);
  EXPECT_TRUE(good.unsupported.empty());
  EXPECT_TRUE(good.notes.empty());
  EXPECT_EQ(cited_documents(good.citations), std::vector<std::string>{"/d/ferry.md"});

  const Answer wrong = checked("Penguins lay their eggs on bare granite [2].");
  ASSERT_EQ(wrong.citations.size(), 1U);
  EXPECT_TRUE(wrong.citations[0].cited);
  EXPECT_FALSE(wrong.citations[0].quoted) << "it does not say that";
  ASSERT_EQ(wrong.unsupported.size(), 1U);
  EXPECT_EQ(wrong.unsupported[0].byte_begin, 0U);
}

TEST(AnswerCitations, ASentenceThatOnePassageBearsOutAndAnotherDoesNot) {
  const Answer both = checked("The ferry sails at nine in winter [1]. The ferry sails at nine in winter [2].");
  ASSERT_EQ(both.citations.size(), 2U);
  EXPECT_TRUE(both.citations[0].quoted);
  EXPECT_FALSE(both.citations[1].quoted);
}

TEST(AnswerCitations, WhatIsQuotedHasThePageOfItsWords) {
  Answer answer = written("The ferry to Kelby sails at nine in winter [1]. Penguins lay eggs on granite [2].");
  const std::string first_page = "Timetable of all the boats of the coast.\n";
  answer.sources[0].source.text = first_page + answer.sources[0].source.text;
  for (Citation& source : answer.sources) {
    source.source.page = 7;
    source.source.page_marks = std::to_string(first_page.size()) + ":8";
  }
  check_citations_of(answer, "When does the ferry to Kelby sail?", false);
  collect_citations(answer);
  ASSERT_EQ(answer.citations.size(), 2U);
  EXPECT_EQ(answer.citations[0].source.page, 8);
  EXPECT_EQ(answer.citations[0].source.page_marks, "") << "the page is that of the words, not where the passage begins";
  EXPECT_FALSE(answer.citations[1].quoted);
  EXPECT_EQ(answer.citations[1].source.page, 7) << "nothing of it is quoted: where it begins";
}

TEST(AnswerCitations, ANumberThatIsNoSourceIsTold) {
  const Answer answer = checked("The ferry to Kelby sails at nine in winter [1]. Penguins lay eggs on granite [3].");
  ASSERT_EQ(answer.notes.size(), 1U);
  EXPECT_NE(answer.notes[0].find("[3]"), std::string::npos) << answer.notes[0];
  ASSERT_EQ(answer.citations.size(), 1U);
  EXPECT_TRUE(checked("The museum of Arnmouth opens at ten [2].").notes.empty()) << "the last one is one";
}

TEST(AnswerCitations, OfAShortAnswerNoSentenceIsMarked) {
  EXPECT_FALSE(checked("Penguins lay their eggs on bare granite").unsupported.empty());
  EXPECT_TRUE(checked("Penguins lay their eggs on bare granite", true).unsupported.empty());
}

TEST(AnswerCitations, DocumentsAreNamedOnce) {
  Answer answer = written("");
  for (Citation& source : answer.sources) source.cited = true;
  answer.sources.push_back(answer.sources[0]);
  answer.sources.push_back(Citation());
  answer.sources.back().cited = true;
  EXPECT_EQ(cited_documents(answer.sources), (std::vector<std::string>{"/d/ferry.md", "/d/museum.md"}));
}

}  // namespace
}  // namespace mneme::rag
