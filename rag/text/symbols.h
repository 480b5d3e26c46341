// Signs that are the matter of a question: operators and the like, which no splitter into words keeps.
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

// Signs that stand alone in a question and are what it asks about: the "?" in "what does the ? operator do".
std::vector<std::string> lone_symbols(std::string_view text);
// Whether a sign stands alone in a text, between spaces or as `code`.
bool has_lone_symbol(std::string_view text, std::string_view symbol);

}  // namespace mneme::rag
