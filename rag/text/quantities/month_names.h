// Months by their names, of all languages, and within dates that are written in numbers, so that "in February" finds
// "2026-02-12". Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

// 1 to 12; 0: the word (folded, rag/text/words/words.h) is no month.
int month_called(std::string_view folded);
// The same of words that are nothing else: 0 for "may" and "mar".
int month_named(std::string_view folded);

// A word that no text has and that stands for the month among words.
std::string month_mark(int month);

// Of the months of all dates in numbers: "2026-02-12", "12.02.2026", "12/02/2026" (which may be of December, too). In
// the order of the text, none twice.
std::vector<std::string> month_marks(std::string_view text);

}  // namespace mneme::rag
