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

TEST(StatedBrief, IsOfTheBestQuotation) {
  EXPECT_FALSE(states("4 February 2026", "What is the penalty for late payment?", "Late payment: 2% a month."));
}

}  // namespace
}  // namespace mneme::rag
