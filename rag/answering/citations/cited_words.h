// Which words of a passage an answer says: what a reader who clicks on [1] looks for first, in a passage of half a
// page. Compared letter by letter, without regard to ASCII case, spaces, punctuation and marks, so that it works for
// quotes, for what a model says in the passage's words, and in scripts without spaces. Threads: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "rag/answering/exchange/stretch.h"

namespace mneme::rag {

// What an answer says with source n, be it [n] or one of [1, n] or [1-9]: each time, all since the citation or the line
// break before, and of a list cited at its end all items; a line each. Time and result grow with the answer's length.
std::string words_citing(std::string_view answer, int n);

// The stretches of `text` that `said` holds too, in order and apart from each other: at least two whole words, four
// characters of a script without spaces, or all of a line of `said`; not where a longer stretch says the same words of
// `said` and more. Time grows with the sum of both lengths; of `said` the first 4,000 characters count.
std::vector<Stretch> shared_stretches(std::string_view text, std::string_view said);

// The rows of tables in `text`, cells apart by tabs or bars, of which one line of `said` has every cell: of single
// words and numbers none is long enough for the above. Names before a colon alone make no row. Of `said` as much
// counts.
std::vector<Stretch> said_rows(std::string_view text, std::string_view said);

// Where the line of `text` begins that first shares words with `said`, half as many as any line does or more; 0 where
// none does. A row of a table shares its cells where all of them are said in a line; words before a colon in `said`,
// headings and names of columns, count where there are no others.
size_t first_line_said(std::string_view text, std::string_view said);

}  // namespace mneme::rag
