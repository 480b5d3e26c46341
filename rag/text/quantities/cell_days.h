// Days as cells of tables hold them: "2031-03-06", "06.03.2031", "3/6/31", "6 Mar 2031", with or without a time of day
// behind. Threads: pure functions.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string_view>

namespace mneme::rag {

// Which number stands first in "03/06/2031".
enum class DayOrder { kDayFirst, kMonthFirst };

// By the column: a number above twelve tells; else the order in which the days ascend, or descend; else the day first.
DayOrder day_order_of(std::span<const std::string_view> column);

// A cell that is a day and nothing else but a time. Nothing for days that there are not.
std::optional<std::chrono::sys_days> day_in_cell(std::string_view cell, DayOrder order);

}  // namespace mneme::rag
