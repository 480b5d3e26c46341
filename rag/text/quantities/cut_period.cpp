#include "rag/text/quantities/cut_period.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "rag/text/languages/language_facts.h"
#include "rag/text/quantities/period_spans.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

using std::chrono::sys_days;

constexpr std::string_view kDigits = "0123456789";

struct Phrases {
  std::string_view phrases;
  PeriodUnit unit;
  int earlier;
};

std::optional<NamedPeriod> cut_phrase(std::string& text, sys_days today, const PeriodWords& words) {
  for (const Phrases& one :
       {Phrases{words.today, PeriodUnit::kDay, 0}, Phrases{words.yesterday, PeriodUnit::kDay, 1},
        Phrases{words.this_week, PeriodUnit::kWeek, 0}, Phrases{words.last_week, PeriodUnit::kWeek, 1},
        Phrases{words.this_month, PeriodUnit::kMonth, 0}, Phrases{words.last_month, PeriodUnit::kMonth, 1},
        Phrases{words.this_year, PeriodUnit::kYear, 0}, Phrases{words.last_year, PeriodUnit::kYear, 1}}) {
    std::string longest;
    for_each_part(one.phrases, ", ", [&](std::string_view phrase) {
      std::string folded = folded_text(phrase);
      if (folded.size() > longest.size() && text.find(folded) != std::string::npos) longest = std::move(folded);
    });
    if (longest.empty()) continue;
    text.replace(text.find(longest), longest.size(), " ");
    return holding(one.unit, today, one.earlier);
  }
  return std::nullopt;
}

// A number before the word for a unit, behind `begin`, with or without a space between; `end` moves behind both.
std::optional<int> number_before(std::string_view text, std::string_view unit, size_t begin, size_t& end) {
  if (unit.empty() || begin >= text.size() || kDigits.find(text[begin]) == std::string_view::npos) return std::nullopt;
  const size_t behind = std::min(text.find_first_not_of(kDigits, begin), text.size());
  const size_t at = std::min(text.find_first_not_of(' ', behind), text.size());
  int n = 0;
  const auto [stop, error] = std::from_chars(text.data() + begin, text.data() + behind, n);
  if (error != std::errc() || !text.substr(at).starts_with(unit)) return std::nullopt;
  end = std::min(text.find_first_not_of(' ', at + unit.size()), text.size());
  return n;
}

// 2025年, 2025年3月, 2025年3月14日.
std::optional<NamedPeriod> cut_date(std::string& text, const PeriodWords& words) {
  const size_t begin = text.find_first_of(kDigits);
  if (begin == std::string::npos) return std::nullopt;
  size_t end = 0;
  const std::optional<int> y = number_before(text, words.years, begin, end);
  if (!y || *y < 1000 || *y > 2200) return std::nullopt;
  std::optional<NamedPeriod> period = of_year(*y);
  if (const std::optional<int> m = number_before(text, words.months, end, end); m && *m >= 1 && *m <= 12) {
    const std::optional<int> d = number_before(text, words.days, end, end);
    period = d ? of_day(*y, *m, *d) : of_month(std::chrono::year(*y) / *m);
  }
  if (period) text.replace(begin, end - begin, " ");
  return period;
}

// Cuts one of these words, if one stands there.
bool cut_word(std::string& text, std::string_view list) {
  std::string found;
  for_each_part(list, " ", [&](std::string_view word) {
    if (found.empty() && text.find(word) != std::string::npos) found = word;
  });
  if (!found.empty()) text.replace(text.find(found), found.size(), " ");
  return !found.empty();
}

}  // namespace

std::optional<NamedPeriod> cut_period(std::string& folded, sys_days today, Language language) {
  const PeriodWords& words = facts_of(language).periods;
  std::optional<NamedPeriod> period = cut_date(folded, words);
  if (!period) period = cut_phrase(folded, today, words);
  if (!period) return period;
  if (cut_word(folded, words.until)) return NamedPeriod{std::nullopt, period->since};
  if (cut_word(folded, words.since)) return NamedPeriod{period->since, std::nullopt};
  return period;
}

}  // namespace mneme::rag
