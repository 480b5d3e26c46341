#include "rag/text/words/phrases.h"

#include <gtest/gtest.h>

#include <string_view>

namespace mneme::rag {
namespace {

TEST(PhrasesTest, WholeWordsOrAnywhereWithoutSpaces) {
  constexpr std::string_view kPhrases[] = {"how much", "多少"};
  EXPECT_TRUE(says_any(" how much is it ", kPhrases));
  EXPECT_TRUE(says_any(" and how much ", kPhrases));
  EXPECT_FALSE(says_any(" somehow much ", kPhrases));
  EXPECT_FALSE(says_any(" how muchly how ", kPhrases));
  EXPECT_TRUE(says_any(" 一共多少钱 ", kPhrases));
  EXPECT_FALSE(says_any("", kPhrases));
}

}  // namespace
}  // namespace mneme::rag
