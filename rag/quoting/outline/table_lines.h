// Rows of tables: between bars or the rules of simple tables, set in columns with spaces, or records of CSV.
// Threads: pure functions but for the cursor.
#pragma once

#include "rag/quoting/outline/line_cursor.h"

namespace mneme::rag {

// Whether this line and the next are rows that a reader wrote: cells parted by " | ".
bool rows_begin(const LineCursor& cursor, size_t i);

// Rows between bars, and between the rules of simple tables. The head is the row above the (second) rule, or the first
// of a table without rules.
bool read_table(LineCursor& cursor);

// "2    Drawer with soft close    6    92.00 EUR": lines of as many cells each, as offers and invoices set them.
bool read_columns(LineCursor& cursor);

// Lines of a paragraph with as many semicolons each, tabs or commas.
bool read_records(LineCursor& cursor);

}  // namespace mneme::rag
