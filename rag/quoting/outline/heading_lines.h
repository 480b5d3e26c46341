// Headings of any format: marked ("# "), underlined, defined below ("term" and ": what it is"), or short and alone.
// Threads: pure functions but for the cursor.
#pragma once

#include "rag/quoting/outline/line_cursor.h"

namespace mneme::rag {

// A rule between paragraphs is taken, too, and is no block.
bool read_heading(LineCursor& cursor);

}  // namespace mneme::rag
