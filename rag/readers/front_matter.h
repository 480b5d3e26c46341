// Metadata at the beginning of text documents, and dates in the many ways people write them.
// Internal to rag/readers. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "rag/document.h"
#include "rag/readers/text_lines.h"

namespace mneme::readers {

// YAML (---) or TOML (+++) front matter at the cursor: takes title, author and date into the document, writes the lines
// as one code block and moves the cursor behind them. False, and nothing happens, when there is none.
bool take_front_matter(rag::Document& document, LineCursor& lines, BlockWriter& blocks);

// Takes over "title", "author(s)", "date", "created"... fields, where still unknown.
void take_metadata(rag::Document& document, std::string_view key, std::string_view value);

// Cuts title, author and date where nobody would have written so much: every passage is told with them.
void bound_metadata(rag::Document& document);

// ISO 8601 date ("2024-05-31" or longer) from ISO, RFC 2822, "05-Jul-2001", "May 31, 2024" and PDF dates; "" if
// unclear.
std::string iso_date(std::string_view text);

}  // namespace mneme::readers
