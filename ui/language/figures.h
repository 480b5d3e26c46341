// Numbers, sizes, times and keys as the window's language writes them; in English as base/human_text.h has them for the
// command line. Threads: any (the language may change between two calls).
#pragma once

#include <cstdint>
#include <string>

namespace mneme::ui {

std::string number_text(int64_t n);                  // "12,345"
std::string decimal_text(double value, int digits);  // "3.4"
std::string bytes_text(double bytes);                // "3.4 MB": powers of a thousand
std::string percent_text(double percent);            // "15 %"
std::string seconds_text(double seconds);            // "45 s", "3 min 20 s"
std::string milliseconds_text(double ms);            // "231 ms", "1.4 s"

std::string day_text(int64_t ms);             // since 1970, of this place: "2026-11-30"; empty for what is not known
std::string day_and_time_text(int64_t ms);    // "2026-11-30 18:05"
std::string month_text(int month, int year);  // 0 to 11: "October 2026"

// "page 3", "lines 4–6", "line 4"; empty where neither is known.
std::string lines_text(int page, int line_begin, int line_end);

// One behind the other: "a, b".
std::string listed(const std::string& before, const std::string& next);

// "Ctrl+Shift+C", "Page Up, Page Down" as keyboards call it: "Strg+Umschalt+C", "Bild auf, Bild ab".
std::string keys_text(const std::string& keys);

}  // namespace mneme::ui
