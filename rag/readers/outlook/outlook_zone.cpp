#include "rag/readers/outlook/outlook_zone.h"

#include <algorithm>
#include <chrono>

#include "rag/readers/office/little_endian.h"
#include "rag/readers/office/utf16_text.h"

namespace mneme::readers {
namespace {

constexpr int64_t kDay = 86'400;
constexpr int64_t kWidestBias = kDay;

int64_t minutes_at(std::string_view bytes, size_t at) {
  const int64_t seconds = int64_t{static_cast<int32_t>(u32_at(bytes, at))} * 60;
  return std::clamp(seconds, -kWidestBias, kWidestBias);
}

int year_of(int64_t seconds) {
  const std::chrono::sys_days day{std::chrono::days{seconds / kDay - (seconds % kDay < 0)}};
  return static_cast<int>(std::chrono::year_month_day{day}.year());
}

}  // namespace

// A SYSTEMTIME whose day is the number of a day of the week within the month.
OutlookZone::Change OutlookZone::Change::at(std::string_view bytes, size_t place) {
  Change change;
  change.month = u16_at(bytes, place + 2);
  change.day_of_week = u16_at(bytes, place + 4) % 7;
  change.which = std::clamp<unsigned>(u16_at(bytes, place + 6), 1, 5);
  change.seconds = int64_t{u16_at(bytes, place + 8) % 24U} * 3600 + int64_t{u16_at(bytes, place + 10) % 60U} * 60;
  if (change.month > 12) change.month = 0;
  return change;
}

int64_t OutlookZone::Change::in_year(int year) const {
  using namespace std::chrono;
  const auto of_month = std::chrono::year{year} / std::chrono::month{month};
  const weekday day{day_of_week};
  const sys_days date = which == 5 ? sys_days{of_month / day[last]} : sys_days{of_month / day[which]};
  return int64_t{date.time_since_epoch().count()} * kDay + seconds;
}

std::optional<OutlookZone> OutlookZone::of_struct(std::string_view bytes) {
  constexpr size_t kSize = 48;
  if (bytes.size() < kSize) return std::nullopt;
  OutlookZone zone;
  zone.bias_ = minutes_at(bytes, 0);
  zone.standard_bias_ = minutes_at(bytes, 4);
  zone.daylight_bias_ = minutes_at(bytes, 8);
  zone.to_standard_ = Change::at(bytes, 14);
  zone.to_daylight_ = Change::at(bytes, 32);
  return zone;
}

// A name and rules for several spans of years; one is marked as that which was in force.
std::optional<OutlookZone> OutlookZone::of_definition(std::string_view bytes) {
  constexpr size_t kRule = 66;
  constexpr size_t kLongestName = 260;
  constexpr uint16_t kInForce = 2;
  const size_t name_units = u16_at(bytes, 6);
  if (name_units > kLongestName) return std::nullopt;
  size_t at = 8 + 2 * name_units;
  const size_t n_rules = u16_at(bytes, at);
  at += 2;
  std::optional<size_t> chosen;
  for (size_t i = 0; i < n_rules && at + kRule <= bytes.size(); ++i, at += kRule) {
    if (!chosen || (u16_at(bytes, at + 4) & kInForce) != 0) chosen = at;
  }
  if (!chosen) return std::nullopt;
  OutlookZone zone;
  zone.name_ = text_in_utf16(bytes_at(bytes, 8, 2 * name_units));
  zone.bias_ = minutes_at(bytes, *chosen + 22);
  zone.standard_bias_ = minutes_at(bytes, *chosen + 26);
  zone.daylight_bias_ = minutes_at(bytes, *chosen + 30);
  zone.to_standard_ = Change::at(bytes, *chosen + 34);
  zone.to_daylight_ = Change::at(bytes, *chosen + 50);
  return zone;
}

// A change happens at the hour that clocks show before it.
int64_t OutlookZone::wall(int64_t utc) const {
  const int64_t standard = utc - bias_ - standard_bias_;
  if (to_standard_.month == 0 || to_daylight_.month == 0) return standard;
  const int64_t daylight = utc - bias_ - daylight_bias_;
  const int year = year_of(standard);
  const bool begun = standard >= to_daylight_.in_year(year);
  const bool ended = daylight >= to_standard_.in_year(year);
  const bool north = to_daylight_.in_year(year) < to_standard_.in_year(year);
  return (north ? begun && !ended : begun || !ended) ? daylight : standard;
}

}  // namespace mneme::readers
