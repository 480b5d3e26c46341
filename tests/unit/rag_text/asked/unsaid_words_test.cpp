#include "rag/text/asked/unsaid_words.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(UnsaidWords, AskForALimitOrATime) {
  EXPECT_TRUE(need_not_be_said(QuestionKind::kDuration, "run"));
  EXPECT_FALSE(need_not_be_said(QuestionKind::kManner, "run")) << "how do I run it";
  EXPECT_TRUE(need_not_be_said(QuestionKind::kNumber, "maximum"));
  EXPECT_FALSE(need_not_be_said(QuestionKind::kNumber, "message"));
}

TEST(UnsaidWords, CallWhatManualsList) {
  EXPECT_TRUE(need_not_be_said(QuestionKind::kOther, "parameter")) << "what does the heartbeat parameter do";
  EXPECT_FALSE(need_not_be_said(QuestionKind::kOther, "heartbeat"));
}

TEST(UnsaidWords, LeavingIsADeparture) {
  EXPECT_EQ(words_of_times(QuestionKind::kDate, "leave").back(), "departure");
  EXPECT_TRUE(words_of_times(QuestionKind::kOther, "leave").empty());
  EXPECT_TRUE(words_of_times(QuestionKind::kDate, "open").empty());
}

TEST(UnsaidWords, ADayThatIsAskedForShowsByItself) {
  EXPECT_EQ(day_asked_for("which day is our laundry day"), "day");
  EXPECT_EQ(day_asked_for("On which days do they come?"), "days");
  EXPECT_EQ(day_asked_for("When is the open day?"), "");
}

}  // namespace
}  // namespace mneme::rag
