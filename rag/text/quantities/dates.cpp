#include "rag/text/quantities/dates.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "rag/text/languages/language.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/quantities/numbers.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

std::vector<std::string_view> month_names() {
  std::vector<std::string_view> names = phrases_of_all(&LanguageFacts::other_dates);
  for (const LanguageFacts* facts : all_languages()) {
    for (const MonthNames& month : facts->months)
      for_each_part(month.names, " ", [&](std::string_view name) { names.push_back(name); });
  }
  return names;
}

struct TimeWords {
  FoldedPhrases months{month_names()};
  FoldedPhrases months_beside_numbers{phrases_of_all(&LanguageFacts::months_beside_numbers)};
  FoldedPhrases weekdays{phrases_of_all(&LanguageFacts::weekdays)};
  FoldedPhrases wide_days{phrases_of_all(&LanguageFacts::day_marks)};
  FoldedPhrases recurring{phrases_of_all(&LanguageFacts::recurring_days)};
  FoldedPhrases units{phrases_of_all(&LanguageFacts::time_units)};
  FoldedPhrases within{phrases_of_all(&LanguageFacts::within)};
  FoldedPhrases often{phrases_of_all(&LanguageFacts::often)};
  FoldedPhrases until{phrases_of_all(&LanguageFacts::until)};
  FoldedPhrases ask_until{phrases_of_all(&LanguageFacts::asking_deadline)};
  FoldedPhrases ask_hour{phrases_of_all(&LanguageFacts::asking_hour)};
};

const TimeWords& words() {
  static const TimeWords kWords;
  return kWords;
}

size_t digits_at(std::string_view text, size_t at) {
  size_t n = 0;
  while (at + n < text.size() && is_digit(text[at + n])) ++n;
  return n;
}

// A number of four digits that stands by itself and can be a year: "1953", not "RFC 3107" or "pep-0008".
bool has_year(std::string_view sentence) {
  for (size_t at = 0; at < sentence.size();) {
    const size_t n = digits_at(sentence, at);
    if (n == 4 && (sentence[at] == '1' || sentence.substr(at, 2) == "20")) return true;
    at += std::max<size_t>(n, 1);
  }
  return false;
}

// "the 3rd of each month", "on the 12th".
bool has_day_of_month(const std::string& folded) {
  for (const std::string_view ending : {"st ", "nd ", "rd ", "th "}) {
    for (size_t at = folded.find(ending); at != std::string::npos; at = folded.find(ending, at + 1)) {
      const size_t first = folded.find_last_not_of("0123456789", at - 1) + 1;
      const std::string_view behind = std::string_view(folded).substr(at + ending.size());
      if (at - first >= 1 && at - first <= 2 &&
          (behind.empty() || behind.starts_with("of ") || behind.starts_with("day")))
        return true;
    }
  }
  return false;
}

// "20.2.", "3/14": day and month, parted by the same sign that ends or begins no longer number.
bool has_day_and_month(std::string_view sentence) {
  for (size_t at = 0; at < sentence.size();) {
    const size_t first = digits_at(sentence, at);
    const size_t sign = at + first;
    const bool parted =
        first >= 1 && first <= 2 && sign < sentence.size() && (sentence[sign] == '.' || sentence[sign] == '/');
    const size_t second = parted ? digits_at(sentence, sign + 1) : 0;
    const size_t behind = sign + 1 + second;
    const bool dotted = parted && sentence[sign] == '.' && behind < sentence.size() && sentence[behind] == '.';
    const bool slashed = parted && sentence[sign] == '/' && (behind >= sentence.size() || !is_letter(sentence[behind]));
    if (second >= 1 && second <= 2 && (dotted || slashed)) return true;
    at = std::max(at + 1, at + first);
  }
  return false;
}

// "klo 8", "saat 08.30", "klockan 22".
bool has_named_hour(std::string_view sentence) {
  static const std::unordered_set<std::string> kBefore = words_of_all(&LanguageFacts::before_hour);
  bool named = false;
  WordScanner scanner(sentence);
  for (Word word; scanner.next(word);) {
    if (named && is_digit(word.text.front()) && word.text.size() <= 2) return true;
    named = kBefore.contains(std::string(word.text));
  }
  return false;
}

// "6 h 40", "18h", "8 Uhr", "20 heures", "7時50分", "9点".
bool has_hour(std::string_view sentence) {
  static const std::vector<std::string_view> kHours = [] {
    std::vector<std::string_view> hours = phrases_of_all(&LanguageFacts::hours);
    for (const std::string_view hour : {"h", "Uhr", "heures", "horas", "ore", "uur", "часов", "часа", "時", "点", "點"})
      hours.push_back(hour);
    return hours;
  }();
  for (size_t at = 0; at < sentence.size();) {
    const size_t n = digits_at(sentence, at);
    at += n;
    if (n == 1 || n == 2) {
      const std::string_view behind = sentence.substr(at + (sentence.substr(at).starts_with(' ') ? 1 : 0));
      const bool hour = std::any_of(std::begin(kHours), std::end(kHours), [&](std::string_view name) {
        const std::string_view rest = behind.substr(std::min(name.size(), behind.size()));
        if (!behind.starts_with(name) || rest.starts_with("間") || rest.starts_with("간")) return false;
        return name != "h" || behind.size() == 1 || !is_letter(behind[1]);
      });
      if (hour) return true;
    }
    at += n == 0 ? 1 : 0;
  }
  return false;
}

// "2025年", "昭和36年"; "2年1組" is a class.
bool has_wide_year(std::string_view folded) {
  constexpr std::string_view kYear = "年";
  for (size_t at = folded.find(kYear); at != std::string_view::npos; at = folded.find(kYear, at + 1)) {
    if (at >= 2 && is_digit(folded[at - 1]) && is_digit(folded[at - 2])) return true;
  }
  return false;
}

