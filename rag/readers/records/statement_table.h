// What was paid and received, in one form whatever a bank or program writes: a table with day, payee, purpose, amount.
// Internal to rag/readers. Threads: one thread each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rag/readers/document_builder.h"

namespace mneme::readers {

struct Payment {
  std::string day = {};      // "2026-03-12", or as it stands where that is unclear
  std::string payee = {};    // whom, or from whom
  std::string purpose = {};  // memo, number of a cheque, category
  std::string amount = {};   // "-120.00 EUR": what was paid has a minus
  int line_begin = 0;
  int line_end = 0;
};

// Makes one document of format "statement", dated by the last day that it tells.
class StatementTable {
 public:
  explicit StatementTable(size_t text_bytes) : builder_(document_, text_bytes) { document_.format = "statement"; }
  StatementTable(const StatementTable&) = delete;
  StatementTable& operator=(const StatementTable&) = delete;

  // A heading above the payments of one account, "Bank account DE12 3456": people ask for a bank statement.
  void begin_account(std::string_view number);
  void add(const Payment& payment);
  // "Balance on 2026-03-31: 1200.00 EUR"
  void add_balance(std::string_view day, std::string_view amount);

  bool empty() const { return n_payments_ == 0; }
  // Once, at the end.
  rag::Document take();

 private:
  void note_day(std::string_view day);

  rag::Document document_;
  DocumentBuilder builder_;
  std::string last_day_;
  bool has_head_ = false;
  size_t n_payments_ = 0;
};

// "20260312..." to "2026-03-12"; what has no eight digits as it stands.
std::string day_of_digits(std::string_view digits);

}  // namespace mneme::readers
