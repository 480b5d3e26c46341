#include "ui/view_model/chat_periods.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <limits>

#include "ui/language/figures.h"
#include "ui/language/tr.h"

namespace mneme::ui {
namespace {

constexpr int64_t kDay_ms = 24LL * 60 * 60 * 1000;

std::tm local_time(int64_t ms) {
  const auto seconds = static_cast<std::time_t>(ms / 1000);
  std::tm time{};
  localtime_r(&seconds, &time);
  return time;
}

int64_t since_1970_ms(std::tm local) {
  local.tm_isdst = -1;  // whatever it was then
  return static_cast<int64_t>(std::mktime(&local)) * 1000;
}

}  // namespace

int64_t last_midnight_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  std::tm time = local_time(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
  time.tm_hour = time.tm_min = time.tm_sec = 0;
  return since_1970_ms(time);
}

Period period_of(int64_t updated_ms, int64_t midnight_ms) {
  const int64_t week = midnight_ms - 7 * kDay_ms;
  const int64_t month = midnight_ms - 30 * kDay_ms;
  if (updated_ms >= midnight_ms) return {tr("Today"), midnight_ms, std::numeric_limits<int64_t>::max()};
  if (updated_ms >= midnight_ms - kDay_ms) return {tr("Yesterday"), midnight_ms - kDay_ms, midnight_ms};
  if (updated_ms >= week) return {tr("Last 7 days"), week, midnight_ms - kDay_ms};
  if (updated_ms >= month) return {tr("Last 30 days"), month, week};
  std::tm first = local_time(updated_ms);
  const std::string name = month_text(first.tm_mon, 1900 + first.tm_year);
  first.tm_mday = 1;
  first.tm_hour = first.tm_min = first.tm_sec = 0;
  std::tm next = first;
  ++next.tm_mon;
  return {name, since_1970_ms(first), std::min(since_1970_ms(next), month)};
}

}  // namespace mneme::ui
