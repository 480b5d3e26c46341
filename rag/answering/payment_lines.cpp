#include "rag/answering/payment_lines.h"

#include <algorithm>

namespace mneme::rag {

namespace {

using std::chrono::year_month_day;
using Each = AskedPayments::Each;

constexpr size_t kMostAddends = 12;

int64_t sum_of(std::span<const Payment> payments) {
  int64_t sum = 0;
  for (const Payment& payment : payments) sum += payment.hundredths;
  return sum;
}

std::string with_currency(int64_t hundredths, const PaymentForm& form) {
  return amount_text(hundredths, form.sign) + (form.currency.empty() ? "" : " " + form.currency);
}

// So many of what is asked for, the first and the last included.
int64_t n_of(std::span<const Payment> payments, Each each) {
  const auto earlier = [](const Payment& a, const Payment& b) { return a.day < b.day; };
  const auto [first, last] = std::minmax_element(payments.begin(), payments.end(), earlier);
  const year_month_day begin(first->day);
  const year_month_day end(last->day);
  const int64_t years = static_cast<int>(end.year()) - static_cast<int>(begin.year());
  const int64_t months = 12 * years + static_cast<int64_t>(static_cast<unsigned>(end.month())) -
                         static_cast<int64_t>(static_cast<unsigned>(begin.month()));
  switch (each) {
    case Each::kPayment: break;
    case Each::kWeek: return (last->day - first->day).count() / 7 + 1;
    case Each::kMonth: return months + 1;
    case Each::kYear: return years + 1;
  }
  return static_cast<int64_t>(payments.size());
}

}  // namespace

std::string sum_line(std::span<const Payment> payments, const PaymentForm& form) {
  std::string line = with_currency(sum_of(payments), form);
  if (payments.size() < 2 || payments.size() > kMostAddends) return line;
  for (size_t i = 0; i < payments.size(); ++i)
    line += (i == 0 ? " = " : " + ") + amount_text(payments[i].hundredths, form.sign);
  return line;
}

std::string average_line(std::span<const Payment> payments, Each each, const PaymentForm& form) {
  const int64_t sum = sum_of(payments);
  const int64_t n = n_of(payments, each);
  return with_currency((2 * sum + n) / (2 * n), form) + " = " + amount_text(sum, form.sign) + " / " + std::to_string(n);
}

}  // namespace mneme::rag
