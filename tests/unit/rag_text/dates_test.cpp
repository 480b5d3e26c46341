#include "rag/text/dates.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

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
