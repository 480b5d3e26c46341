#include "rag/text/variants/chinese_characters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;

TEST(ChineseCharacters, AreWrittenInTwoWays) {
  EXPECT_THAT(in_other_characters("車險的救援電話"), Contains("车险的救援电话"));
  EXPECT_THAT(in_other_characters("车险的救援电话"), Contains("車險的救援電話"));
}

TEST(ChineseCharacters, JapaneseAndOtherTextStaysAsItIs) {
  EXPECT_THAT(in_other_characters("電車の時間"), IsEmpty());
  EXPECT_THAT(in_other_characters("What is a tram?"), IsEmpty());
  EXPECT_THAT(in_other_characters(""), IsEmpty());
}

}  // namespace
}  // namespace mneme::rag
