// What was paid and received, in one form whatever a bank or program writes: a table with day, payee, purpose, amount.
// Internal to rag/readers. Ownership: borrows the builder. Threads: one thread each.
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

class StatementTable {
 public:
  explicit StatementTable(DocumentBuilder& builder) : builder_(builder) {}

  // A heading, above the payments of one account. Empty: none.
  void begin_account(std::string_view account);
  void add(const Payment& payment);
  // "Balance on 2026-03-31: 1200.00 EUR"
  void add_balance(std::string_view day, std::string_view amount);

  bool empty() const { return n_payments_ == 0; }

 private:
  DocumentBuilder& builder_;
  bool has_head_ = false;
  size_t n_payments_ = 0;
};

// A document of format "statement" for a builder to fill.
rag::Document statement_document();

// "20260312..." to "2026-03-12"; what has no eight digits as it stands.
std::string day_of_digits(std::string_view digits);

}  // namespace mneme::readers
