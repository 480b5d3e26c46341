#include "rag/readers/mail/calendar_words.h"

#include <array>
#include <cstdio>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {
namespace {

using std::chrono::days;
using std::chrono::seconds;

constexpr std::array<std::string_view, 12> kMonths = {"January",   "February", "March",    "April",
                                                      "May",       "June",     "July",     "August",
                                                      "September", "October",  "November", "December"};
constexpr std::array<std::string_view, 7> kWeekdays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                       "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 7> kWeekdayCodes = {"SU", "MO", "TU", "WE", "TH", "FR", "SA"};
constexpr seconds kLongest = days(36'525);

// A signed number of up to four digits that is all of the text; nothing else.
std::optional<int> small_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.size() > 4) return std::nullopt;
  const int value = fixed_number(text, 0, text.size());
  if (value < 0) return std::nullopt;
  return negative ? -value : value;
}

std::vector<std::string_view> pieces(std::string_view text, char separator) {
  std::vector<std::string_view> all;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    all.push_back(trim(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

// "a, b and c"
std::string enumerate(const std::vector<std::string>& things) {
  std::string text;
  for (size_t i = 0; i < things.size(); ++i) {
    if (i > 0) text += i + 1 == things.size() ? " and " : ", ";
    text += things[i];
  }
  return text;
}

std::string plural(int64_t count, std::string_view unit) {
  return std::to_string(count) + " " + std::string(unit) + (count == 1 ? "" : "s");
}

std::string ordinal(int number) {
  static constexpr std::array<std::string_view, 6> kNames = {"", "first", "second", "third", "fourth", "fifth"};
  if (number == -1) return "last";
  if (number < 0) return ordinal(-number) + " to last";
  if (number < static_cast<int>(kNames.size())) return std::string(kNames[static_cast<size_t>(number)]);
  const int two = number % 100;
  const int one = two >= 11 && two <= 13 ? 0 : number % 10;
  return std::to_string(number) + (one == 1 ? "st" : one == 2 ? "nd" : one == 3 ? "rd" : "th");
}

std::string clock(const CalendarTime& time) {
  const auto since = (time.wall - std::chrono::floor<days>(time.wall)).count();
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%02d:%02d", static_cast<int>(since / 3600),
                static_cast<int>(since / 60 % 60));
  return text.data();
}

std::string in_zone(const CalendarTime& time) {
  return time.zone.empty() ? "" : " (" + time.zone + ")";
}

// "/freeassociation.example/Europe/Berlin" is the zone's name behind that of who defined it.
std::string zone_name(std::string_view zone) {
  zone = trim(zone);
  if (!zone.starts_with('/')) return std::string(zone);
  const size_t last = zone.rfind('/');
  const size_t before = last == 0 ? 0 : zone.rfind('/', last - 1);
  return std::string(zone.substr(before + 1));
}

// "2TU": "second Tuesday"; "" for what is no day.
std::string weekday_in_words(std::string_view code) {
  if (code.size() < 2) return {};
  std::string name;
  for (size_t i = 0; i < kWeekdays.size(); ++i) {
    if (equals_ignoring_case(code.substr(code.size() - 2), kWeekdayCodes[i])) name = kWeekdays[i];
  }
  const std::string_view number = code.substr(0, code.size() - 2);
  if (name.empty() || number.empty()) return name;
  const auto value = small_number(number);
  return value && *value != 0 ? "the " + ordinal(*value) + " " + name : std::string();
}

std::string month_day_in_words(std::string_view number) {
  const auto value = small_number(number);
  if (!value || *value == 0 || *value > 31 || *value < -31) return {};
  return *value > 0 ? "day " + std::to_string(*value) : "the " + ordinal(*value) + " day";
}

std::string month_in_words(std::string_view number) {
  const auto value = small_number(number);
  return std::string(month_name(value.value_or(0)));
}

std::string position_in_words(std::string_view number) {
  const auto value = small_number(number);
  return value && *value != 0 ? "the " + ordinal(*value) : std::string();
}

// All of a list in words, or "" when one of it is none.
std::string list_in_words(std::string_view values, std::string (*word)(std::string_view)) {
  constexpr size_t kMost = 64;
  std::vector<std::string> words;
  for (const std::string_view value : pieces(values, ',')) {
    words.push_back(word(value));
    if (words.back().empty() || words.size() > kMost) return {};
  }
  return enumerate(words);
}

// The parts of a rule, each taken once; what is left over has not been said.
class RuleParts {
 public:
  explicit RuleParts(std::string_view rule) {
    for (const std::string_view piece : pieces(rule, ';')) {
      const size_t equals = piece.find('=');
      if (equals != piece.npos) parts_.emplace_back(piece.substr(0, equals), piece.substr(equals + 1));
    }
  }

  std::string_view take(std::string_view name) {
    for (size_t i = 0; i < parts_.size(); ++i) {
      if (!equals_ignoring_case(parts_[i].first, name)) continue;
      const std::string_view value = parts_[i].second;
      parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(i));
      return value;
    }
    return {};
  }
  bool empty() const { return parts_.empty(); }

 private:
  std::vector<std::pair<std::string_view, std::string_view>> parts_;
};

// "every 2 weeks"; "" for a frequency that is none.
std::string frequency_in_words(std::string_view frequency, std::string_view interval) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kUnits = {{{"SECONDLY", "second"},
                                                                                           {"MINUTELY", "minute"},
                                                                                           {"HOURLY", "hour"},
                                                                                           {"DAILY", "day"},
                                                                                           {"WEEKLY", "week"},
                                                                                           {"MONTHLY", "month"},
                                                                                           {"YEARLY", "year"}}};
  const int every = interval.empty() ? 1 : small_number(interval).value_or(0);
  if (every < 1) return {};
  for (const auto& [name, unit] : kUnits) {
    if (!equals_ignoring_case(frequency, name)) continue;
    return every == 1 ? "every " + std::string(unit) : "every " + plural(every, unit);
  }
  return {};
}

