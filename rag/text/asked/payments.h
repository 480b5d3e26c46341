// Questions for what was paid or received: altogether ("How much did I spend on books last year?", "Wie viel haben wir
// 2031 eingenommen?", 一月份一共付了多少电费), on average ("a month"), or at most ("our biggest expense in 2031").
// Threads: pure function.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "rag/text/quantities/named_period.h"

namespace mneme::rag {

struct AskedPayments {
  enum class What { kSum, kAverage, kMost, kLeast };
  enum class Each { kPayment, kWeek, kMonth, kYear };  // of kAverage
  bool is_asked = false;
  bool received = false;
  bool may_be_price = false;  // "did I pay": of rows the sum, of anything else the price of a thing
  What what = What::kSum;
  Each each = Each::kPayment;
  std::string topic;                  // for what, or to whom, in the question's words; "": for anything
  std::optional<NamedPeriod> period;  // unset: none is named
};

AskedPayments asked_payments(std::string_view question, std::chrono::sys_days today);

}  // namespace mneme::rag
