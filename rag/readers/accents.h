// Letters with the accents that formats write beside them (TeX's \'e, roff's \['e]). Threads: pure function.
#pragma once

#include <string>
#include <string_view>

namespace mneme::readers {

// The first character of `letter` with a combining mark (U+0300 ...) on it, as one character where Unicode has it; what
// follows the first character stays. A dotless i or j takes marks as a dotted one does. Nothing for an empty letter.
std::string with_accent(std::string_view letter, char32_t mark);

}  // namespace mneme::readers
