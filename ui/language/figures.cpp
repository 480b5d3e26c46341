#include "ui/language/figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "ui/language/languages.h"
#include "ui/language/tr.h"

namespace mneme::ui {
namespace {

std::tm local_time(int64_t ms) {
  const auto seconds = static_cast<std::time_t>(ms / 1000);
  std::tm time{};
  localtime_r(&seconds, &time);
  return time;
}

std::string two_digits(int n) {
  return (n < 10 ? "0" : "") + std::to_string(n);
}

std::string day_of(const std::tm& time) {
  // Translators: a day. {0} is the year, {1} the month and {2} the day, as numbers of two digits.
  return filled(tr_c("date", "{0}-{1}-{2}"), std::to_string(1900 + time.tm_year), two_digits(time.tm_mon + 1),
                two_digits(time.tm_mday));
}

// What is written on a key, or what it is called; null: the same everywhere.
const char* key_text(std::string_view key) {
  if (key == "Ctrl") return tr_c("key", "Ctrl");
  if (key == "Shift") return tr_c("key", "Shift");
  if (key == "Alt") return tr_c("key", "Alt");
  if (key == "Esc") return tr_c("key", "Esc");
  if (key == "Enter") return tr_c("key", "Enter");
  if (key == "Tab") return tr_c("key", "Tab");
  if (key == "Page Up") return tr_c("key", "Page Up");
  if (key == "Page Down") return tr_c("key", "Page Down");
  if (key == "Up") return tr_c("key", "Up");
  if (key == "Down") return tr_c("key", "Down");
  if (key == "arrows") return tr_c("key", "arrows");
  if (key == "Menu key") return tr_c("key", "Menu key");
  return nullptr;
}

}  // namespace

std::string number_text(int64_t n) {
  const WindowLanguage* const language = used_language();
  const std::string_view group = language == nullptr ? "," : language->group;
  const size_t least = language == nullptr ? 4 : static_cast<size_t>(language->least_grouped);
  std::string digits = std::to_string(n);
  const size_t first = n < 0 ? 1 : 0;
  if (digits.size() - first < least) return digits;
  for (size_t i = digits.size(); i > first + 3; i -= 3) digits.insert(i - 3, group);
  return digits;
}

std::string decimal_text(double value, int digits) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  std::string shown = text.data();
  const WindowLanguage* const language = used_language();
  const size_t point = shown.find('.');
  if (language != nullptr && point != shown.npos) shown.replace(point, 1, language->decimal);
  return shown;
}

std::string bytes_text(double bytes) {
  const std::array<const char*, 5> kUnits{tr("{0} B"), tr("{0} kB"), tr("{0} MB"), tr("{0} GB"), tr("{0} TB")};
  size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < kUnits.size()) {  // what is rounded to a thousand is one of the next unit
    bytes /= 1000;
    ++unit;
  }
  return filled(kUnits[unit], decimal_text(bytes, unit == 0 || bytes >= 99.95 ? 0 : 1));
}

std::string percent_text(double percent) {
  return filled(tr("{0} %"), decimal_text(percent, 0));
}

std::string seconds_text(double seconds) {
  const int64_t whole = std::llround(std::max(0.0, seconds));
  // Translators: seconds, minutes and hours, as short as units are written.
  if (whole < 60) return filled(tr("{0} s"), std::to_string(whole));
  if (whole < 3600) return filled(tr("{0} min {1} s"), std::to_string(whole / 60), std::to_string(whole % 60));
  return filled(tr("{0} h {1} min"), std::to_string(whole / 3600), std::to_string(whole / 60 % 60));
}

std::string milliseconds_text(double ms) {
  if (ms > 0.0 && ms < 0.05) return filled(tr("< {0} ms"), decimal_text(0.1, 1));
  if (ms < 1000.0) return filled(tr("{0} ms"), decimal_text(ms, ms > 0.0 && ms < 10.0 ? 1 : 0));
  return filled(tr("{0} s"), decimal_text(ms / 1000.0, 1));
}

std::string day_text(int64_t ms) {
  return ms <= 0 ? std::string() : day_of(local_time(ms));
}

std::string day_and_time_text(int64_t ms) {
  if (ms <= 0) return {};
  const std::tm time = local_time(ms);
  return day_of(time) + " " + two_digits(time.tm_hour) + ":" + two_digits(time.tm_min);
}

std::string month_text(int month, int year) {
  const std::array<const char*, 12> months = {tr("January"),   tr("February"), tr("March"),    tr("April"),
                                              tr("May"),       tr("June"),     tr("July"),     tr("August"),
                                              tr("September"), tr("October"),  tr("November"), tr("December")};
  // Translators: a month of a year, above the chats of that time. {0} is the month's name, {1} the year.
  return filled(tr_c("month", "{0} {1}"), months[static_cast<size_t>(std::clamp(month, 0, 11))], std::to_string(year));
}

std::string lines_text(int page, int line_begin, int line_end) {
  if (page > 0) return filled(tr("page {0}"), std::to_string(page));
  if (line_begin > 0 && line_end > line_begin)
    return filled(tr("lines {0}–{1}"), std::to_string(line_begin), std::to_string(line_end));
  return line_begin > 0 ? filled(tr("line {0}"), std::to_string(line_begin)) : std::string();
}

std::string listed(const std::string& before, const std::string& next) {
  if (before.empty()) return next;
  // Translators: one of a list behind those before it.
  return filled(tr_c("list", "{0}, {1}"), before, next);
}

std::string keys_text(const std::string& keys) {
  constexpr std::string_view kBetween[] = {"+", ", ", " … "};
  std::string text;
  for (std::string_view rest = keys; !rest.empty();) {
    size_t end = rest.size();
    std::string_view behind;
    for (const std::string_view between : kBetween) {
      const size_t at = rest.find(between);
      if (at >= end) continue;
      end = at;
      behind = between;
    }
    const std::string_view key = rest.substr(0, end);
    const char* const named = key_text(key);
    text += named == nullptr ? key : std::string_view(named);
    text += behind;
    rest.remove_prefix(end + behind.size());
  }
  return text;
}

}  // namespace mneme::ui
