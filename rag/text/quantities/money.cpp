#include "rag/text/quantities/money.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/ascii.h"
#include "rag/text/languages/language_facts.h"
#include "rag/text/quantities/numbers.h"
#include "rag/text/words/phrases.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kRentWithin = 3;  // words from the number: "two months of rent"

// "two months' rent", "drei Kaltmieten".
bool counts_rents(std::string_view sentence) {
  static const std::unordered_set<std::string> kRents = words_of_all(&LanguageFacts::rents);
  static const std::vector<std::string_view> kBehindNumber = phrases_of_all(&LanguageFacts::rents_behind_number);
  for (const std::string_view rent : kBehindNumber) {
    if (sentence.find(rent) != std::string_view::npos) return true;
  }
  size_t since = kRentWithin + 1;
  WordScanner scanner(sentence);
  for (Word word; scanner.next(word); ++since) {
    if (is_number(word.text)) since = 0;
    if (since > 0 && since <= kRentWithin && kRents.contains(std::string(word.text))) return true;
  }
  return false;
}

bool parts_digits(char c) {
  return c == '.' || c == ',';
}

// "54,90", "1.124,60": one sign before the last two digits, and groups of three before it.
bool is_amount(std::string_view number) {
  if (number.size() < 4 || !parts_digits(number[number.size() - 3])) return false;
  const std::string_view whole = number.substr(0, number.size() - 3);
  const size_t sign = whole.find_first_of(".,");
  if (sign == std::string_view::npos) return true;
  if (whole[sign] == number[number.size() - 3]) return false;  // "22.04.26"
  for (size_t at = sign; at < whole.size(); at += 4) {
    if (whole[at] != whole[sign] || at + 4 > whole.size()) return false;
    if (whole.substr(at + 1, 3).find_first_of(".,") != std::string_view::npos) return false;
  }
  return true;
}

// What ends a cell or a line, or a sign that bills set behind sums; "2.14 m" is a length.
bool ends_amount(std::string_view behind) {
  if (behind.empty() || behind.front() == '\n' || behind.front() == ';' || behind.front() == '|') return true;
  constexpr std::string_view kSharing[] = {" each", " a ",      " per ", " once", " plus ",
                                           " net",  " instead", " pro ", " je ",  " im "};
  if (std::any_of(std::begin(kSharing), std::end(kSharing), [&](auto word) { return behind.starts_with(word); }))
    return true;
  const size_t next = behind.find_first_not_of(' ');
  return next == std::string_view::npos || behind.starts_with("  ") || behind[next] == '|' || behind[next] == '\n';
}

constexpr std::string_view kCurrencySigns[] = {"$", "€", "£", "¥", "₹", "₽", "₩", "円", "元", "원", "₺", "￥", "块钱"};

constexpr size_t kBesideSum = 8;  // bytes, before or behind a number, that may say which money it is
constexpr size_t kCents = 2;

// "18,400" of "18,400 €": as much as digits and what parts them reach.
std::string_view number_at(std::string_view text, size_t begin) {
  size_t end = begin;
  while (end < text.size() && (is_digit(text[end]) || text[end] == ',' || text[end] == '.' || text[end] == '\'')) ++end;
  while (!is_digit(text[end - 1])) --end;
  return text.substr(begin, end - begin);
}

bool has_cents(std::string_view number) {
  const size_t sign = number.find_last_of(",.");
  return sign != std::string_view::npos && number.size() - sign - 1 == kCents;
}

// Every sign but that before cents parts thousands.
double value_of(std::string_view number) {
  double value = 0.0;
  for (const char c : number) value = is_digit(c) ? value * 10.0 + (c - '0') : value;
  return has_cents(number) ? value / 100.0 : value;
}

}  // namespace

bool says_money(std::string_view unit) {
  const bool sign = std::any_of(std::begin(kCurrencySigns), std::end(kCurrencySigns), [&](std::string_view currency) {
    return unit.find(currency) != std::string_view::npos;
  });
  static const FoldedPhrases kFolded{phrases_of_all(&LanguageFacts::currencies)};
  return sign || kFolded.any_in(" " + folded_text(unit) + " ");
}

bool holds_amount(std::string_view sentence) {
  for (size_t at = 0; at < sentence.size();) {
    const size_t begin = sentence.find_first_of("0123456789", at);
    if (begin == std::string_view::npos) return false;
    at = begin;
    while (at < sentence.size() && (is_digit(sentence[at]) || parts_digits(sentence[at]))) ++at;
    const bool alone = begin == 0 || !is_letter(sentence[begin - 1]);
    if (alone && is_amount(sentence.substr(begin, at - begin)) && ends_amount(sentence.substr(at))) return true;
  }
  return false;
}

bool says_share(std::string_view sentence) {
  static const FoldedPhrases kFolded{phrases_of_all(&LanguageFacts::percent)};
  return sentence.find('%') != std::string_view::npos || sentence.find("％") != std::string_view::npos ||
         kFolded.any_in(" " + folded_text(sentence) + " ");
}

bool says_price_in_words(std::string_view sentence) {
  static const FoldedPhrases kFolded{phrases_of_all(&LanguageFacts::free_of_charge)};
  return counts_rents(sentence) || kFolded.any_in(" " + folded_text(sentence) + " ");
}

std::optional<double> sum_in(std::string_view text) {
  constexpr std::string_view kBorders = "0123456789;";  // "9 kW; 18,400": what stands behind one is of another number
  for (size_t at = text.find_first_of("0123456789"); at != std::string_view::npos;) {
    const std::string_view number = number_at(text, at);
    const size_t end = at + number.size();
    std::string_view before = text.substr(at - std::min(at, kBesideSum), std::min(at, kBesideSum));
    before = before.substr(before.find_last_of(kBorders) + 1);  // all of it where there is none
    std::string_view behind = text.substr(end, kBesideSum);
    behind = behind.substr(0, behind.find_first_of(kBorders));
    if (says_money(behind) || says_money(before) || has_cents(number)) return value_of(number);
    at = text.find_first_of("0123456789", end);
  }
  return std::nullopt;
}

}  // namespace mneme::rag
