#include "rag/text/quantities/named_period.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

namespace mneme::rag {
namespace {

using std::chrono::sys_days;

std::string day_text(const std::optional<sys_days>& day) {
  if (!day) return "";
  const std::chrono::year_month_day date(*day);
  char text[16];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()));
  return text;
}

// Of Thursday, 26 November 2026.
std::string period(const char* text) {
  const std::vector<PlacedWord> words = placed_words(text);
  const sys_days today = std::chrono::year(2026) / 11 / 26;
  const std::optional<NamedPeriod> named = named_period(words, today);
  return named ? day_text(named->since) + " to " + day_text(named->before) : "none";
}

TEST(NamedPeriod, OfTheCalendar) {
  EXPECT_EQ(period("2023"), "2023-01-01 to 2024-01-01");
  EXPECT_EQ(period("from 2023"), "2023-01-01 to 2024-01-01");
  EXPECT_EQ(period("in May 2026"), "2026-05-01 to 2026-06-01");
  EXPECT_EQ(period("May"), "2026-05-01 to 2026-06-01");
  EXPECT_EQ(period("im Dezember"), "2025-12-01 to 2026-01-01") << "the last one that has begun";
  EXPECT_EQ(period("2026-05"), "2026-05-01 to 2026-06-01");
  EXPECT_EQ(period("vom 14. Mai 2026"), "2026-05-14 to 2026-05-15");
  EXPECT_EQ(period("May 14, 2026"), "2026-05-14 to 2026-05-15");
  EXPECT_EQ(period("2026-05-14"), "2026-05-14 to 2026-05-15");
}

TEST(NamedPeriod, BesideToday) {
  EXPECT_EQ(period("today"), "2026-11-26 to 2026-11-27");
  EXPECT_EQ(period("gestern"), "2026-11-25 to 2026-11-26");
  EXPECT_EQ(period("this week"), "2026-11-23 to 2026-11-30");
  EXPECT_EQ(period("last week"), "2026-11-16 to 2026-11-23");
  EXPECT_EQ(period("letzten Monat"), "2026-10-01 to 2026-11-01");
  EXPECT_EQ(period("last year"), "2025-01-01 to 2026-01-01");
  EXPECT_EQ(period("in the last three days"), "2026-11-24 to ");
  EXPECT_EQ(period("den letzten 2 Wochen"), "2026-11-12 to ");
  EXPECT_EQ(period("on Monday"), "2026-11-23 to 2026-11-24");
  EXPECT_EQ(period("Thursday"), "2026-11-26 to 2026-11-27");
}

TEST(NamedPeriod, OpenOnOneSide) {
  EXPECT_EQ(period("since June"), "2026-06-01 to ");
  EXPECT_EQ(period("seit gestern"), "2026-11-25 to ");
  EXPECT_EQ(period("before 2020"), " to 2020-01-01");
  EXPECT_EQ(period("after May 2026"), "2026-06-01 to ");
}

TEST(NamedPeriod, NothingElse) {
  for (const char* text : {"", "the bank", "2023 reports", "since the flood", "99999", "May flowers", "31 June 2026",
                           "12", "the last invoice", "after the last three days"})
    EXPECT_EQ(period(text), "none") << text;
}

}  // namespace
}  // namespace mneme::rag
