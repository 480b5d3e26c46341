// Whether a text holds a number, in digits or spelled out, in the languages of the interface and the commonest others.
// Threads: pure functions.
#pragma once

#include <string_view>

namespace mneme::rag {

bool has_digits(std::string_view text);
// Whether a folded word (rag/text/words/words.h) is a number, in digits or spelled out: "23kg", "nine"; not "fts5",
// "h2o".
bool is_number(std::string_view folded);
// Whether a sentence holds one.
bool has_number(std::string_view sentence);
// Whether a text written without spaces ends with a number spelled out: 三.
bool ends_with_wide_number(std::string_view text);

}  // namespace mneme::rag
