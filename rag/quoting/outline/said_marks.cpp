#include "rag/quoting/outline/said_marks.h"

#include <algorithm>

#include "base/ascii.h"

namespace mneme::rag {

namespace {

constexpr size_t kLongestName = 80;
constexpr std::ptrdiff_t kMostWords = 5;

// "18:07", "0:04:12"
bool is_clock(std::string_view text) {
  size_t n_parts = 1;
  size_t n_digits = 0;
  for (const char c : text) {
    if (c == ':' && n_digits > 0) {
      ++n_parts;
      n_digits = 0;
    } else if (!is_digit(c) || ++n_digits > 2) {
      return false;
    }
  }
  return n_digits == 2 && (n_parts == 2 || n_parts == 3);
}

}  // namespace

size_t said_mark(std::string_view line) {
  if (!line.starts_with('[')) return 0;
  const size_t close = line.substr(0, 12).find("] ");
  if (close == std::string_view::npos || !is_clock(line.substr(1, close - 1))) return 0;
  const size_t begin = close + 2;
  const std::string_view said = line.substr(begin);
  const size_t colon = said.substr(0, kLongestName).find(": ");
  const std::string_view name = said.substr(0, colon);
  const bool is_name = colon != std::string_view::npos && name.find_first_of(".,;!?\n") == std::string_view::npos &&
                       std::count(name.begin(), name.end(), ' ') < kMostWords;
  return is_name ? begin + colon + 2 : begin;
}

}  // namespace mneme::rag
