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

TEST(PhrasesTest, FoldedOnesAreFoundAtAnyWord) {
  constexpr std::string_view kPhrases[] = {"Hur många", "när", "hur", "until", "until when", "多少"};
  const FoldedPhrases phrases(kPhrases);
  EXPECT_TRUE(phrases.any_in(" och nar "));
  EXPECT_TRUE(phrases.any_in(" hur manga dagar "));
  EXPECT_TRUE(phrases.any_in(" until when ")) << "one phrase begins with another";
  EXPECT_TRUE(phrases.any_in(" 一共多少钱 "));
  EXPECT_FALSE(phrases.any_in(" narmare hurra "));
  EXPECT_FALSE(phrases.any_in(" manga dagar "));
  EXPECT_FALSE(phrases.any_in(""));
  EXPECT_TRUE(phrases.any_begins(" hur manga "));
  EXPECT_FALSE(phrases.any_begins(" och hur "));
  EXPECT_TRUE(phrases.holds("hur manga"));
  EXPECT_TRUE(phrases.holds("多少"));
  EXPECT_FALSE(phrases.holds("manga"));
  EXPECT_FALSE(phrases.holds(""));
  EXPECT_FALSE(FoldedPhrases({}).any_in(" hur "));
}

}  // namespace
}  // namespace mneme::rag
