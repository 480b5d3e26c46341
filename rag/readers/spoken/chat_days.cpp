#include "rag/readers/spoken/chat_days.h"

namespace mneme::readers {
namespace {

constexpr int kMonths = 12;

}  // namespace

std::array<int, 3> ChatDays::read(const std::array<int, 3>& date, Order order) {
  if (date[0] > 31) return date;  // the year stands first
  const int year = date[2] < 100 ? 2000 + date[2] : date[2];
  return order == Order::kDayFirst ? std::array{year, date[1], date[0]} : std::array{year, date[0], date[1]};
}

void ChatDays::see(const std::array<int, 3>& date, Reading& reading) {
  if (date[1] > kMonths || date < reading.last) reading.possible = false;
  reading.last = date;
}

void ChatDays::see(const ChatHead& head) {
  if (head.date[0] == 0 || head.date[0] > 31) return;
  see(read(head.date, Order::kDayFirst), day_first_);
  see(read(head.date, Order::kMonthFirst), month_first_);
  slashes_with_half_days_ = slashes_with_half_days_ || (head.separator == '/' && head.half_days);
}

ChatDays::Order ChatDays::order() const {
  if (day_first_.possible != month_first_.possible) return day_first_.possible ? Order::kDayFirst : Order::kMonthFirst;
  return slashes_with_half_days_ ? Order::kMonthFirst : Order::kDayFirst;
}

std::optional<std::chrono::year_month_day> ChatDays::day_of(const ChatHead& head) const {
  const auto [year, month, day] = read(head.date, order());
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (year < 1970 || year > 9999 || !date.ok()) return std::nullopt;
  return date;
}

}  // namespace mneme::readers
