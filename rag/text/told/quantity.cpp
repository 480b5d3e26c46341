#include "rag/text/told/quantity.h"

#include "base/ascii.h"
#include "rag/text/asked/quantity.h"
#include "rag/text/languages/stop_words.h"
#include "rag/text/quantities/dates.h"
#include "rag/text/quantities/money.h"
#include "rag/text/quantities/numbers.h"
#include "rag/text/quantities/physical_units.h"
#include "rag/text/variants/word_forms.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr double kOtherUnit = 0.5;  // a number of something else than what is counted
constexpr double kMoneyForUnit = 0.25;
constexpr size_t kNameDigits = 6;     // a longer number in one piece names something: an invoice, a meter
constexpr size_t kCountedWithin = 3;  // words from the number to what it counts

// At once behind a number: "10km", "三人".
bool stands_behind_number(std::string_view sentence, std::string_view unit) {
  for (size_t at = sentence.find(unit); at != std::string_view::npos; at = sentence.find(unit, at + 1)) {
    const std::string_view before = sentence.substr(0, at);
    const size_t last = before.find_last_not_of(' ');
    if (last != std::string_view::npos && before[last] >= '0' && before[last] <= '9') return true;
    if (ends_with_wide_number(before)) return true;
  }
  return false;
}

// A number, and behind it what is counted: at once, or within a few words ("three old piers").
bool counts(std::string_view sentence, std::string_view unit) {
  constexpr std::string_view kJoining[] = {"and", "or", "und", "oder"};  // "200 strong and irregular verbs"
  if (stands_behind_number(sentence, unit)) return true;
  size_t since = kCountedWithin + 1;
  WordScanner scanner(sentence);
  for (Word word; scanner.next(word); ++since) {
    if (is_number(word.text)) {
      since = 0;
    } else if (one_of(word.text, kJoining) && since > 0) {
      --since;
    } else if (is_stop_word(word.text)) {
      since = kCountedWithin;  // "in 1873 with its piers" counts no piers
    }
    const std::string stem = stem_of(word.text);
    if (since > 0 && since <= kCountedWithin && (stem == unit || is_form(unit, stem))) return true;
  }
  return false;
}

bool holds_money(std::string_view sentence) {
  return has_digits(sentence) && says_money(sentence);
}

// Of "XXH3-128" and "E-4471902" the digits are part of a name: letters begin what they stand in.
bool is_part_of_name(std::string_view sentence, size_t digit) {
  const auto joins = [](char c) { return is_digit(c) || is_letter(c) || c == '-'; };
  size_t begin = digit;
  while (begin > 0 && joins(sentence[begin - 1])) --begin;
  while (sentence[begin] == '-') ++begin;
  return is_letter(sentence[begin]);
}

// "Invoice no. 417", "Kundennummer: 20318": called a number, it counts nothing.
bool is_called_number(std::string_view sentence, size_t digit) {
  constexpr std::string_view kCalled[] = {"nr",     "nummer", "number",  "numero",   "num",      "id",
                                          "номер",  "art",    "artikel", "articolo", "articulo", "artigo",
                                          "clanek", "cikk",   "madde",   "стаття",   "статья"};
  constexpr size_t kMostSigns = 3;  // between the two: ". #"
  std::string_view before = sentence.substr(0, digit);
  const size_t last = before.find_last_not_of(" .:#\t");
  if (last == std::string_view::npos || digit - last > kMostSigns + 1) return false;
  const bool dotted = sentence[last + 1] == '.' || sentence[last + 1] == ':';  // at most the digit itself
  before = before.substr(0, last + 1);
  if (before.ends_with("§")) return true;
  const size_t begin = before.find_last_of(" \t\n(|-") + 1;  // npos + 1 is 0
  const std::string word = folded_text(before.substr(begin));
  return one_of(word, kCalled) || word.ends_with("nummer") || (dotted && word == "no");
}

