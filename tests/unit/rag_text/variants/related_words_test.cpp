#include "rag/text/variants/related_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(RelatedWords, RelativesGoBothWays) {
  EXPECT_THAT(related_words("wrote"), Contains("author"));
  EXPECT_THAT(related_words("author"), Contains("wrote"));
  EXPECT_THAT(related_words("won"), Contains("victory")) << "a word of two lines";
  EXPECT_THAT(related_words("won"), Contains("winner"));
  EXPECT_THAT(related_words("wrote"), Not(Contains("wrote")));
  EXPECT_THAT(related_words("backe"), Contains("gebacken")) << "in the first person";
  EXPECT_THAT(related_words("table"), IsEmpty());
  EXPECT_THAT(related_words(""), IsEmpty());
}

TEST(RelatedWords, GermanVerbsThatChangeTheirVowelMeetTheirForms) {
  EXPECT_THAT(related_words("uberwiesen"), Contains("uberweisen"));
  EXPECT_THAT(related_words("beschluss"), Contains("beschlossen"));
  EXPECT_THAT(related_words("unterschreiben"), Contains("unterschrieben"));
}

}  // namespace
}  // namespace mneme::rag
