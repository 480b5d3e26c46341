#include "rag/text/quantities/named_period.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "rag/text/quantities/month_names.h"
#include "rag/text/words/phrases.h"

namespace mneme::rag {

namespace {

using std::chrono::days;
using std::chrono::months;
using std::chrono::sys_days;
using std::chrono::year;
using std::chrono::year_month;
using std::chrono::year_month_day;
using std::chrono::years;
using Words = std::span<const PlacedWord>;
using Period = std::optional<NamedPeriod>;

constexpr std::array<std::array<std::string_view, 3>, 7> kWeekdays = {{{"sunday", "sonntag", ""},
                                                                       {"monday", "montag", ""},
                                                                       {"tuesday", "dienstag", ""},
                                                                       {"wednesday", "mittwoch", ""},
                                                                       {"thursday", "donnerstag", ""},
                                                                       {"friday", "freitag", ""},
                                                                       {"saturday", "samstag", "sonnabend"}}};
constexpr std::array<std::string_view, 24> kNumbers = {
    "one", "two",  "three", "four", "five", "six",   "seven",  "eight", "nine", "ten",  "eleven", "twelve",
    "ein", "zwei", "drei",  "vier", "funf", "sechs", "sieben", "acht",  "neun", "zehn", "elf",    "zwolf"};
constexpr std::string_view kThis[] = {"this", "current", "diese", "diesen", "dieser", "diesem", "dieses"};
constexpr std::string_view kLast[] = {"last",    "past",    "previous", "letzte",  "letzten", "letzter",
                                      "letztem", "letztes", "vorige",   "vorigen", "voriges"};
constexpr std::string_view kBefore[] = {"in",  "on",  "from", "of",  "the", "dated", "im",  "am",    "vom",
                                        "von", "aus", "der",  "den", "des", "dem",   "die", "during"};
constexpr std::string_view kSince[] = {"since", "seit"};
constexpr std::string_view kUntil[] = {"before", "until", "vor", "bis"};
constexpr std::string_view kAfter[] = {"after", "nach"};
constexpr int kOldestYear = 1000;
constexpr int kLastYear = 2200;

std::optional<int> number_in(std::string_view word, int least, int most) {
  int n = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
  if (error != std::errc() || end != word.data() + word.size() || n < least || n > most) return std::nullopt;
  return n;
}

std::optional<int> year_in(std::string_view word) {
  return word.size() == 4 ? number_in(word, kOldestYear, kLastYear) : std::nullopt;
}

template <size_t N, size_t M>
std::optional<int> place_in(const std::array<std::array<std::string_view, M>, N>& names, std::string_view word) {
  for (size_t i = 0; i < N; ++i) {
    if (std::find(names[i].begin(), names[i].end(), word) != names[i].end()) return static_cast<int>(i);
  }
  return std::nullopt;
}

NamedPeriod from_to(sys_days since, sys_days before) {
  return {since, before};
}

NamedPeriod of_year(int y) {
  return from_to(sys_days(year(y) / 1 / 1), sys_days(year(y + 1) / 1 / 1));
}

NamedPeriod of_month(year_month month) {
  return from_to(sys_days(month / 1), sys_days((month + months(1)) / 1));
}

Period of_day(int y, int m, int d) {
  const year_month_day date = year(y) / m / d;
  if (!date.ok()) return std::nullopt;
  return from_to(sys_days(date), sys_days(date) + days(1));
}

// "2023", "2026-05", "2026-05-14", "May", "May 2026", "14 May 2026", "May 14, 2026"; `words` all of it.
Period calendar_period(Words words, sys_days today) {
  if (words.empty() || words.size() > 3) return std::nullopt;
  std::optional<int> y;
  std::optional<int> m;
  std::optional<int> d;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i].text;
    const int named = month_called(word);
    if (!y && year_in(word)) {
      y = year_in(word);
    } else if (!m && named != 0) {
      m = named;
    } else if (!m && y && i == 1 && word.size() == 2) {
      m = number_in(word, 1, 12);
      if (!m) return std::nullopt;
    } else if (!d && (m || i == 0) && number_in(word, 1, 31)) {
      d = number_in(word, 1, 31);
    } else {
      return std::nullopt;
    }
  }
  const year_month_day now(today);
  if (!m) return y && !d ? Period(of_year(*y)) : std::nullopt;
  if (!y) y = static_cast<int>(now.year()) - (*m > static_cast<int>(static_cast<unsigned>(now.month())) ? 1 : 0);
  if (d) return of_day(*y, *m, *d);
  return of_month(year(*y) / *m);
}

enum class Unit { kNone, kDay, kWeek, kMonth, kYear };

