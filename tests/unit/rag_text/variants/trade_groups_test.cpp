#include "rag/text/variants/trade_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;

TEST(TradeGroups, SomebodyIsCalledByTheTrade) {
  EXPECT_THAT(words_of_trade("plumber"), Contains("plumbing"));
  EXPECT_THAT(words_of_trade("zahnarzt"), Contains("zahnarztpraxis"));
  EXPECT_THAT(words_of_trade("plombier"), Contains("plomberie"));
  EXPECT_THAT(words_of_trade("river"), IsEmpty());
}

}  // namespace
}  // namespace mneme::rag