// "Invoice no. E-4471902": all its numbers are names.
bool holds_only_names(std::string_view sentence) {
  bool names = false;
  bool called = false;  // "no. 2026-0417" is one name
  for (size_t at = 0; at < sentence.size();) {
    const size_t begin = at;
    while (at < sentence.size() && is_digit(sentence[at])) ++at;
    if (at == begin) {
      called = called && names && (sentence[at] == '-' || sentence[at] == '/');
      ++at;
      continue;
    }
    called = called || is_called_number(sentence, begin);
    if (at - begin <= kNameDigits && !is_part_of_name(sentence, begin) && !called) return false;
    names = true;
  }
  return names;
}

// "born 11 May 1984", "aged 42", "3 Jahre alt": a number beside a word of ages, or so many years; "in six weeks" is no
// age.
bool tells_age(std::string_view sentence) {
  constexpr std::string_view kOfAges[] = {"born",  "birth",      "birthday",    "age",     "aged",   "old",
                                          "built", "founded",    "since",       "geboren", "geb",    "alt",
                                          "alter", "jahriger",   "jahrige",     "jahrig",  "gebaut", "gegrundet",
                                          "seit",  "geburtstag", "geburtsdatum"};
  constexpr std::string_view kTimes[] = {"year", "years", "month",  "months", "week",    "weeks",  "day",  "days",
                                         "jahr", "jahre", "jahren", "monate", "monaten", "wochen", "tage", "tagen"};
  constexpr std::string_view kOther[] = {"in",   "within", "every",  "after",    "per",
                                         "alle", "nach",   "binnen", "innerhalb"};
  constexpr size_t kWithin = 3;  // words: "in about six weeks"
  size_t since_other = kWithin + 1;
  WordScanner scanner(sentence);
  for (Word word; scanner.next(word); ++since_other) {
    if (one_of(word.text, kOther)) since_other = 0;
    if (one_of(word.text, kOfAges) || (one_of(word.text, kTimes) && since_other > kWithin)) return true;
  }
  return false;
}

}  // namespace

double counting_cue(std::string_view sentence, std::string_view unit) {
  const bool in_words = unit == kMoney && says_price_in_words(sentence);  // "free for children" is a price
  if (!has_number(sentence)) return in_words ? kOtherUnit : 0.0;
  if (unit == kAge) return tells_age(sentence) ? 1.0 : 0.0;
  if (is_physical(unit)) return physical_cue(sentence, unit);
  if (unit == kMoney) return holds_money(sentence) ? 1.0 : holds_only_names(sentence) ? 0.0 : kOtherUnit;
  if (unit.empty()) return holds_only_names(sentence) ? kOtherUnit : 1.0;
  if (counts(sentence, unit)) return 1.0;
  if (holds_only_names(sentence)) return 0.0;
  return holds_money(sentence) ? kMoneyForUnit : kOtherUnit;  // how much water it was, not what it cost
}

bool counts_only_others(std::string_view sentence) {
  constexpr std::string_view kComparing[] = {"more", "less", "fewer"};  // "twelve more than last year"
  bool counted = false;
  bool behind_month = false;                   // "May 3" counts nothing, nor does "13. Oktober"
  size_t number_end = std::string_view::npos;  // of a number before which nothing counted stands so far
  WordScanner scanner(sentence);
  for (Word word; scanner.next(word);) {
    if (word.pair) return false;
    const bool behind = number_end != std::string_view::npos;
    const bool decimals = behind && is_number(word.text) && word.byte_begin == number_end + 1 &&
                          (sentence[number_end] == '.' || sentence[number_end] == ',');
    if (decimals) {
      number_end = word.byte_end;
      continue;
    }
    const bool month = is_time_word(word.text);
    const bool bare = word.byte_begin != number_end + 1 || is_number(word.text) ||
                      (is_stop_word(word.text) && !one_of(word.text, kComparing));
    if (behind && bare && !month) return false;
    counted |= behind || (behind_month && is_number(word.text));
    number_end = is_number(word.text) && !behind_month ? word.byte_end : std::string_view::npos;
    behind_month = month;
  }
  return counted && number_end == std::string_view::npos;
}

}  // namespace mneme::rag