// Behind `before`, the words of a part of the rule if it is there; false when it cannot be read.
bool add_part(std::string& text, std::string_view before, std::string_view values,
              std::string (*word)(std::string_view)) {
  if (values.empty()) return true;
  const std::string words = list_in_words(values, word);
  text.append(before).append(words);
  return !words.empty();
}

bool add_end(std::string& text, std::string_view count, std::string_view until) {
  if (!count.empty()) {
    const auto times = small_number(count);
    if (!times || *times < 1) return false;
    text += ", " + plural(*times, "time");
  }
  if (until.empty()) return true;
  const auto last = parse_calendar_time(until, "");
  if (last) text += " until " + day_in_words(*last);
  return last.has_value();
}

}  // namespace

int fixed_number(std::string_view text, size_t at, size_t count) {
  if (at + count > text.size()) return -1;
  int value = 0;
  for (const char c : text.substr(at, count)) {
    if (!is_digit(c)) return -1;
    value = value * 10 + (c - '0');
  }
  return value;
}

std::string_view month_name(int month) {
  return month >= 1 && month <= 12 ? kMonths[static_cast<size_t>(month - 1)] : std::string_view();
}

std::optional<CalendarTime> parse_calendar_time(std::string_view value, std::string_view zone) {
  value = trim(value);
  const std::chrono::year_month_day day{
      std::chrono::year(fixed_number(value, 0, 4)),
      std::chrono::month(static_cast<unsigned>(std::max(fixed_number(value, 4, 2), 0))),
      std::chrono::day(static_cast<unsigned>(std::max(fixed_number(value, 6, 2), 0)))};
  if (fixed_number(value, 0, 8) < 0 || !day.ok()) return std::nullopt;
  CalendarTime time{.wall = std::chrono::sys_days(day), .has_time = false, .zone = {}};
  if (value.size() == 8) return time;
  const bool utc = value.size() == 16 && (value[15] | 0x20) == 'z';
  if ((value[8] | 0x20) != 't' || !(utc || value.size() == 15)) return std::nullopt;
  const int hour = fixed_number(value, 9, 2);
  const int minute = fixed_number(value, 11, 2);
  const int second = fixed_number(value, 13, 2);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return std::nullopt;
  time.wall += std::chrono::hours(hour) + std::chrono::minutes(minute) + seconds(second);
  time.has_time = true;
  time.zone = utc ? "UTC" : zone_name(zone);
  return time;
}

