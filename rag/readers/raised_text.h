// Superscripts and subscripts in text that has no place above and below the line: written with Unicode's own characters
// or after "^" where they would otherwise be read as one number with what stands before them ("10 to the 6" as 106, a
// rate of "21" with a mark for footnote 3 as 213). Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mneme::readers {

// Appends what stands raised behind `text`. Words and their endings ("1st", "2e") are appended as they are.
void append_raised(std::string& text, std::string_view raised);

// The same of what stands lowered: only digits behind digits would be misread; "H2O" stays as it is searched for.
void append_lowered(std::string& text, std::string_view lowered);

enum class Shift : uint8_t { kNone, kRaised, kLowered };

// As one of the two above; what is not shifted is appended as it is.
void append_shifted(std::string& text, std::string_view shifted, Shift shift);

}  // namespace mneme::readers
