#include "rag/text/quantities/period_spans.h"

namespace mneme::rag {

namespace {

using std::chrono::days;
using std::chrono::months;
using std::chrono::sys_days;
using std::chrono::year;
using std::chrono::year_month;
using std::chrono::year_month_day;
using std::chrono::years;

NamedPeriod from_to(sys_days since, sys_days before) {
  return {since, before};
}

}  // namespace

NamedPeriod of_year(int y) {
  return from_to(sys_days(year(y) / 1 / 1), sys_days(year(y + 1) / 1 / 1));
}

NamedPeriod of_month(year_month month) {
  return from_to(sys_days(month / 1), sys_days((month + months(1)) / 1));
}

std::optional<NamedPeriod> of_day(int y, int m, int d) {
  const year_month_day date = year(y) / m / d;
  if (!date.ok()) return std::nullopt;
  return from_to(sys_days(date), sys_days(date) + days(1));
}

NamedPeriod holding(PeriodUnit unit, sys_days day, int earlier) {
  const year_month_day date(day);
  if (unit == PeriodUnit::kYear) return of_year(static_cast<int>(date.year()) - earlier);
  if (unit == PeriodUnit::kMonth) return of_month(date.year() / date.month() - months(earlier));
  if (unit == PeriodUnit::kDay) return from_to(day - days(earlier), day - days(earlier) + days(1));
  const auto weekday = std::chrono::weekday(day).iso_encoding();  // 1 is Monday
  const sys_days monday = day - days(static_cast<int>(weekday) - 1) - days(7 * earlier);
  return from_to(monday, monday + days(7));
}

NamedPeriod so_long(PeriodUnit unit, int n, sys_days today) {
  if (unit == PeriodUnit::kDay) return {today - days(n - 1), std::nullopt};
  if (unit == PeriodUnit::kWeek) return {today - days(7 * n), std::nullopt};
  year_month_day date(today);
  date = unit == PeriodUnit::kMonth ? date - months(n) : date - years(n);
  if (!date.ok()) date = date.year() / date.month() / std::chrono::last;
  return {sys_days(date), std::nullopt};
}

NamedPeriod last_begun(int month, sys_days today) {
  const year_month_day now(today);
  const bool this_year = month <= static_cast<int>(static_cast<unsigned>(now.month()));
  return of_month(
      year_month((now.year() - years(this_year ? 0 : 1)), std::chrono::month(static_cast<unsigned>(month))));
}

}  // namespace mneme::rag
