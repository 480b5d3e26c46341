// Spellings that are the matter of a question and that no splitter into words keeps: signs that stand alone ("?",
// "&&"), and names of which signs are a part ("&str", "--all", "C++", "println!", "OTEL_SERVICE_NAME").
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

// Words of a question that are written with signs, as code is; not what grammar and punctuation write so.
std::vector<std::string> names_with_signs(std::string_view text);

// "-b, --bandwidth RATE": the line of a manual that lists an option.
bool begins_with_option(std::string_view line);

// Both kinds, in order of kind; and whether a text has one of them, as it is written, between other words.
std::vector<std::string> asked_spellings(std::string_view question);
bool has_spelling(std::string_view text, std::string_view spelling);

}  // namespace mneme::rag
