#include "rag/text/unsaid_words.h"

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

}  // namespace
}  // namespace mneme::rag
