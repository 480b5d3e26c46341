#include "rag/text/quantities/dates.h"

#include <gtest/gtest.h>

#include "rag/text/words/words.h"

namespace mneme::rag {
namespace {

TEST(Dates, OfOtherScripts) {
  const auto is_date = [](std::string_view text) { return has_date(text, " " + folded_text(text) + " "); };
  EXPECT_TRUE(is_date("يوم الخميس 16 يناير"));
  EXPECT_TRUE(is_date("入住:2025年8月3日"));
  EXPECT_TRUE(is_date("昭和36年"));
  EXPECT_FALSE(is_date("2年1組 遠足のお知らせ")) << "a class";
  EXPECT_TRUE(says_short_time("入浴は15分以内にしてください。"));
  EXPECT_FALSE(says_short_time("午後5時45分まで。"));
  EXPECT_FALSE(says_short_time("5月23日"));
}

TEST(ShortTimes, StandGluedOrBehindAnArticle) {
  for (const char* text :
       {"idle_timeout: 75s", "It answers within 5 ms.", "kept for an hour", "Das dauert eine Stunde.",
        "Bake for around an hour.", "half an hour", "a few days", "a couple of weeks", "leave it overnight"}) {
    EXPECT_TRUE(says_short_time(text)) << text;
  }
  for (const char* text : {"1000 IU a day", "twice an hour", "pin 4", "the 1990's", "20 seats"}) {
    EXPECT_FALSE(says_short_time(text)) << text;
  }
}

}  // namespace
}  // namespace mneme::rag
