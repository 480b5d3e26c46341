// The number before a heading: "2.1. Method", "3 Results". Threads: pure functions.
#pragma once

#include <cstddef>
#include <string_view>

namespace mneme::rag {

struct SectionNumber {
  size_t n_bytes = 0;  // with the spaces behind it; 0: there is none
  int levels = 0;      // 2 of "3.1."
  int first = 0;       // 3 of "3.1."
};

// Before a title that begins with a capital or a letter beyond ASCII; up to six levels of up to three digits.
SectionNumber section_number(std::string_view heading);

// "Method" of "2.1. Method" and "2. Method"; "3 Results" may as well be a title of its own ("7 Wonders") and stays.
std::string_view without_section_number(std::string_view heading);

}  // namespace mneme::rag
