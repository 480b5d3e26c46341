// Which short answers stand before the quotations.
#include "rag/answering/brief/stated_brief.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

bool states(const char* text, std::string_view question, std::string_view best, double probability = 0.95) {
  return is_worth_stating({.text = text, .n = 1, .probability = probability, .stated = false, .model = {}}, question,
                          best);
}

TEST(StatedBrief, IsLikelyAndNews) {
  constexpr std::string_view kQuote = "The bins are emptied\non Thursday.";
  EXPECT_TRUE(states("Thursday", "When are the bins emptied?", kQuote));
  EXPECT_TRUE(states("emptied on Thursday", "When are the bins emptied?", kQuote)) << "whatever the line breaks";
  EXPECT_FALSE(states("Thursday", "When are the bins emptied?", kQuote, 0.92));
  EXPECT_FALSE(states("The bins", "When are the bins emptied?", kQuote)) << "the question says so itself";
  EXPECT_FALSE(states("", "When are the bins emptied?", kQuote));
  EXPECT_TRUE(states("Thursday", "Are the bins emptied on Wednesday or Thursday?", kQuote)) << "one of two";
  EXPECT_FALSE(states("Thursday", "Are the bins emptied on Thursday?", kQuote));
}

TEST(StatedBrief, IsNoPieceOfANumberOrWord) {
  EXPECT_FALSE(states("2026", "When was it issued?", "Invoice number: 2026-0417"));
  EXPECT_FALSE(states("0417", "What is its number?", "Invoice number: 2026-0417."));
  EXPECT_FALSE(states("4", "What does it cost?", "It costs 4.50 euros."));
  EXPECT_FALSE(states("war", "When was it built?", "It is a pre-war house."));
  EXPECT_TRUE(states("2026-0417", "What is its number?", "Invoice number: 2026-0417."));
  EXPECT_TRUE(states("2026", "When was it issued?", "Invoice 2026-0417, of 2026."));
  EXPECT_TRUE(states("4.50", "What does it cost?", "It costs 4.50."));
  EXPECT_TRUE(states("red", "Which colour?", "red - or nearly"));
}

TEST(StatedBrief, IsNoNameOfAField) {
  EXPECT_FALSE(states("Weight", "How heavy is the dryer?", "Weight: 71 kg"));
  EXPECT_FALSE(states("Place", "What should I bring?", "Dinner: Place: Restaurant Zur Post"));
  EXPECT_TRUE(states("MAIF", "Who insures us?", "Insurer: MAIF"));
}

TEST(StatedBrief, IsNothingWhereASentenceIsAskedFor) {
  constexpr std::string_view kQuote = "Prams may be left under the stairs, bicycles may not.";
  EXPECT_FALSE(states("Prams", "can I leave my bike under the stairs", kQuote));
  EXPECT_FALSE(states("Prams", "Why are bikes not left there?", kQuote));
  EXPECT_FALSE(states("Prams", "Is anything left there?", kQuote));
  EXPECT_TRUE(states("Prams", "What may be left under the stairs?", kQuote));
}

TEST(StatedBrief, CountsWhatIsAskedFor) {
  EXPECT_FALSE(states("1", "What does the oil change cost?", "Pos: 1; Description: Oil change; Price: 189.00"));
  EXPECT_FALSE(states("5.1", "How much insurance must she hold?", "5.1 She shall hold at least 500,000 euros."));
  EXPECT_TRUE(states("500,000", "How much insurance must she hold?", "5.1 She shall hold at least 500,000 euros."));
  EXPECT_FALSE(states("12", "How many times have they won it?", "They won all 12 matches."));
  EXPECT_TRUE(states("12", "How many times have they won it?", "They won it 12 times."));
}

TEST(StatedBrief, ANumberKeepsItsUnit) {
  constexpr std::string_view kIndex = "The index takes about 60 bytes per block.";
  EXPECT_EQ(with_unit("60", "How much memory does the index take?", kIndex), "60 bytes");
  EXPECT_EQ(with_unit("about 60", "How much memory does the index take?", kIndex), "about 60 bytes");
  EXPECT_EQ(with_unit("30", "How much does the exam count?", "Final exam: 30 %"), "30 %");
  EXPECT_EQ(with_unit("4", "How much is the fee?", "The fee is 4 pounds, in cash."), "4 pounds");
  EXPECT_EQ(with_unit("40", "How many passed?", "40 old students passed."), "40") << "of what, more words say";
  EXPECT_EQ(with_unit("40", "How many passed?", "Of 50 students 40 and no more."), "40");
  EXPECT_EQ(with_unit("2031", "When is it due?", "It is due in 2031 at last."), "2031") << "no number of anything";
}

TEST(StatedBrief, IsOfTheBestQuotation) {
  EXPECT_FALSE(states("4 February 2026", "What is the penalty for late payment?", "Late payment: 2% a month."));
}

}  // namespace
}  // namespace mneme::rag
