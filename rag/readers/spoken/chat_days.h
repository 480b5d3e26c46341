// Days of saved chats, whose numbers stand in the order of the country they were written in: 12/03 is in March or in
// December. Internal to rag/readers. Threads: one thread each.
#pragma once

#include <array>
#include <chrono>
#include <optional>

#include "rag/readers/spoken/chat_lines.h"

namespace mneme::readers {

// Looks at all heads of a chat: what no month can be, and days that would run backwards, tell the order.
class ChatDays {
 public:
  void see(const ChatHead& head);
  // Nothing for what no calendar has.
  std::optional<std::chrono::year_month_day> day_of(const ChatHead& head) const;

 private:
  enum class Order { kDayFirst, kMonthFirst };
  struct Reading {
    bool possible = true;
    std::array<int, 3> last{};  // year, month, day
  };
  Order order() const;
  static std::array<int, 3> read(const std::array<int, 3>& date, Order order);
  static void see(const std::array<int, 3>& date, Reading& reading);

  Reading day_first_;
  Reading month_first_;
  bool slashes_ = false;
  bool half_days_ = false;
};

}  // namespace mneme::readers
