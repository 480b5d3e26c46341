#include "rag/answering/citations/citation_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::vector<std::string_view> kPassages = {
    "The lighthouse of Arnmouth was built in 1873 by the engineer Tilda Voss. It is 34 metres high.",
    "Arnmouth's harbour closes from November to March. Ferries then leave from Kelby.",
    "Tilda Voss was born in Kelby and studied in Edinburgh."};

TEST(ParseCitation, ReadsListsAndRanges) {
  const auto parse = [](std::string_view text) {
    size_t at = 0;
    std::vector<int> numbers = parse_citation(text, at);
    EXPECT_EQ(at, numbers.empty() ? 0 : text.find(']') + 1) << text;
    return numbers;
  };
  EXPECT_THAT(parse("[3]"), ElementsAre(3));
  EXPECT_THAT(parse("[1, 2;4]"), ElementsAre(1, 2, 4));
  EXPECT_THAT(parse("[2-4]"), ElementsAre(2, 3, 4));
  EXPECT_THAT(parse("[ 1 , 3 - 5 ,7 ] and"), ElementsAre(1, 3, 4, 5, 7));
  EXPECT_EQ(parse("[1-999]").size(), 52u) << "nobody means a thousand passages: the ends and fifty between";
  for (const char* none :
       {"[]", "[a]", "[1", "[0]", "[1,]", "[99999]", "[1a]", "(1)", "[-1]", "[1-]", "[", "[1 ", ""}) {
    EXPECT_THAT(parse(none), IsEmpty()) << none;
  }
}

TEST(CitationCheck, RightCitationsStand) {
  const auto check = check_citations("It was built in 1873 by Tilda Voss [1]. She was born in Kelby. [3]",
                                     "Who built the lighthouse?", kPassages, false);
  ASSERT_EQ(check.named.size(), 2u);
  EXPECT_TRUE(check.named[0].supported);
  EXPECT_FALSE(check.named[0].refuted);
  EXPECT_TRUE(check.named[1].supported);
  EXPECT_THAT(check.unsupported, IsEmpty());
}

TEST(CitationCheck, WrongNumberAndInventedFactAreMarked) {
  const std::string answer = "The lighthouse is 34 metres high [2]. It was repainted in 1999 by volunteers [1].";
  const auto check = check_citations(answer, "How high is the lighthouse?", kPassages, false);
  ASSERT_EQ(check.unsupported.size(), 2u);
  EXPECT_EQ(check.unsupported[0].byte_begin, 0u);
  EXPECT_EQ(answer.substr(check.unsupported[1].byte_begin, 5), "It wa");
  EXPECT_TRUE(check.named[0].refuted);
  EXPECT_TRUE(check.named[1].refuted);
}

TEST(CitationCheck, NumbersThatNameNoPassageAreRefuted) {
  const auto check = check_citations("It is 34 metres high [7].", "", kPassages, false);
  ASSERT_EQ(check.named.size(), 1u);
  EXPECT_EQ(check.named[0].n, 7);
  EXPECT_TRUE(check.named[0].refuted);
  EXPECT_EQ(check.unsupported.size(), 1u);
}

TEST(CitationCheck, SentencesDrawingOnSeveralPassagesStand) {
  const auto check = check_citations("The lighthouse was built in 1873 by Tilda Voss, who was born in Kelby [1][3].",
                                     "", kPassages, false);
  EXPECT_THAT(check.unsupported, IsEmpty());
}

TEST(CitationCheck, ARefusalIsNotMarked) {
  EXPECT_THAT(check_citations("The documents do not say.", "Who?", kPassages, true).unsupported, IsEmpty());
}

TEST(CitationCheck, ChineseAnswersAreChecked) {
  const std::vector<std::string_view> passages = {"红烧肉需要五百克五花肉和两勺酱油。", "番茄炒蛋需要三个鸡蛋。"};
  EXPECT_THAT(check_citations("需要五百克五花肉 [1]。", "红烧肉需要什么？", passages, false).unsupported, IsEmpty());
  EXPECT_EQ(check_citations("需要五百克五花肉 [2]。", "红烧肉需要什么？", passages, false).unsupported.size(), 1u);
}

bool marked(std::string_view answer, std::string_view question, std::span<const std::string_view> passages) {
  return !check_citations(answer, question, passages, false).unsupported.empty();
}

TEST(CitationCheck, WordsStrewnAboutAreNoSource) {
  const std::vector<std::string_view> passages = {"The painter John Grey met Mary Stone in Kelby.",
                                                  "Grey stone walls stand in Kelby; John and Mary lived there."};
  EXPECT_FALSE(marked("Mary Stone in Kelby [1].", "Whom did John Grey meet?", passages));
  EXPECT_TRUE(marked("Mary Stone in Kelby [2].", "Whom did John Grey meet?", passages));
}

TEST(CitationCheck, AShortAnswerNeedsTheQuestionBesideIt) {
  const std::vector<std::string_view> passages = {"The harbour of Arnmouth has 3 piers for ferries.",
                                                  "Add 3 eggs and stir."};
  EXPECT_FALSE(marked("3 [1]", "How many piers has the harbour of Arnmouth?", passages));
  EXPECT_TRUE(marked("3 [2]", "How many piers has the harbour of Arnmouth?", passages));
}

TEST(CitationCheck, AnswersOfGrammarWordsAloneAreCheckedToo) {
  const std::vector<std::string_view> passages = {"The band The Who played in Kelby.", "Dogs are allowed on deck."};
  EXPECT_FALSE(marked("The Who [1]", "Which band played in Kelby?", passages));
  EXPECT_TRUE(marked("The Who [2]", "Which band played in Kelby?", passages));
}

TEST(CitationCheck, ParaphrasesOfTheRightPassageStand) {
  EXPECT_FALSE(marked("The lighthouse in Arnmouth, 34 metres high, was built in 1873 [1].", "", kPassages));
  EXPECT_FALSE(marked("Ferries leave from Kelby while the harbour is closed [2].", "", kPassages));
}

}  // namespace
}  // namespace mneme::rag
