// Sums of money as cells of tables hold them: "-1.124,60 EUR", "(45.00)", "$ 1,200", "1 234,5 Kč". Threads: pure
// functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mneme::rag {

enum class DecimalSign { kPoint, kComma };

// Which of the two a cell shows to be the sign before decimals; nothing where it may be either ("1.200") or none is
// there. How the others of its column are to be read follows.
std::optional<DecimalSign> decimal_sign_shown(std::string_view cell);

struct Amount {
  int64_t hundredths = 0;
  std::string currency;  // as it is written; "" where none is
};

// A cell that is a sum and nothing else; brackets and a minus behind it are as good as one before it. At most two
// decimals, groups of three, fifteen digits.
std::optional<Amount> amount_in_cell(std::string_view cell, DecimalSign sign);

// "1124.60"
std::string amount_text(int64_t hundredths, DecimalSign sign);

}  // namespace mneme::rag
