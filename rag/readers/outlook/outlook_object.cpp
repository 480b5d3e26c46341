#include "rag/readers/outlook/outlook_object.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

#include "rag/readers/office/rtf_fonts.h"

namespace mneme::readers {

std::optional<int64_t> seconds_of_ticks(uint64_t ticks) {
  constexpr uint64_t kTicksOfSecond = 10'000'000;
  constexpr int64_t kSecondsTo1970 = 11'644'473'600;
  constexpr int64_t kLast = 7'258'118'400;  // 2200
  const int64_t seconds = static_cast<int64_t>(ticks / kTicksOfSecond) - kSecondsTo1970;
  if (ticks < 86'400 * kTicksOfSecond || seconds > kLast) return std::nullopt;
  return seconds;
}

namespace {

// As heads of mail write it; "" of what no message was sent on.
std::string written_time(uint64_t ticks) {
  constexpr int64_t kLast = 4'102'444'800;  // 2100
  const int64_t seconds = seconds_of_ticks(ticks).value_or(-1);
  if (seconds < 0 || seconds > kLast) return {};
  static constexpr std::array kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr std::array kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::chrono::sys_days day{std::chrono::days{seconds / 86400}};
  const std::chrono::year_month_day date{day};
  const int64_t of_day = seconds % 86400;
  char text[64];
  std::snprintf(text, sizeof text, "%s, %02u %s %04d %02d:%02d:%02d +0000",
                kDays[std::chrono::weekday{day}.c_encoding()], static_cast<unsigned>(date.day()),
                kMonths[static_cast<unsigned>(date.month()) - 1], static_cast<int>(date.year()),
                static_cast<int>(of_day / 3600), static_cast<int>(of_day / 60 % 60), static_cast<int>(of_day % 60));
  return text;
}

}  // namespace

std::string OutlookObject::text(NamedProperty property) const {
  const auto known = known_as(property);
  return known ? text(*known) : std::string();
}

std::string OutlookObject::bytes(NamedProperty property) const {
  const auto known = known_as(property);
  return known ? bytes(*known) : std::string();
}

std::optional<uint32_t> OutlookObject::number(NamedProperty property) const {
  const auto known = known_as(property);
  return known ? number(*known) : std::nullopt;
}

std::optional<uint64_t> OutlookObject::wide(NamedProperty property) const {
  const auto known = known_as(property);
  return known ? wide(*known) : std::nullopt;
}

std::string OutlookObject::time(MapiProperty property) const {
  return written_time(wide(property).value_or(0));
}

std::string encoding_of_object(const OutlookObject& object) {
  constexpr uint32_t kWestern = 1252;
  const uint32_t code_page =
      object.number(MapiProperty::kCodePage).value_or(object.number(MapiProperty::kHtmlCodePage).value_or(kWestern));
  return encoding_of_code_page(static_cast<int>(std::min(code_page, 100'000U)));
}

}  // namespace mneme::readers
