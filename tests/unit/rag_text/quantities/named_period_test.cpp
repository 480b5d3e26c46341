#include "rag/text/quantities/named_period.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "rag/text/quantities/cut_period.h"

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
constexpr sys_days kToday = std::chrono::year(2026) / 11 / 26;

std::string text_of(const std::optional<NamedPeriod>& named) {
  return named ? day_text(named->since) + " to " + day_text(named->before) : "none";
}

std::string period(const char* text, Language language) {
  return text_of(named_period(placed_words(text), kToday, language));
}

std::string period(const char* text) {
  const std::string english = period(text, Language::kEnglish);
  return english == "none" ? period(text, Language::kGerman) : english;
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

TEST(NamedPeriod, OfEveryLanguage) {
  constexpr const char* kLastYear = "2025-01-01 to 2026-01-01";
  constexpr const char* kThisWeek = "2026-11-23 to 2026-11-30";
  struct Case {
    Language language;
    const char* last_year;
    const char* this_week;
    const char* of_2025;
  };
  for (const Case& c : {Case{Language::kFrench, "de l'année dernière", "cette semaine", "de 2025"},
                        Case{Language::kSpanish, "del año pasado", "esta semana", "del año 2025"},
                        Case{Language::kItalian, "dell'anno scorso", "questa settimana", "del 2025"},
                        Case{Language::kPortuguese, "do ano passado", "esta semana", "de 2025"},
                        Case{Language::kDutch, "van vorig jaar", "deze week", "uit 2025"},
                        Case{Language::kSwedish, "från förra året", "den här veckan", "från 2025"},
                        Case{Language::kDanish, "fra sidste år", "i denne uge", "fra 2025"},
                        Case{Language::kNorwegian, "fra i fjor", "denne uken", "fra 2025"},
                        Case{Language::kPolish, "z zeszłego roku", "w tym tygodniu", "z 2025 roku"},
                        Case{Language::kCzech, "z minulého roku", "tento týden", "z roku 2025"},
                        Case{Language::kRussian, "за прошлый год", "на этой неделе", "за 2025 год"},
                        Case{Language::kUkrainian, "за минулий рік", "цього тижня", "за 2025 рік"},
                        Case{Language::kTurkish, "geçen yılın", "bu hafta", "2025 yılından"},
                        Case{Language::kRomanian, "de anul trecut", "săptămâna aceasta", "din 2025"},
                        Case{Language::kHungarian, "a tavalyi", "ezen a héten", "2025-ből"},
                        Case{Language::kFinnish, "viime vuoden", "tällä viikolla", "vuodelta 2025"},
                        Case{Language::kArabic, "العام الماضي", "هذا الأسبوع", "من عام 2025"}}) {
    EXPECT_EQ(period(c.last_year, c.language), kLastYear) << c.last_year;
    EXPECT_EQ(period(c.this_week, c.language), kThisWeek) << c.this_week;
    EXPECT_EQ(period(c.of_2025, c.language), kLastYear) << c.of_2025;
  }
  EXPECT_EQ(period("depuis hier", Language::kFrench), "2026-11-25 to ");
  EXPECT_EQ(period("los últimos tres meses", Language::kSpanish), "2026-08-26 to ");
  EXPECT_EQ(period("il lunedì", Language::kItalian), "2026-11-23 to 2026-11-24");
  EXPECT_EQ(period("semaine", Language::kFrench), "none");
}

// What is left of a text, and the period that was cut out of it.
std::string cut(std::string text, Language language) {
  const std::string period = text_of(cut_period(text, kToday, language));
  return text + " | " + period;
}

TEST(NamedPeriod, WithoutSpaces) {
  EXPECT_EQ(cut("去年的文件", Language::kChinese), " 的文件 | 2025-01-01 to 2026-01-01");
  EXPECT_EQ(cut("2025年3月的发票", Language::kChinese), " 的发票 | 2025-03-01 to 2025-04-01");
  EXPECT_EQ(cut("2025年3月14日の手紙", Language::kJapanese), " の手紙 | 2025-03-14 to 2025-03-15");
  EXPECT_EQ(cut("今週の文書", Language::kJapanese), " の文書 | 2026-11-23 to 2026-11-30");
  EXPECT_EQ(cut("文件", Language::kChinese), "文件 | none");
  EXPECT_EQ(cut("2025年2月30日", Language::kChinese), "2025年2月30日 | none") << "there is no such day";
  EXPECT_EQ(cut("12号文件", Language::kChinese), "12号文件 | none");
}

}  // namespace
}  // namespace mneme::rag
