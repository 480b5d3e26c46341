#include "rag/readers/office/number_format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <initializer_list>

#include "base/ascii.h"

namespace mneme::readers {
namespace {

constexpr size_t kLongestLiteral = 40;  // bytes; longer ones are left out
constexpr int kMostThousands = 5;

// Reads the first section of a format's code.
class FormatCode {
 public:
  explicit FormatCode(std::string_view code) : code_(code) {}

  NumberFormat read() {
    while (at_ < code_.size() && code_[at_] != ';') take_sign(code_[at_++]);
    NumberFormat format;
    format.form = form();
    const bool too_long = before_.size() > kLongestLiteral || pending_.size() > kLongestLiteral;
    if (format.form != NumberForm::kPlain || !is_number_ || is_other_ || too_long) return format;
    const auto says = [](const std::string& text) { return text.find_first_not_of(' ') != std::string::npos; };
    if (says(before_)) format.before = before_;
    if (says(pending_)) format.after = pending_;
    format.digits = digits_.size() <= kLongestLiteral ? digits_ : std::string();
    format.n_thousands = std::min(commas_ + commas_before_point_, kMostThousands);
    return format;
  }

 private:
  void take_sign(char c) {
    switch (c) {
      case '"': return take_quoted();
      case '\\': return take_escaped();
      case '_': return pass_over_character();                     // a space as wide as it
      case '*': pass_over_character(); return take_literal(" ");  // filled up with it
      case '[': return take_brackets();
      case '0':
      case '#':
      case '?': return take_digit(c);
      case '.': return take_point();
      case ',': commas_ += is_number_ ? 1 : 0; return;
      case '%': has_percent_ = true; return;
      case '/':  // a fraction, unless it is a date
      case '@': is_other_ = true; return;
      default: break;
    }
    if (is_letter(c)) return take_letter(static_cast<char>(c | 0x20));
    take_literal({&c, 1});
  }

  void pass_over_character() {
    ++at_;
    while (at_ < code_.size() && (code_[at_] & 0xc0) == 0x80) ++at_;
  }

  void take_quoted() {
    const size_t end = std::min(code_.find('"', at_), code_.size());
    take_literal(code_.substr(at_, end - at_));
    at_ = end + 1;
  }

  void take_escaped() {
    if (at_ < code_.size()) take_literal(code_.substr(at_++, 1));  // further bytes of a longer one follow by themselves
  }

  // "[$-407]", "[$€-2]", "[h]", "[Red]", "[<100]"
  void take_brackets() {
    const size_t end = std::min(code_.find(']', at_), code_.size());
    const std::string inside = lower_ascii(code_.substr(at_, end - at_));
    if (inside.starts_with('$')) {
      take_literal(code_.substr(at_ + 1, std::min(inside.find('-'), inside.size()) - 1));
    } else if (!inside.empty() && inside.find_first_not_of(inside[0]) == std::string::npos) {
      elapsed_ = inside[0];
    } else if (inside.starts_with('<') || inside.starts_with('>') || inside.starts_with('=')) {
      is_other_ = true;  // other numbers are shown in other ways
    }
    at_ = end + 1;
  }

  void take_digit(char c) {
    is_number_ = true;
    commas_ = 0;
    if (behind_point_) {
      pending_.clear();
      return;
    }
    digits_ += pending_;
    digits_ += c == '0' ? NumberFormat::kZero : NumberFormat::kDigit;
    pending_.clear();
  }

  void take_point() {
    behind_point_ = true;
    commas_before_point_ = commas_;
    commas_ = 0;
  }

  void take_letter(char letter) {
    constexpr std::string_view kGeneral = "eneral";
    if (letter == 'g' && lower_ascii(code_.substr(at_, kGeneral.size())) == kGeneral) {
      at_ += kGeneral.size();
      is_number_ = true;
    } else if (letter == 'e' && is_number_) {
      is_other_ = true;
    } else if (letter == 'a' || letter == 'p') {  // AM/PM, A/P
      at_ += at_ < code_.size() && (code_[at_] | 0x20) == 'm' ? 1 : 0;
    } else {
      has_[0] = has_[0] || letter == 'y' || letter == 'd';
      has_[1] = has_[1] || letter == 'h';
      has_[2] = has_[2] || letter == 'm';
      has_[3] = has_[3] || letter == 's';
    }
  }

  void take_literal(std::string_view text) { (is_number_ ? pending_ : before_) += text; }

  NumberForm form() const {
    const auto [days, hours, months_or_minutes, seconds] = has_;
    if (elapsed_ == 'h') return NumberForm::kDuration;
    if (elapsed_ == 'm') return NumberForm::kElapsedMinutes;
    if (elapsed_ == 's') return NumberForm::kElapsedSeconds;
    if (days) return hours && seconds ? NumberForm::kDateWithSeconds : NumberForm::kDate;
    if (hours) return seconds ? NumberForm::kTimeWithSeconds : NumberForm::kTime;
    if (seconds) return NumberForm::kMinutes;
    if (months_or_minutes) return NumberForm::kDate;
    return has_percent_ ? NumberForm::kPercent : NumberForm::kPlain;
  }

