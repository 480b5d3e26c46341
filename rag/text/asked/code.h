// "What does exit status 6 mean?": a number that only names something, by which manuals list what it stands for. What
// is told of another number does not answer. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::rag {

// The number, as it is written; "" where none is asked about so.
std::string asked_code(std::string_view question);
// What stands before a short code of letters and digits ("error" of "error E3"), folded; its entry need not say it. ""
// where nothing does.
std::string kind_of_code(std::string_view question);
// Whether the number stands in a text by itself, no part of another ("6" of "6 Conflicts", not of "16" or "6.5").
bool tells_code(std::string_view text, std::string_view code);

}  // namespace mneme::rag
