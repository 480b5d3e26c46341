// Numbers of spreadsheets as their cells show them: dates, times, shares, amounts with their currency or unit, numbers
// with their zeros in front.
// Internal to rag/readers. Threads: pure functions, values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mneme::readers {

enum class NumberForm : uint8_t {
  kPlain,
  kDate,
  kDateWithSeconds,
  kDateOrTime,  // a time where the number is less than a day
  kTime,
  kTimeWithSeconds,
  kMinutes,         // "05:30" of an hour, minutes and seconds
  kDuration,        // hours and minutes, of which there may be more than a day has
  kElapsedMinutes,  // minutes and seconds, likewise
  kElapsedSeconds,
  kPercent
};

struct NumberFormat {
  NumberForm form = NumberForm::kPlain;
  // Of plain numbers:
  std::string before;   // "€", "INV-"
  std::string after;    // " days"
  std::string digits;   // of the whole part: kDigit, kZero and what stands between them ("000-00-0000")
  int n_thousands = 0;  // shown in thousands, millions, ...

  static constexpr char kDigit = '\x01';  // a digit where the number has one
  static constexpr char kZero = '\x02';   // a digit, 0 where the number has none

  bool says_more_than_digits() const { return !before.empty() || !after.empty(); }
};

// What a format such as "[$-407]d. mmmm yyyy;@" or "#,##0.00 \"kg\"" shows. Its first section decides.
NumberFormat format_of_code(std::string_view code);
// Of the formats that files need not spell out.
NumberFormat format_of_id(int id);

// A number as Excel's own files write it since 2007, to be read by shown_number().
std::string number_text(double number);

// The number as the sheet shows it; digits behind the point, and all of what is no number, as they stand in the file.
// first_day: days to add to those that dates count.
std::string shown_number(std::string_view value, const NumberFormat& format, double first_day);

}  // namespace mneme::readers