Unit unit_in(std::string_view word) {
  constexpr std::string_view kDays[] = {"day", "days", "tag", "tage", "tagen"};
  constexpr std::string_view kWeeks[] = {"week", "weeks", "woche", "wochen"};
  constexpr std::string_view kMonthWords[] = {"month", "months", "monat", "monate", "monaten", "monats"};
  constexpr std::string_view kYears[] = {"year", "years", "jahr", "jahre", "jahren", "jahres"};
  if (one_of(word, kDays)) return Unit::kDay;
  if (one_of(word, kWeeks)) return Unit::kWeek;
  if (one_of(word, kMonthWords)) return Unit::kMonth;
  return one_of(word, kYears) ? Unit::kYear : Unit::kNone;
}

// The week, month or year that holds a day, or one so many of them earlier.
NamedPeriod holding(Unit unit, sys_days day, int earlier) {
  const year_month_day date(day);
  if (unit == Unit::kYear) return of_year(static_cast<int>(date.year()) - earlier);
  if (unit == Unit::kMonth) return of_month(date.year() / date.month() - months(earlier));
  if (unit == Unit::kDay) return from_to(day - days(earlier), day - days(earlier) + days(1));
  const auto weekday = std::chrono::weekday(day).iso_encoding();  // 1 is Monday
  const sys_days monday = day - days(static_cast<int>(weekday) - 1) - days(7 * earlier);
  return from_to(monday, monday + days(7));
}

// "Last three days": so far back from today, which is one of them.
NamedPeriod so_long(Unit unit, int n, sys_days today) {
  if (unit == Unit::kDay) return {today - days(n - 1), std::nullopt};
  if (unit == Unit::kWeek) return {today - days(7 * n), std::nullopt};
  year_month_day date(today);
  date = unit == Unit::kMonth ? date - months(n) : date - years(n);
  if (!date.ok()) date = date.year() / date.month() / std::chrono::last;
  return {sys_days(date), std::nullopt};
}

std::optional<int> count_in(std::string_view word) {
  const auto* const at = std::find(kNumbers.begin(), kNumbers.end(), word);
  if (at != kNumbers.end()) return static_cast<int>((at - kNumbers.begin()) % 12) + 1;
  return number_in(word, 1, 999);
}

// "Today", "this week", "last three months".
Period relative_period(Words words, sys_days today) {
  if (words.size() == 1) {
    const std::string_view word = words[0].text;
    if (word == "today" || word == "heute") return holding(Unit::kDay, today, 0);
    if (word == "yesterday" || word == "gestern") return holding(Unit::kDay, today, 1);
    const std::optional<int> weekday = place_in(kWeekdays, word);
    if (!weekday) return std::nullopt;
    const std::chrono::weekday wanted(static_cast<unsigned>(*weekday));
    return holding(Unit::kDay, today - (std::chrono::weekday(today) - wanted), 0);
  }
  const bool is_last = one_of(words[0].text, kLast);
  if (words.size() == 2 && unit_in(words[1].text) != Unit::kNone) {
    if (one_of(words[0].text, kThis)) return holding(unit_in(words[1].text), today, 0);
    if (is_last) return holding(unit_in(words[1].text), today, 1);
  }
  if (words.size() != 3 || !is_last || unit_in(words[2].text) == Unit::kNone) return std::nullopt;
  const std::optional<int> n = count_in(words[1].text);
  return n ? Period(so_long(unit_in(words[2].text), *n, today)) : std::nullopt;
}

Words without(Words words, std::span<const std::string_view> first) {
  while (!words.empty() && one_of(words.front().text, first)) words = words.subspan(1);
  return words;
}

Period plain_period(Words words, sys_days today) {
  words = without(words, kBefore);
  if (words.empty()) return std::nullopt;
  const Period relative = relative_period(words, today);
  return relative ? relative : calendar_period(words, today);
}

}  // namespace

std::optional<NamedPeriod> named_period(std::span<const PlacedWord> words, std::chrono::sys_days today) {
  if (words.empty()) return std::nullopt;
  const std::string_view first = words.front().text;
  const bool since = one_of(first, kSince);
  const bool until = one_of(first, kUntil);
  const bool after = one_of(first, kAfter);
  if (!since && !until && !after) return plain_period(words, today);
  const Period period = plain_period(words.subspan(1), today);
  if (!period) return std::nullopt;
  if (since) return NamedPeriod{period->since, std::nullopt};
  if (until) return NamedPeriod{std::nullopt, period->since};
  return period->before ? NamedPeriod{period->before, std::nullopt} : Period();
}

}  // namespace mneme::rag
