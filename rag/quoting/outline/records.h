// Records as CSV has them: fields between separators, in quotation marks where they hold those, or line breaks. For
// text whose reader says that it is a table; lines of prose that look so are table_lines.h's. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rag/quoting/outline/sentences.h"

namespace mneme::rag {

// What parts the fields of most records; 0 where nothing does.
char separator_of_records(std::string_view text);

// The rows, each a record; the first names the columns where it has no number.
std::vector<Sentence> split_records(std::string_view text, char separator);

// Without quotation marks around them, spaces joined; empty ones at the end are left out.
std::vector<std::string> record_fields(std::string_view record, char separator);

}  // namespace mneme::rag