  std::string_view code_;
  size_t at_ = 0;
  std::string before_;
  std::string digits_;
  std::string pending_;  // literals behind the last digit so far
  int commas_ = 0;       // likewise
  int commas_before_point_ = 0;
  bool is_number_ = false;  // a place for a digit was met
  bool behind_point_ = false;
  bool has_percent_ = false;
  bool is_other_ = false;         // fractions, powers of ten, texts: shown as they stand in the file
  std::array<bool, 4> has_ = {};  // letters of days, hours, months or minutes, seconds
  char elapsed_ = 0;              // of "[h]", "[m]", "[s]"
};

std::string two_numbers(int64_t first, int64_t second) {
  std::array<char, 48> text;
  std::snprintf(text.data(), text.size(), "%02lld:%02lld", static_cast<long long>(first),
                static_cast<long long>(second));
  return text.data();
}

constexpr int64_t kSecondsOfDay = 86400;

// As sheets show them: what is less than a second is noise of binary fractions, seconds that are not shown are cut off.
std::string hours_and_minutes(int64_t seconds) {
  return two_numbers(seconds / 3600, seconds / 60 % 60);
}

std::string time_of(double days, NumberForm form) {
  const int64_t seconds = std::llround(days * static_cast<double>(kSecondsOfDay));
  if (form == NumberForm::kTime) return hours_and_minutes(seconds % kSecondsOfDay);
  if (form == NumberForm::kDuration) return hours_and_minutes(seconds);
  if (form == NumberForm::kElapsedSeconds) return std::to_string(seconds);
  if (form == NumberForm::kElapsedMinutes) return two_numbers(seconds / 60, seconds % 60);
  const std::string minutes = two_numbers(seconds / 60 % 60, seconds % 60);
  return form == NumberForm::kMinutes ? minutes : two_numbers(seconds / 3600 % 24, 0).substr(0, 3) + minutes;
}

// Days since 1899-12-30 as Excel counts them, to "2024-05-31" or "2024-05-31 10:30"; "" when out of range. Seconds only
// where there are any.
std::string date_of_serial(double serial, bool with_seconds) {
  if (!(serial >= 60 && serial < 2958466)) return {};
  const int64_t seconds = std::llround(serial * static_cast<double>(kSecondsOfDay));
  const int64_t days = seconds / kSecondsOfDay;
  // Civil date from days (Howard Hinnant's algorithm), counted from 0000-03-01.
  const int64_t z = days - 25569 + 719468;
  const int64_t era = z / 146097;
  const int64_t day_of_era = z - era * 146097;
  const int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t shifted_month = (5 * day_of_year + 2) / 153;
  const int64_t day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
  const int64_t month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
  const int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  std::array<char, 48> text;
  std::snprintf(text.data(), text.size(), "%04d-%02d-%02d", static_cast<int>(year), static_cast<int>(month),
                static_cast<int>(day));
  std::string date = text.data();
  const int64_t of_day = seconds % kSecondsOfDay;
  const bool says_seconds = with_seconds && of_day % 60 != 0;
  if (of_day >= 60 || says_seconds) date += " " + hours_and_minutes(of_day);
  if (says_seconds) date += two_numbers(0, of_day % 60).substr(2);
  return date;
}

// 0.19 to "19%", with at most two digits behind the point.
std::string percent_of(double share) {
  std::array<char, 48> text;
  std::snprintf(text.data(), text.size(), "%.2f", share * 100);
  std::string percent = text.data();
  while (percent.ends_with('0')) percent.pop_back();
  if (percent.ends_with('.')) percent.pop_back();
  return percent + "%";
}

// As Excel counts: what is behind the fifteenth digit comes of binary fractions. It writes small numbers as powers of
// ten ("5.0000000000000001E-3"), which no sheet shows so.
std::string without_noise(std::string_view value, double number) {
  constexpr int kDigits = 15;
  const auto digits = std::count_if(value.begin(), value.end(), is_digit);
  const bool is_power = value.find_first_of("eE") != std::string_view::npos;
  const double size = std::abs(number);
  if (is_power && (size < 1e-9 || size >= 1e15)) return number_text(number);
  if (!is_power && (digits <= kDigits || value.find('.') == std::string_view::npos)) return std::string(value);
  if (!is_power && value.find_first_not_of("0123456789.-") != std::string_view::npos) return std::string(value);
  const int whole_digits = size < 1 ? 0 : static_cast<int>(std::floor(std::log10(size))) + 1;
  const int zeros_behind_point = size < 1 && size > 0 ? static_cast<int>(-std::floor(std::log10(size))) - 1 : 0;
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), "%.*f", std::clamp(kDigits - whole_digits + zeros_behind_point, 0, 24),
                number);
  std::string written = text.data();
  if (written.find('.') == std::string::npos) return written;
  while (written.ends_with('0')) written.pop_back();
  if (written.ends_with('.')) written.pop_back();
  return written;
}