std::optional<seconds> parse_duration(std::string_view value) {
  value = trim(value);
  if (value.starts_with('+')) value.remove_prefix(1);
  if (!value.starts_with('P')) return std::nullopt;
  value.remove_prefix(1);
  seconds total{0};
  bool in_time = false;
  bool any = false;
  while (!value.empty()) {
    if (value[0] == 'T' && !in_time) {
      in_time = true;
      value.remove_prefix(1);
      continue;
    }
    const size_t end = value.find_first_not_of("0123456789");
    if (end == value.npos || end == 0 || end > 9) return std::nullopt;
    const int64_t number = fixed_number(value, 0, end);
    const char unit = value[end];
    const int64_t length = unit == 'W' && !in_time   ? 7 * 86400
                           : unit == 'D' && !in_time ? 86400
                           : unit == 'H' && in_time  ? 3600
                           : unit == 'M' && in_time  ? 60
                           : unit == 'S' && in_time  ? 1
                                                     : 0;
    if (length == 0) return std::nullopt;
    total += seconds(number * length);
    if (total > kLongest) return std::nullopt;
    any = true;
    value.remove_prefix(end + 1);
  }
  return any ? std::optional(total) : std::nullopt;
}

std::string day_in_words(const CalendarTime& time) {
  const auto whole = std::chrono::floor<days>(time.wall);
  const std::chrono::year_month_day day(whole);
  const unsigned weekday = std::chrono::weekday(whole).c_encoding();
  return std::string(kWeekdays[weekday]) + ", " + std::to_string(static_cast<unsigned>(day.day())) + " " +
         std::string(month_name(static_cast<int>(static_cast<unsigned>(day.month())))) + " " +
         std::to_string(static_cast<int>(day.year()));
}

std::string time_in_words(const CalendarTime& time) {
  return day_in_words(time) + (time.has_time ? ", " + clock(time) + in_zone(time) : "");
}

std::string span_in_words(const CalendarTime& begin, const std::optional<CalendarTime>& end) {
  if (!begin.has_time) {
    CalendarTime last = begin;
    if (end) last.wall = std::max(begin.wall, end->has_time ? end->wall : end->wall - days(1));
    if (last.wall == begin.wall) return day_in_words(begin) + ", all day";
    return day_in_words(begin) + " to " + day_in_words(last) + ", all day";
  }
  if (!end || !end->has_time) return time_in_words(begin);
  if (end->zone == begin.zone && end->wall == begin.wall) return time_in_words(begin);
  const bool one_zone = begin.zone == end->zone;
  std::string text = day_in_words(begin) + ", " + clock(begin) + (one_zone ? "" : in_zone(begin)) + " to ";
  if (day_in_words(begin) != day_in_words(*end)) text += day_in_words(*end) + ", ";
  return text + clock(*end) + in_zone(*end);
}

std::string duration_in_words(seconds duration) {
  const int64_t minutes = duration.count() / 60;
  std::string text;
  const auto add = [&](int64_t count, std::string_view unit) {
    if (count > 0) text += (text.empty() ? "" : " ") + plural(count, unit);
  };
  add(minutes / 1440, "day");
  add(minutes / 60 % 24, "hour");
  add(minutes % 60, "minute");
  return text.empty() ? "less than a minute" : text;
}

std::string iso_day(const CalendarTime& time) {
  const std::chrono::year_month_day day(std::chrono::floor<days>(time.wall));
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02u", static_cast<int>(day.year()),
                static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
  return text.data();
}

std::string rule_in_words(std::string_view rule) {
  constexpr size_t kLongestRule = 1000;
  std::string as_it_stands = "by the rule " + std::string(rule.substr(0, kLongestRule));
  if (rule.size() > kLongestRule) return as_it_stands;
  RuleParts parts(rule);
  std::string text = frequency_in_words(parts.take("FREQ"), parts.take("INTERVAL"));
  bool read = !text.empty();
  parts.take("WKST");  // where a week begins changes nothing that is said
  const std::string_view positions = parts.take("BYSETPOS");
  read = read && add_part(text, " on ", positions, position_in_words);
  const std::string_view weekdays = parts.take("BYDAY");
  read = read && (positions.empty() || !weekdays.empty());
  read = read && add_part(text, positions.empty() ? " on " : " of ", weekdays, weekday_in_words);
  read = read && add_part(text, " on ", parts.take("BYMONTHDAY"), month_day_in_words);
  read = read && add_part(text, " in ", parts.take("BYMONTH"), month_in_words);
  const std::string_view count = parts.take("COUNT");
  const std::string_view until = parts.take("UNTIL");
  read = read && add_end(text, count, until);
  return read && parts.empty() ? text : as_it_stands;
}

}  // namespace mneme::readers
