#include "rag/text/quantities/named_period.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "rag/text/languages/language_facts.h"
#include "rag/text/quantities/month_names.h"
#include "rag/text/quantities/period_spans.h"
#include "rag/text/words/word_sequences.h"

namespace mneme::rag {

namespace {

using std::chrono::days;
using std::chrono::sys_days;
using std::chrono::year;
using std::chrono::year_month_day;
using Words = std::span<const PlacedWord>;
using Period = std::optional<NamedPeriod>;

constexpr int kOldestYear = 1000;
constexpr int kLastYear = 2200;

// Phrases for one of the units, so many of them earlier than today.
struct Phrases {
  WordSequences phrases;
  PeriodUnit unit;
  int earlier;
};

// PeriodWords, folded.
struct PeriodVocabulary {
  explicit PeriodVocabulary(const PeriodWords& words);

  std::vector<Phrases> phrases;
  std::array<std::pair<WordSequences, PeriodUnit>, 4> units;
  WordSequences current, past, around, since, until, after, years;
  std::vector<std::string> numbers;     // of one and up
  std::vector<WordSequences> weekdays;  // Monday and on
};

PeriodVocabulary::PeriodVocabulary(const PeriodWords& words)
    : phrases{{{words.today, ", "}, PeriodUnit::kDay, 0},        {{words.yesterday, ", "}, PeriodUnit::kDay, 1},
              {{words.this_week, ", "}, PeriodUnit::kWeek, 0},   {{words.last_week, ", "}, PeriodUnit::kWeek, 1},
              {{words.this_month, ", "}, PeriodUnit::kMonth, 0}, {{words.last_month, ", "}, PeriodUnit::kMonth, 1},
              {{words.this_year, ", "}, PeriodUnit::kYear, 0},   {{words.last_year, ", "}, PeriodUnit::kYear, 1}},
      units{{{{words.days, " "}, PeriodUnit::kDay},
             {{words.weeks, " "}, PeriodUnit::kWeek},
             {{words.months, " "}, PeriodUnit::kMonth},
             {{words.years, " "}, PeriodUnit::kYear}}},
      current(words.current, " "),
      past(words.past, " "),
      around(words.around, " "),
      since(words.since, " "),
      until(words.until, " "),
      after(words.after, " "),
      years(words.years, " "),
      numbers(folded_words(words.numbers)) {
  for_each_part(words.weekdays, ", ", [&](std::string_view day) { weekdays.emplace_back(day, " "); });
}

const PeriodVocabulary& periods_of(Language language) {
  static const std::map<Language, PeriodVocabulary> kAll = [] {
    std::map<Language, PeriodVocabulary> all;
    for (const LanguageFacts* facts : all_languages()) all.emplace(facts->language, PeriodVocabulary(facts->periods));
    all.emplace(Language::kUnknown, PeriodVocabulary(PeriodWords{}));
    return all;
  }();
  return kAll.at(language);
}

std::optional<int> number_in(std::string_view word, int least, int most) {
  int n = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
  if (error != std::errc() || end != word.data() + word.size() || n < least || n > most) return std::nullopt;
  return n;
}

std::optional<int> year_in(std::string_view word) {
  return word.size() == 4 ? number_in(word, kOldestYear, kLastYear) : std::nullopt;
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
  if (!m) return y && !d ? Period(of_year(*y)) : std::nullopt;
  if (!y && !d) return last_begun(*m, today);
  if (!y) y = static_cast<int>(year_month_day(*last_begun(*m, today).since).year());
  if (d) return of_day(*y, *m, *d);
  return of_month(year(*y) / *m);
}

std::optional<PeriodUnit> unit_in(std::string_view word, const PeriodVocabulary& v) {
  for (const auto& [words, unit] : v.units) {
    if (words.has(word)) return unit;
  }
  return std::nullopt;
}

int place_among(const std::vector<std::string>& numbers, std::string_view word) {
  const auto at = std::find(numbers.begin(), numbers.end(), word);
  return at == numbers.end() ? 0 : static_cast<int>(at - numbers.begin()) + 1;
}

std::optional<int> count_in(std::string_view word, const PeriodVocabulary& v) {
  const int named = place_among(v.numbers, word);
  return named > 0 ? named : number_in(word, 1, 999);
}

// "On Monday": the last one.
Period weekday_period(const PlacedWord& word, sys_days today, const PeriodVocabulary& v) {
  for (size_t i = 0; i < v.weekdays.size(); ++i) {
    if (!v.weekdays[i].has(word.text)) continue;
    const std::chrono::weekday wanted(static_cast<unsigned>(i + 1));
    return holding(PeriodUnit::kDay, today - (std::chrono::weekday(today) - wanted), 0);
  }
  return std::nullopt;
}

// "This week", "semana pasada".
Period beside_unit(const PlacedWord& word, const PlacedWord& unit, sys_days today, const PeriodVocabulary& v) {
  const std::optional<PeriodUnit> named = unit_in(unit.text, v);
  if (!named) return std::nullopt;
  if (v.current.has(word.text)) return holding(*named, today, 0);
  if (v.past.has(word.text)) return holding(*named, today, 1);
  return std::nullopt;
}

// "Last three months", "los últimos tres meses".
Period several_units(Words words, sys_days today, const PeriodVocabulary& v) {
  const std::optional<PeriodUnit> unit = unit_in(words[2].text, v);
  const std::optional<int> n = count_in(words[v.past.has(words[0].text) ? 1 : 0].text, v);
  const bool is_past = v.past.has(words[0].text) || v.past.has(words[1].text);
  return unit && n && is_past ? Period(so_long(*unit, *n, today)) : std::nullopt;
}

// "Today", "this week", "last three months".
Period relative_period(Words words, sys_days today, const PeriodVocabulary& v) {
  for (const Phrases& one : v.phrases) {
    if (one.phrases.is_whole(words)) return holding(one.unit, today, one.earlier);
  }
  if (words.size() == 1) return weekday_period(words[0], today, v);
  if (words.size() == 2) {
    const Period before = beside_unit(words[0], words[1], today, v);
    return before ? before : beside_unit(words[1], words[0], today, v);
  }
  return words.size() == 3 ? several_units(words, today, v) : std::nullopt;
}

// "El año 2025", "2025 roku".
Words without_year_word(Words words, const PeriodVocabulary& v) {
  if (words.size() < 2) return words;
  if (v.years.has(words.front().text) && year_in(words[1].text)) return words.subspan(1);
  if (v.years.has(words.back().text) && year_in(words[words.size() - 2].text)) return words.first(words.size() - 1);
  return words;
}

Period plain_period(Words words, sys_days today, const PeriodVocabulary& v) {
  // Before anything is taken off: "i fjor".
  for (Words rest = words; !rest.empty(); rest = rest.subspan(1)) {
    if (const Period relative = relative_period(rest, today, v)) return relative;
    if (!v.around.has(rest.front().text)) break;
  }
  words = without_back(without_front(words, v.around), v.around);
  if (words.empty()) return std::nullopt;
  const Period relative = relative_period(words, today, v);
  return relative ? relative : calendar_period(without_year_word(words, v), today);
}

enum class Bound { kNone, kSince, kUntil, kAfter };

Bound bound_of(const PlacedWord& word, const PeriodVocabulary& v) {
  if (v.since.has(word.text)) return Bound::kSince;
  if (v.until.has(word.text)) return Bound::kUntil;
  return v.after.has(word.text) ? Bound::kAfter : Bound::kNone;
}

Period bounded(const Period& period, Bound bound) {
  if (!period || bound == Bound::kNone) return period;
  if (bound == Bound::kSince) return NamedPeriod{period->since, std::nullopt};
  if (bound == Bound::kUntil) return NamedPeriod{std::nullopt, period->since};
  return period->before ? NamedPeriod{period->before, std::nullopt} : Period();
}

}  // namespace

std::optional<NamedPeriod> named_period(std::span<const PlacedWord> words, std::chrono::sys_days today,
                                        Language language) {
  if (words.empty()) return std::nullopt;
  const PeriodVocabulary& v = periods_of(language);
  if (const Period whole = plain_period(words, today, v)) return whole;  // "dal 2025" may be "of 2025", too
  if (const Bound first = bound_of(words.front(), v); first != Bound::kNone)
    return bounded(plain_period(words.subspan(1), today, v), first);
  const Bound last = bound_of(words.back(), v);  // "2024'ten önce"
  return last == Bound::kNone ? Period() : bounded(plain_period(words.first(words.size() - 1), today, v), last);
}

int number_called(std::string_view folded, Language language) {
  return place_among(periods_of(language).numbers, folded);
}

}  // namespace mneme::rag
