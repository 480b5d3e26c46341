// Bills and receipts: a day, and a line that tells what it all comes to ("Total due 432.00"), whatever else they hold.
// Ownership: values. Threads: pure functions.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rag/text/quantities/amounts.h"

namespace mneme::rag {

// A line that ends with a sum.
struct BillLine {
  size_t passage = 0;  // index
  size_t byte_begin = 0;
  size_t byte_end = 0;
  std::string label;  // what stands before the sum
  int64_t hundredths = 0;
  std::string currency;  // as it is written; "" where none is
};

struct Bill {
  std::optional<std::chrono::sys_days> day;  // the first that it tells
  DecimalSign sign = DecimalSign::kPoint;
  BillLine total;
  std::vector<BillLine> positions;  // in order, without the total
};

// passages: of one document, in order. None where no line is called a total (rag/text/languages/papers); of several the
// one with the largest sum.
std::optional<Bill> bill_in(std::span<const std::string_view> passages);

}  // namespace mneme::rag
