// Items of lists: bulleted, numbered, or fields ("Author: x", "port: 8443"). Threads: pure functions but for the
// cursor.
#pragma once

#include "rag/quoting/outline/line_cursor.h"

namespace mneme::rag {

// "Author: x", "Status: y", as they open letters, minutes and proposals: a list.
bool read_fields(LineCursor& cursor);

// An item with the lines that go on with it. Items of one kind that follow each other are one list; a bullet that is
// indented under a numbered step is part of the step.
bool read_item(LineCursor& cursor);

}  // namespace mneme::rag
