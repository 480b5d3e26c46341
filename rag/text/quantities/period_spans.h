// The days of years, months and weeks. Threads: pure functions.
#pragma once

#include <chrono>
#include <optional>

#include "rag/text/quantities/named_period.h"

namespace mneme::rag {

enum class PeriodUnit { kDay, kWeek, kMonth, kYear };

NamedPeriod of_year(int y);
NamedPeriod of_month(std::chrono::year_month month);
std::optional<NamedPeriod> of_day(int y, int m, int d);  // nothing: there is no such day
// The day, week, month or year that holds a day, or one so many of them earlier.
NamedPeriod holding(PeriodUnit unit, std::chrono::sys_days day, int earlier);
// "The last three days": so far back from today, which is one of them.
NamedPeriod so_long(PeriodUnit unit, int n, std::chrono::sys_days today);
// The last one of that month, 1 to 12, that has begun.
NamedPeriod last_begun(int month, std::chrono::sys_days today);

}  // namespace mneme::rag
