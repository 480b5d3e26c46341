// Quantities as people read them. Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mneme {

std::string human_bytes(double bytes);  // "999 B", "3.4 MB": powers of a thousand
std::string human_count(int64_t n);     // "12,345"

// "1 passage", "12,345 passages". thing: one of them, whose plural ends in s.
std::string human_number_of(int64_t n, std::string_view thing);

}  // namespace mneme
