#include "rag/text/documents/paper_numbers.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "base/ascii.h"
#include "rag/text/quantities/money.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

constexpr size_t kLeastDigits = 5;
constexpr size_t kLeastJoinedDigits = 6;
constexpr size_t kLongestSingular = 4;  // "its", "plus": an "s" behind more is a plural's
constexpr std::string_view kUnits[] = {
    "km",         "m",          "cm",     "mm",        "mi",       "ft",      "kg",  "g",     "mg",     "t",
    "l",          "ml",         "kwh",    "wh",        "w",        "kw",      "mw",  "v",     "hz",     "khz",
    "mhz",        "ghz",        "k",      "b",         "kb",       "mb",      "gb",  "tb",    "mah",    "lb",
    "lbs",        "oz",         "mbit",   "rpm",       "s",        "ms",      "h",   "hours", "people", "men",
    "women",      "steps",      "meter",  "kilometer", "schritte", "stunden", "mal", "metre", "meters", "metres",
    "kilometres", "kilometers", "litres", "liters",    "einwohner"};

bool is_joint(char c) {
  return c == '-' || c == '/';
}

bool is_year(std::string_view digits) {
  if (digits.size() != 4) return false;
  int year = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), year);
  return year >= 1000 && year <= 2100;
}

std::vector<std::string_view> groups_of(std::string_view number) {
  std::vector<std::string_view> groups;
  while (!number.empty()) {
    const size_t end = std::min(number.find_first_of("-/"), number.size());
    groups.push_back(number.substr(0, end));
    number.remove_prefix(std::min(end + 1, number.size()));
  }
  return groups;
}

// "2026-04-17", "17/04/26", "04/2026", "2025/26", "2024-2026".
bool is_date(const std::vector<std::string_view>& groups) {
  if (groups.size() == 2 && is_year(groups[0]) && is_year(groups[1])) return groups[0] < groups[1];
  const auto n_years = std::count_if(groups.begin(), groups.end(), is_year);
  return n_years <= 1 && std::all_of(groups.begin(), groups.end(),
                                     [](std::string_view group) { return group.size() <= 2 || is_year(group); });
}

// "15000", "250000": nobody numbers papers so far and stops there.
bool is_round(std::string_view digits) {
  return digits.ends_with("000") || (digits.size() == kLeastDigits && digits.ends_with("00"));
}

// "48213 km", "88213 guests", "80331 München": what is counted, or a place with its code.
bool is_followed_by_thing(std::string_view behind) {
  const bool apart = behind.starts_with(' ');
  if (apart) behind.remove_prefix(1);
  if (behind.empty()) return false;
  const std::string_view next = behind.substr(0, behind.find_first_of(" \t\n,.;:?!)"));
  if (says_money(next) || next.starts_with('%') || next.starts_with("°")) return true;
  if (!apart) return is_letter(behind.front()) || behind.front() == '\'';
  const std::string word = folded_text(next);
  const bool upper = behind.front() >= 'A' && behind.front() <= 'Z';
  const bool plural = word.size() > kLongestSingular && word.ends_with('s') && !word.ends_with("ss");
  return upper || plural || std::find(std::begin(kUnits), std::end(kUnits), word) != std::end(kUnits);
}

// Whether what stands before makes it part of something else: "1.20417", "A4711", "$48213".
bool is_begun_before(std::string_view before) {
  if (before.empty()) return false;
  const char c = before.back();
  if (c == '.' || c == ',' || c == ':' || is_joint(c)) return before.size() > 1 && !is_space(before[before.size() - 2]);
  constexpr std::string_view kSigns[] = {"$", "€", "£", "¥", "+", "'", "_"};
  return is_letter(c) || is_digit(c) || std::any_of(std::begin(kSigns), std::end(kSigns), [&](std::string_view sign) {
           return before.ends_with(sign);
         });
}

bool names_paper(std::string_view text, size_t begin, size_t end) {
  const std::string_view number = text.substr(begin, end - begin);
  const std::string_view behind = text.substr(end);
  const auto n_digits = static_cast<size_t>(std::count_if(number.begin(), number.end(), is_digit));
  const bool joined = n_digits < number.size();
  if (n_digits < (joined ? kLeastJoinedDigits : kLeastDigits) || is_begun_before(text.substr(0, begin))) return false;
  const bool goes_on = behind.size() > 1 &&
                       (behind[0] == '.' || behind[0] == ',' || behind[0] == ':' || is_joint(behind[0])) &&
                       (is_digit(behind[1]) || is_letter(behind[1]));
  if (goes_on || (!behind.empty() && static_cast<unsigned char>(behind[0]) >= 0xE3)) return false;
  return joined ? !is_date(groups_of(number)) : !is_round(number) && !is_followed_by_thing(behind);
}

}  // namespace

std::vector<PaperNumber> paper_numbers(std::string_view text) {
  std::vector<PaperNumber> numbers;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = text.find_first_of("0123456789", at);
    if (begin == std::string_view::npos) break;
    size_t end = begin;
    const auto is_digit_at = [&](size_t i) { return i < text.size() && is_digit(text[i]); };
    while (is_digit_at(end) || (end < text.size() && is_joint(text[end]) && is_digit_at(end + 1))) ++end;
    if (names_paper(text, begin, end)) numbers.push_back({begin, end});
    at = end;
  }
  return numbers;
}

bool are_written_alike(std::string_view number, std::string_view other) {
  return number.size() == other.size() && std::equal(number.begin(), number.end(), other.begin(),
                                                     [](char a, char b) { return is_digit(a) ? is_digit(b) : a == b; });
}

}  // namespace mneme::rag
