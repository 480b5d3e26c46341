// Times and rules of calendars in the words that people ask for: "Tuesday, 3 March 2026, 14:00 to 15:30
// (Europe/Berlin)", "every 2 weeks on Monday and Thursday, 10 times". What cannot be read is given as it stands, never
// guessed. Internal to rag/readers. Threads: pure functions.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace mneme::readers {

struct CalendarTime {
  std::chrono::sys_seconds wall;  // what a clock at the place shows, reckoned without zone
  bool has_time = false;          // false: a whole day
  std::string zone;               // "Europe/Berlin", "UTC"; "" when none is told
};

// "20260303", "20260303T140000" or "20260303T140000Z"; nothing for all else, days that no month has included.
std::optional<CalendarTime> parse_calendar_time(std::string_view value, std::string_view zone);

// "PT1H30M", "P2D", "P1W"; nothing for all else and for what is longer than a century.
std::optional<std::chrono::seconds> parse_duration(std::string_view value);

std::string day_in_words(const CalendarTime& time);   // "Tuesday, 3 March 2026"
std::string time_in_words(const CalendarTime& time);  // with "14:00 (Europe/Berlin)" behind it where there is one
// From begin to end; the end of whole days is the day after the last, as calendars have it.
std::string span_in_words(const CalendarTime& begin, const std::optional<CalendarTime>& end);
std::string duration_in_words(std::chrono::seconds duration);  // "1 hour 30 minutes"
std::string iso_day(const CalendarTime& time);                 // "2026-03-03"

// A recurrence rule (RRULE) in words.
std::string rule_in_words(std::string_view rule);

// Exactly `count` digits at `at`; -1 when something else stands there.
int fixed_number(std::string_view text, size_t at, size_t count);

// 1..12; "" for others.
std::string_view month_name(int month);

}  // namespace mneme::readers
