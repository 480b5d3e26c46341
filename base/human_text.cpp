#include "base/human_text.h"

#include <array>
#include <cstdio>

namespace mneme {

std::string human_bytes(double bytes) {
  constexpr std::array<const char*, 5> kUnits{"B", "kB", "MB", "GB", "TB"};
  size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < kUnits.size()) {  // what is rounded to a thousand is one of the next unit
    bytes /= 1000;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 || bytes >= 99.95 ? "%.0f %s" : "%.1f %s", bytes, kUnits[unit]);
  return text;
}

std::string human_count(int64_t n) {
  std::string digits = std::to_string(n);
  const size_t first = n < 0 ? 1 : 0;
  for (size_t i = digits.size(); i > first + 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string human_number_of(int64_t n, std::string_view thing) {
  return human_count(n) + " " + std::string(thing) + (n == 1 ? "" : "s");
}

}  // namespace mneme
