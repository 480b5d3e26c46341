// A passage of source code taken apart for quoting: comments, which are read as text, and pieces of code, which stand
// as they are. Lines alone decide, since a passage is cut out of its file and of any language. Threads: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "rag/quoting/outline/passage_lines.h"

namespace mneme::rag {

// Comments as kText, code as kCode: a statement or the head of a function each, with what is indented under it as far
// as it fits into a quotation.
std::vector<LineBlock> source_blocks(std::string_view text);

// Bytes of the mark with which a line of a comment begins ("// ", "# ", "* "), spaces before it included; 0: none.
size_t comment_mark(std::string_view line);

// Code for quoting: its lines without the indentation they share.
std::string unindented(std::string_view code);

}  // namespace mneme::rag
