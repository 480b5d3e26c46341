// Questions for what was paid or received altogether: "How much did I spend on books last year?", "Wie viel haben wir
// 2031 eingenommen?", 一月份一共付了多少电费. Threads: pure function.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "rag/text/quantities/named_period.h"

namespace mneme::rag {

struct AskedPayments {
  bool is_asked = false;
  bool received = false;
  std::string topic;                  // for what, or to whom, in the question's words; "": for anything
  std::optional<NamedPeriod> period;  // unset: none is named
};

// Averages, and the most and the least, are no such questions.
AskedPayments asked_payments(std::string_view question, std::chrono::sys_days today);

}  // namespace mneme::rag
