#include "rag/readers/spoken/chat_days.h"

namespace mneme::readers {
namespace {

constexpr int kMonths = 12;
constexpr int kBuddhistYears = 543;  // ahead of the others
constexpr int kFirstBuddhistYear = 2500;

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
  half_days_ = half_days_ || head.half_days;
  if (head.date[0] == 0 || head.date[0] > 31) return;
  slashes_ = slashes_ || head.separator == '/';
  see(read(head.date, Order::kDayFirst), day_first_);
  see(read(head.date, Order::kMonthFirst), month_first_);
}

ChatDays::Order ChatDays::order() const {
  if (day_first_.possible != month_first_.possible) return day_first_.possible ? Order::kDayFirst : Order::kMonthFirst;
  return slashes_ && half_days_ ? Order::kMonthFirst : Order::kDayFirst;
}

std::optional<std::chrono::year_month_day> ChatDays::day_of(const ChatHead& head) const {
  auto [year, month, day] = read(head.date, order());
  if (year >= kFirstBuddhistYear && year < kFirstBuddhistYear + 200) year -= kBuddhistYears;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (year < 1970 || year > 9999 || !date.ok()) return std::nullopt;
  return date;
}

}  // namespace mneme::readers