// The whole part with its zeros in front and what stands between its digits.
std::string with_digits(std::string_view whole, std::string_view digits) {
  std::string shown;  // from the last character to the first
  size_t left = whole.size();
  size_t zeros_left = static_cast<size_t>(std::count(digits.begin(), digits.end(), NumberFormat::kZero));
  for (size_t i = digits.size(); i-- > 0;) {
    const bool is_place = digits[i] == NumberFormat::kZero || digits[i] == NumberFormat::kDigit;
    if (is_place && left > 0) {
      shown += whole[--left];
    } else if (digits[i] == NumberFormat::kZero) {
      shown += '0';
    } else if (!is_place && (left > 0 || zeros_left > 0)) {
      shown += digits[i];
    }
    zeros_left -= digits[i] == NumberFormat::kZero ? 1 : 0;
  }
  while (left > 0) shown += whole[--left];
  return {shown.rbegin(), shown.rend()};
}

std::string plain_number(std::string_view value, double number, const NumberFormat& format) {
  if (format.n_thousands > 0) number /= std::pow(1000.0, format.n_thousands);
  std::array<char, 64> scaled;
  std::snprintf(scaled.data(), scaled.size(), "%.12g", number);
  const std::string text = format.n_thousands > 0 ? std::string(scaled.data()) : without_noise(value, number);
  const std::string_view amount = std::string_view(text).substr(text.starts_with('-') ? 1 : 0);
  const size_t whole = amount.find_first_not_of("0123456789");
  const bool is_written_out = amount.find_first_not_of("0123456789.") == std::string_view::npos;
  std::string shown = text.starts_with('-') ? "-" : "";
  shown += format.before;
  if (is_written_out && !format.digits.empty()) {
    shown += with_digits(amount.substr(0, whole), format.digits);
    shown += amount.substr(std::min(whole, amount.size()));
  } else {
    shown += amount;
  }
  return shown + format.after;
}

}  // namespace

NumberFormat format_of_code(std::string_view code) {
  return FormatCode(code).read();
}

NumberFormat format_of_id(int id) {
  NumberFormat format;
  const auto is_of = [id](std::initializer_list<int> ids) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  };
  if ((id >= 14 && id <= 17) || is_of({22, 27, 28, 29, 30, 31, 36, 50, 51, 53, 54, 57, 58})) {
    format.form = NumberForm::kDate;
  } else if (is_of({34, 35, 52, 55, 56})) {  // times in Chinese, dates in Japanese
    format.form = NumberForm::kDateOrTime;
  } else if (is_of({18, 20, 32})) {
    format.form = NumberForm::kTime;
  } else if (is_of({19, 21, 33})) {
    format.form = NumberForm::kTimeWithSeconds;
  } else if (is_of({45, 47})) {
    format.form = NumberForm::kMinutes;
  } else if (id == 46) {
    format.form = NumberForm::kDuration;
  } else if (is_of({9, 10})) {
    format.form = NumberForm::kPercent;
  } else if (is_of({5, 6, 7, 8, 42, 44})) {
    format.before = "$";  // what programs mean that leave the code out; others spell out their currency
  }
  return format;
}

std::string number_text(double number) {
  std::array<char, 64> text;
  const auto written = std::to_chars(text.data(), text.data() + text.size(), number);
  std::string digits(text.data(), written.ptr);
  const double size = std::abs(number);
  if (digits.find('e') != std::string::npos && size >= 1e-9 && size < 1e21) {
    const auto plain = std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    digits.assign(text.data(), plain.ptr);
  }
  std::replace(digits.begin(), digits.end(), 'e', 'E');
  return digits;
}

std::string shown_number(std::string_view value, const NumberFormat& format, double first_day) {
  double number = 0;
  const auto parsed = std::from_chars(value.data(), value.data() + value.size(), number);
  const bool is_number = parsed.ec == std::errc() && parsed.ptr == value.data() + value.size() && std::isfinite(number);
  if (!is_number) return std::string(value);
  if (format.form == NumberForm::kPlain) return plain_number(value, number, format);
  if (!(std::abs(number) < 1e7)) return without_noise(value, number);
  if (format.form == NumberForm::kPercent) return percent_of(number);
  const bool with_seconds = format.form == NumberForm::kDateWithSeconds;
  const bool is_date =
      format.form == NumberForm::kDate || with_seconds || (format.form == NumberForm::kDateOrTime && number >= 1);
  if (!is_date && number >= 0) {
    return time_of(number, format.form == NumberForm::kDateOrTime ? NumberForm::kTime : format.form);
  }
  const std::string date = date_of_serial(number + first_day, with_seconds);
  return date.empty() ? without_noise(value, number) : date;
}

}  // namespace mneme::readers
