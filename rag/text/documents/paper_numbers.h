// Numbers that papers are called by, of digits alone: "invoice 2026-0417", "customer 4711234", "contract 12/88213". Not
// dates, years or sums, nor what something is counted by. Threads: pure functions.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace mneme::rag {

struct PaperNumber {
  size_t byte_begin = 0;
  size_t byte_end = 0;
};

// In order: of five digits or more in a row, or of six or more in groups that "-" or "/" joins.
std::vector<PaperNumber> paper_numbers(std::string_view text);

// Whether two numbers are written alike, as those of one kind of papers are: groups of as many digits, joined by the
// same signs.
bool are_written_alike(std::string_view number, std::string_view other);

}  // namespace mneme::rag
