// Tables of payments in passages: rows that tell a day and a sum, as bank statements and lists of expenses have them,
// whatever their columns are called. Ownership: rows borrow the outlines. Threads: pure functions.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rag/quoting/outline/passage_outline.h"
#include "rag/text/quantities/amounts.h"

namespace mneme::rag {

struct PaymentRow {
  size_t outline = 0;  // index
  size_t part = 0;     // of the outline
  std::chrono::sys_days day{};
  int64_t hundredths = 0;  // paid: below zero; of a table without signs all are as they stand
  std::string currency;    // of the cell, or of the column's name; "" where neither tells
};

struct PaymentTable {
  std::vector<PaymentRow> rows;
  DecimalSign sign = DecimalSign::kPoint;
  bool tells_direction = false;  // by signs or by two columns; else the rows are of one kind, and nothing says which
};

// outlines: of the passages of one document, in order. A table whose column of sums is not clear, or which has no days,
// is none; so are its rows without a day (totals, balances).
std::vector<PaymentTable> payment_tables(std::span<const PassageOutline> outlines);

}  // namespace mneme::rag