// "3월 12일", "매월 5일": 월세 and 일 alone are words like others.
bool has_korean_day(std::string_view sentence) {
  for (const std::string_view mark : {"월", "일"}) {
    for (size_t at = sentence.find(mark); at != std::string_view::npos; at = sentence.find(mark, at + 1)) {
      if (at > 0 && is_digit(sentence[at - 1])) return true;
    }
  }
  return false;
}

// "18:15".
bool has_clock_time(std::string_view sentence) {
  const size_t colon = sentence.find(':');
  return colon != std::string_view::npos && colon > 0 && is_digit(sentence[colon - 1]) &&
         digits_at(sentence, colon + 1) > 0;
}

// "15分", "30天": a number at once before a unit of time, and no time of day or date.
bool says_wide_time(std::string_view sentence) {
  constexpr std::string_view kWideUnits[] = {"分",   "秒",   "日", "天", "年",   "時間", "小时", "か月",
                                             "ヶ月", "个月", "분", "초", "시간", "개월", "주일"};
  constexpr std::string_view kOfDates[] = {"時", "点", "點", "月", "年", "시 ", ":"};
  constexpr size_t kYear = 4;  // digits
  const auto is_lasting = [&](size_t unit) {
    const size_t first = sentence.find_last_not_of("0123456789", unit - 1) + 1;  // npos + 1 is 0
    const std::string_view before = sentence.substr(0, first);
    return first < unit && unit - first < kYear &&
           std::none_of(std::begin(kOfDates), std::end(kOfDates), [&](auto mark) { return before.ends_with(mark); });
  };
  for (const std::string_view unit : kWideUnits) {
    for (size_t at = sentence.find(unit); at != std::string_view::npos; at = sentence.find(unit, at + 1)) {
      if (at > 0 && is_lasting(at)) return true;
    }
  }
  return false;
}

}  // namespace

bool has_date(std::string_view sentence, const std::string& folded) {
  const TimeWords& known = words();
  if (has_clock_time(sentence) || has_year(sentence) || has_day_of_month(folded) || has_day_and_month(sentence)) {
    return true;
  }
  if (known.months.any_in(folded) || known.weekdays.any_in(folded) || known.recurring.any_in(folded)) return true;
  if (known.within.any_in(folded) && known.units.any_in(folded) && has_number(sentence)) return true;
  if (!has_digits(sentence)) return false;
  return known.wide_days.any_in(folded) || has_wide_year(folded) || known.months_beside_numbers.any_in(folded) ||
         has_hour(sentence) || has_named_hour(sentence) || has_korean_day(sentence);
}

bool asks_deadline(std::string_view question) {
  return words().ask_until.any_in(" " + folded_text(question) + " ");
}

bool asks_hour(std::string_view question) {
  return words().ask_hour.any_in(" " + folded_text(question) + " ");
}

bool has_time_of_day(std::string_view sentence) {
  constexpr std::string_view kAtHour = "الساعة";  // and the hour in words
  return has_clock_time(sentence) || has_hour(sentence) || has_named_hour(sentence) ||
         sentence.find(kAtHour) != std::string_view::npos;
}

bool sets_deadline(std::string_view sentence, const std::string& folded) {
  const TimeWords& known = words();
  static const PhrasesOfLanguages kOwn(&LanguageFacts::own_until);
  if (!known.until.any_in(folded) && !kOwn.of(language_of(sentence)).any_in(folded)) return false;
  return has_date(sentence, folded) || (has_number(sentence) && known.units.any_in(folded));
}

bool is_time_word(std::string_view folded_word) {
  return words().months.holds(folded_word) || words().weekdays.holds(folded_word);
}

bool has_time_unit(std::string_view folded) {
  return words().units.any_in(folded);
}

bool says_short_time(std::string_view sentence) {
  if (says_wide_time(sentence)) return true;
  constexpr std::string_view kSigns[] = {"s", "ms", "us", "ns", "h", "hrs", "sec", "secs", "sek"};
  constexpr std::string_view kOne[] = {"eine", "einen", "einem", "einer", "ein"};
  // "1000 IU a day", "twice an hour": how often, not how long.
  constexpr std::string_view kLasting[] = {"for",   "within", "after", "about",  "takes",  "take", "lasts",
                                           "last",  "than",   "over",  "under",  "of",     "half", "around",
                                           "least", "most",   "to",    "nearly", "roughly"};
  constexpr std::string_view kSome[] = {"few", "several", "couple", "some", "einige", "paar", "mehrere"};
  std::string before_last;
  std::string last;
  size_t last_end = 0;
  WordScanner scanner(sentence);
  for (Word word; scanner.next(word);) {
    const size_t n_digits = std::min(word.text.find_first_not_of("0123456789"), word.text.size());
    if (n_digits > 0 && one_of(word.text.substr(n_digits), kSigns)) return true;
    const bool behind_number = !last.empty() && is_digit(last.front()) && sentence.substr(last_end).starts_with(' ');
    if (behind_number && one_of(word.text, kSigns)) return true;
    const bool one = one_of(last, kOne) || ((last == "a" || last == "an") && one_of(before_last, kLasting));
    const bool some = one_of(last, kSome) || (last == "of" && one_of(before_last, kSome));
    if ((one || some) && has_time_unit(" " + std::string(word.text) + " ")) return true;
    if (word.text == "overnight") return true;
    before_last = std::exchange(last, std::string(word.text));
    last_end = word.byte_end;
  }
  return false;
}

bool says_how_often(std::string_view folded) {
  return words().often.any_in(folded);
}

}  // namespace mneme::rag
