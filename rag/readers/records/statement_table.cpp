#include "rag/readers/records/statement_table.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"

namespace mneme::readers {

namespace {

bool is_iso_day(std::string_view day) {
  return day.size() == 10 && day[4] == '-' && day[7] == '-' && is_digit(day.front());
}

}  // namespace

void StatementTable::note_day(std::string_view day) {
  if (is_iso_day(day) && day > last_day_) last_day_ = day;
}

void StatementTable::begin_account(std::string_view number) {
  builder_.set_lines(0, 0);
  builder_.heading(2, clean_text("Bank account " + std::string(number)));
  has_head_ = false;
}

void StatementTable::add(const Payment& payment) {
  if (payment.day.empty() && payment.amount.empty()) return;
  if (!has_head_) {
    builder_.set_lines(payment.line_begin, payment.line_begin);
    builder_.table_row({"Date", "Payee", "Purpose", "Amount"});
    has_head_ = true;
  }
  ++n_payments_;
  note_day(payment.day);
  builder_.set_lines(payment.line_begin, payment.line_end);
  builder_.table_row(
      {clean_text(payment.day), clean_text(payment.payee), clean_text(payment.purpose), clean_text(payment.amount)});
}

void StatementTable::add_balance(std::string_view day, std::string_view amount) {
  if (amount.empty()) return;
  note_day(day);
  builder_.set_lines(0, 0);
  builder_.paragraph("Balance" + (day.empty() ? std::string() : " on " + std::string(day)) + ": " +
                     std::string(amount));
}

rag::Document StatementTable::take() {
  document_.date = last_day_;
  return std::move(document_);
}

std::string day_of_digits(std::string_view digits) {
  const std::string_view day = digits.substr(0, 8);
  const bool is_day = day.size() == 8 && std::all_of(day.begin(), day.end(), is_digit);
  if (!is_day) return std::string(digits);
  std::string told(day.substr(0, 4));
  return told.append("-").append(day.substr(4, 2)).append("-").append(day.substr(6, 2));
}

}  // namespace mneme::readers
