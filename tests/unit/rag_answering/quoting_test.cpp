#include "rag/answering/quoting.h"

#include <gtest/gtest.h>

#include "rag/answering/sentences.h"
#include "rag/answering/standalone_query.h"

namespace mneme::rag {
namespace {

TEST(Sentences, KnowListsHeadingsAndWideStops) {
  const std::string text = "# Title\n\nFirst one. Second\none here.\n\n- item a\n- item b\n\n一つ目。二つ目。";
  std::vector<std::string> parts;
  for (const Sentence& s : split_sentences(text)) parts.push_back(text.substr(s.byte_begin, s.byte_end - s.byte_begin));
  EXPECT_EQ(parts, (std::vector<std::string>{"# Title", "First one.", "Second\none here.", "- item a", "- item b",
                                             "一つ目。", "二つ目。"}));
}

TEST(Sentences, ItemNumbersBelongToTheirItemsAndTagsToNobody) {
  const std::string text =
      "1. Fill the kettle. 2. Boil it.\n2. Pour it away.\n\n<Listing number=\"1-1\">\n\nIt is 1.5 l. Done.";
  std::vector<std::string> parts;
  for (const Sentence& s : split_sentences(text)) parts.push_back(text.substr(s.byte_begin, s.byte_end - s.byte_begin));
  EXPECT_EQ(parts.front(), "1. Fill the kettle.");
  for (const std::string& part : parts) {
    EXPECT_NE(part, "2.");
    EXPECT_FALSE(part.starts_with("<"));
  }
}

TEST(Sentences, PlainTextOfASentence) {
  EXPECT_EQ(plain_sentence("- **Bold** `code`\n  and 2 * 3"), "Bold code and 2 * 3");
  EXPECT_EQ(plain_sentence("See [the guide](a.md) or [3]!"), "See the guide or [3]!");
  EXPECT_EQ(plain_sentence("![a picture](a.png)"), "");
  EXPECT_EQ(plain_sentence("[open ![x"), "[open ![x");
}

TEST(Quoting, PicksTheSentenceThatAnswers) {
  const std::vector<QuotePassage> passages = {
      {"# Harbour\n\nThe harbour has three piers. Ferries to Kelby leave every two hours from the north pier. "
       "Dogs are allowed on deck.",
       ""},
      {"Kelby is a quiet village.", ""}};
  const auto quotes = quote_sentences("How often do ferries to Kelby leave?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].text, "Ferries to Kelby leave every two hours from the north pier.");
  EXPECT_EQ(quotes[0].passage, 0);
  EXPECT_EQ(quoted_answer({quotes.data(), 1}), "Ferries to Kelby leave every two hours from the north pier. [1]");
}

TEST(Quoting, ItemsAreReadUnderTheirHeading) {
  const std::vector<QuotePassage> passages = {
      {"## People\n\nThe population of Arnmouth is spread along the coast.\n\n### Population\n\n- total: 1,204 (2019)\n"
       "- male: 600\n\n## Harbour\n\n- piers: 3\n",
       "Arnmouth"}};
  const auto quotes = quote_sentences("What is the population of Arnmouth?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].text, "Population: total: 1,204 (2019)");
}

TEST(Quoting, AColonTakesTheNextLineAlong) {
  const std::vector<QuotePassage> passages = {
      {"# ls\n\n- List all hidden files:\n\n`ls -a`\n\n- List by size:\n\n`ls -S`\n", ""}};
  const auto quotes = quote_sentences("How do I list hidden files?", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].text, "List all hidden files: ls -a");
}

TEST(Quoting, TheKindOfAnswerDecidesBetweenLikeSentences) {
  const std::vector<QuotePassage> passages = {
      {"The lighthouse of Arnmouth was built by Tilda Voss of Kelby. The lighthouse of Arnmouth was built in 1873. The "
       "lighthouse of Arnmouth was built of red stone.",
       ""}};
  const auto first = [&](std::string_view question) { return quote_sentences(question, passages).front().text; };
  EXPECT_EQ(first("When was the lighthouse of Arnmouth built?"), "The lighthouse of Arnmouth was built in 1873.");
  EXPECT_EQ(first("Who built the lighthouse of Arnmouth?"),
            "The lighthouse of Arnmouth was built by Tilda Voss of Kelby.");
}

TEST(Quoting, SignsAreAskedAbout) {
  const std::vector<QuotePassage> passages = {
      {"The dot operator calls a method. The `?` operator passes an error on to the caller. An operator has operands.",
       ""}};
  EXPECT_EQ(quote_sentences("What does the ? operator do?", passages).front().text,
            "The ? operator passes an error on to the caller.");
}

TEST(Quoting, TheHeadingThatIsAskedForMarksThePlace) {
  const std::vector<QuotePassage> passages = {
      {"# Indentation\n\nThe maximum depth of a line is not limited.\n\n# Maximum line length\n\nLimit all lines to at "
       "most 79 characters.\n",
       ""}};
  EXPECT_EQ(quote_sentences("What is the maximum line length?", passages).front().text,
            "Limit all lines to at most 79 characters.");
}

TEST(Quoting, ChineseQuestions) {
  const std::vector<QuotePassage> passages = {{"先把锅烧热。红烧肉要用小火炖四十分钟。最后撒上葱花。", ""}};
  const auto quotes = quote_sentences("红烧肉要炖多少分钟？", passages);
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].text, "红烧肉要用小火炖四十分钟。");
}

TEST(Quoting, NothingToSayAboutOtherThings) {
  const std::vector<QuotePassage> passages = {{"The harbour has three piers.", ""}};
  EXPECT_TRUE(quote_sentences("Who invented the telephone?", passages).empty());
  EXPECT_TRUE(quote_sentences("", passages).empty());
  EXPECT_TRUE(quote_sentences("the of and", {}).empty());
}

TEST(StandaloneQuery, TakesOverWhatAFollowUpLeavesOut) {
  const std::vector<Turn> history = {{"When does the Arnmouth museum open?", "At nine."}};
  EXPECT_EQ(standalone_query("And in winter?", history), "And in winter? Arnmouth museum open");
  EXPECT_EQ(standalone_query("Where is the Kelby lighthouse?", history), "Where is the Kelby lighthouse?");
  EXPECT_EQ(standalone_query("And in winter?", {}), "And in winter?");
}

TEST(StandaloneQuery, ChineseFollowUp) {
  const std::vector<Turn> history = {{"红烧肉怎么做？", "..."}};
  const std::string query = standalone_query("它要炖多久？", history);
  EXPECT_NE(query.find("红烧肉"), std::string::npos) << query;
}

TEST(FollowUp, Rules) {
  EXPECT_TRUE(is_follow_up("What about dogs?"));
  EXPECT_TRUE(is_follow_up("How old was she?"));
  EXPECT_TRUE(is_follow_up("why?"));
  EXPECT_FALSE(is_follow_up("Which ferries leave from Kelby harbour?"));
}

}  // namespace
}  // namespace mneme::rag
