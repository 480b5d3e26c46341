#include "rag/text/quantities/numbers.h"

#include <gtest/gtest.h>

#include "rag/text/words/words.h"

namespace mneme::rag {
namespace {

TEST(Numbers, AreSpelledOutInManyLanguages) {
  for (const std::string_view number : {"nine", "zwölf", "vingt", "doze", "шесть", "مئة", "dziesięć", "altı"})
    EXPECT_TRUE(is_number(folded_text(number))) << number;
  for (const std::string_view word : {"", "none", "no", "h2o"}) EXPECT_FALSE(is_number(word)) << word;
}

TEST(Numbers, StandWithinWordsWhereThereAreNoSpaces) {
  EXPECT_TRUE(has_number("会议室有三张桌子"));
  EXPECT_TRUE(ends_with_wide_number("参加者は三"));
  EXPECT_FALSE(ends_with_wide_number("three"));
  EXPECT_FALSE(has_number("会议室有桌子"));
  EXPECT_TRUE(has_number("주차는 세대당 한 대만 가능하다")) << "before what it counts";
  EXPECT_FALSE(has_number("두부와 대파를 넣는다")) << "a part of another word";
}

}  // namespace
}  // namespace mneme::rag
