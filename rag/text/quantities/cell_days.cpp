#include "rag/text/quantities/cell_days.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/ascii.h"
#include "base/trim.h"
#include "rag/text/quantities/month_names.h"
#include "rag/text/words/words.h"

namespace mneme::rag {

namespace {

using std::chrono::sys_days;

constexpr size_t kLongestCell = 32;
constexpr int kCentury = 2000;  // of years with two digits

// Three parts between the same signs; a month may be a name.
struct DayParts {
  std::array<int, 3> numbers{};
  std::array<size_t, 3> n_digits{};  // 0: a month by its name
};

// Without a time of day behind a space or "T".
std::string_view day_alone(std::string_view cell) {
  cell = trimmed(cell);
  const size_t colon = cell.find(':');
  if (colon == std::string_view::npos) return cell;
  const size_t before = cell.find_last_of(" T,", colon);
  return before == std::string_view::npos ? std::string_view() : trimmed(cell.substr(0, before));
}

bool is_between(char c) {
  return c == '-' || c == '/' || c == '.' || c == ' ' || c == ',';
}

std::optional<DayParts> parts_of(std::string_view cell) {
  const std::string_view text = day_alone(cell);
  if (text.empty() || text.size() > kLongestCell) return std::nullopt;
  DayParts parts;
  size_t n = 0;
  for (size_t at = 0; at < text.size(); ++n) {
    if (n == parts.numbers.size()) return std::nullopt;
    const size_t begin = at;
    const bool digits = is_digit(text[at]);
    while (at < text.size() && !is_between(text[at]) && is_digit(text[at]) == digits) ++at;
    if (at == begin || at - begin > 12 || (at < text.size() && !is_between(text[at]))) return std::nullopt;
    const std::string_view part = text.substr(begin, at - begin);
    if (digits && part.size() > 4) return std::nullopt;
    parts.n_digits[n] = digits ? part.size() : 0;
    if (digits) {
      for (const char c : part) parts.numbers[n] = parts.numbers[n] * 10 + (c - '0');
    } else {
      parts.numbers[n] = month_called(folded_text(part));
      if (parts.numbers[n] == 0) return std::nullopt;
    }
    while (at < text.size() && is_between(text[at])) ++at;
  }
  return n == parts.numbers.size() ? std::optional(parts) : std::nullopt;
}

// "20310306"
std::optional<DayParts> parts_of_digits(std::string_view text) {
  if (text.size() != 8 || !std::all_of(text.begin(), text.end(), is_digit)) return std::nullopt;
  const auto number = [&](size_t begin, size_t n) {
    int value = 0;
    for (const char c : text.substr(begin, n)) value = value * 10 + (c - '0');
    return value;
  };
  return DayParts{{number(0, 4), number(4, 2), number(6, 2)}, {4, 2, 2}};
}

std::optional<DayParts> parts_of_cell(std::string_view cell) {
  const std::optional<DayParts> parts = parts_of_digits(trimmed(cell));
  return parts ? parts : parts_of(cell);
}

bool is_open(const DayParts& p) {
  return p.n_digits[0] > 0 && p.n_digits[0] <= 2 && p.n_digits[1] > 0;
}

std::optional<sys_days> day_of(const DayParts& p, DayOrder order) {
  int year = p.numbers[2];
  int month = p.numbers[1];
  int day = p.numbers[0];
  size_t year_digits = p.n_digits[2];
  if (p.n_digits[0] == 4) {
    std::swap(year, day);
    year_digits = 4;
    if (p.n_digits[2] == 0 || p.n_digits[2] > 2) return std::nullopt;
  } else if (p.n_digits[0] == 0 || (is_open(p) && order == DayOrder::kMonthFirst)) {
    std::swap(month, day);
  }
  if (year_digits != 4 && year_digits != 2) return std::nullopt;
  if (year_digits == 2) year += kCentury;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  return date.ok() ? std::optional<sys_days>(date) : std::nullopt;
}

bool are_in_order(std::span<const DayParts> column, DayOrder order) {
  std::vector<sys_days> days;
  for (const DayParts& parts : column) {
    if (const std::optional<sys_days> day = day_of(parts, order)) days.push_back(*day);
  }
  return days.size() > 2 && days.front() != days.back() &&
         (std::is_sorted(days.begin(), days.end()) || std::is_sorted(days.rbegin(), days.rend()));
}

}  // namespace

DayOrder day_order_of(std::span<const std::string_view> column) {
  std::vector<DayParts> open;
  for (const std::string_view cell : column) {
    const std::optional<DayParts> parts = parts_of_cell(cell);
    if (!parts || !is_open(*parts)) continue;
    if (parts->numbers[0] > 12) return DayOrder::kDayFirst;
    if (parts->numbers[1] > 12) return DayOrder::kMonthFirst;
    open.push_back(*parts);
  }
  const bool month_first = !are_in_order(open, DayOrder::kDayFirst) && are_in_order(open, DayOrder::kMonthFirst);
  return month_first ? DayOrder::kMonthFirst : DayOrder::kDayFirst;
}

std::optional<sys_days> day_in_cell(std::string_view cell, DayOrder order) {
  const std::optional<DayParts> parts = parts_of_cell(cell);
  return parts ? day_of(*parts, order) : std::nullopt;
}

}  // namespace mneme::rag
