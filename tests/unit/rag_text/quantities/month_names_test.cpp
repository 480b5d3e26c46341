#include "rag/text/quantities/month_names.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

using Marks = std::vector<std::string>;

TEST(MonthNames, InEnglishAndGerman) {
  EXPECT_EQ(month_named("february"), 2);
  EXPECT_EQ(month_named("dezember"), 12);
  EXPECT_EQ(month_named("may"), 0) << "grammar, mostly";
  EXPECT_EQ(month_named("mar"), 0);
  EXPECT_EQ(month_called("may"), 5) << "where only a month can stand";
  EXPECT_EQ(month_called("mar"), 3);
  EXPECT_EQ(month_called("mai"), 5);
  EXPECT_EQ(month_called("dog"), 0);
  EXPECT_EQ(month_named(""), 0);
}

TEST(MonthNames, OfOtherLanguages) {
  EXPECT_EQ(month_named("fevrier"), 2);
  EXPECT_EQ(month_named("diciembre"), 12);
  EXPECT_EQ(month_named("апреля"), 4);
  EXPECT_EQ(month_named("اذار"), 3);
  EXPECT_EQ(month_named("三月"), 3);
  EXPECT_EQ(month_named("二月"), 0) << "it ends twelve, too";
  EXPECT_EQ(month_named("mars"), 0) << "a planet";
  EXPECT_EQ(month_named("маи"), 5) << "май, folded";
}

TEST(MonthNames, OfDatesInNumbers) {
  EXPECT_EQ(month_marks("2026-02-12,Freshmart,-73.18"), Marks({month_mark(2)}));
  EXPECT_EQ(month_marks("am 12.11.2025 und am 3.12.25"), Marks({month_mark(11), month_mark(12)}));
  EXPECT_EQ(month_marks("11/10/2025 16:42"), Marks({month_mark(10), month_mark(11)})) << "either may be the month";
  EXPECT_EQ(month_marks("31/10/2025"), Marks({month_mark(10)}));
}

TEST(MonthNames, OtherNumbersTellNoMonth) {
  EXPECT_TRUE(month_marks("version 3.12, 192.168.40.1, 0117 555 0143, 1-2-3, 12.5. and 1,340.00").empty());
  EXPECT_TRUE(month_marks("").empty());
  EXPECT_TRUE(month_marks("2026-").empty());
}

}  // namespace
}  // namespace mneme::rag
