#include "rag/text/quantities/cell_days.h"

#include <gtest/gtest.h>

#include <vector>

namespace mneme::rag {
namespace {

using std::chrono::day;
using std::chrono::month;
using std::chrono::sys_days;
using std::chrono::year;

constexpr sys_days kSixth = year(2031) / month(3) / day(6);

TEST(CellDays, AreReadAsTheyAreWritten) {
  for (const char* cell :
       {"2031-03-06", "2031/3/6", "20310306", "06.03.2031", "6.3.31", "06/03/2031", "6 Mar 2031", "06-Mar-2031",
        "March 6, 2031", "6. M\u00e4rz 2031", "2031-03-06 18:05", "2031-03-06T18:05:09", " 06.03.2031 "})
    EXPECT_EQ(day_in_cell(cell, DayOrder::kDayFirst), kSixth) << cell;
  EXPECT_EQ(day_in_cell("3/6/2031", DayOrder::kMonthFirst), kSixth);
  EXPECT_EQ(day_in_cell("2031-03-06", DayOrder::kMonthFirst), kSixth);
}

TEST(CellDays, OtherCellsAreNone) {
  for (const char* cell : {"", "March", "2031", "03/2031", "31.02.2031", "1.2.3.4", "140.00", "12:30", "6 of May 2031",
                           "2031-13-01", "0.0.2031", "Total 2031-03-06", "12345-01-01", "DE 12 3456"})
    EXPECT_FALSE(day_in_cell(cell, DayOrder::kDayFirst).has_value()) << cell;
}

TEST(CellDays, TheColumnTellsWhatStandsFirst) {
  const auto order = [](std::vector<std::string_view> column) { return day_order_of(column); };
  EXPECT_EQ(order({"03/06/2031", "03/25/2031"}), DayOrder::kMonthFirst);
  EXPECT_EQ(order({"03/06/2031", "25/06/2031"}), DayOrder::kDayFirst);
  EXPECT_EQ(order({"01/02/2031", "01/09/2031", "02/03/2031"}), DayOrder::kMonthFirst) << "they ascend so";
  EXPECT_EQ(order({"02/03/2031", "01/09/2031", "01/02/2031"}), DayOrder::kMonthFirst) << "or descend";
  EXPECT_EQ(order({"01/02/2031", "02/03/2031"}), DayOrder::kDayFirst);
  EXPECT_EQ(order({}), DayOrder::kDayFirst);
}

}  // namespace
}  // namespace mneme::rag
