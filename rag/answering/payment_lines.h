// What payments come to, as a line: their sum with what it is made of, or an average. Threads: pure functions.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>

#include "rag/text/asked/payments.h"
#include "rag/text/quantities/amounts.h"

namespace mneme::rag {

struct Payment {
  std::chrono::sys_days day{};
  int64_t hundredths = 0;
};

// How they are written.
struct PaymentForm {
  DecimalSign sign = DecimalSign::kPoint;
  std::string currency;  // "" where none is told
};

// "283.20 EUR = 140.00 + 12.00 + ...", of a dozen at most; payments: at least one.
std::string sum_line(std::span<const Payment> payments, const PaymentForm& form);
// "70.80 EUR = 283.20 / 4": by the number of payments, or of the weeks, months or years from the first to the last of
// them, both counted. Halves are rounded up.
std::string average_line(std::span<const Payment> payments, AskedPayments::Each each, const PaymentForm& form);

}  // namespace mneme::rag
