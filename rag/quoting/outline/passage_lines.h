// The lines of a passage put together to what they are: paragraphs, headings (marked, underlined, or short and alone),
// items of lists, rows of tables (Markdown, reStructuredText, CSV), code. The text is that of any format, cut out of
// its document, so every rule looks at lines alone. Threads: pure functions.
#pragma once

#include <string_view>
#include <vector>

#include "rag/quoting/outline/sentences.h"

namespace mneme::rag {

struct LineBlock {
  size_t byte_begin = 0;
  size_t byte_end = 0;
  SentenceKind kind = SentenceKind::kText;
  int group = -1;  // list or table, from 0
  int item = -1;
  bool ordered = false;
  bool defined = false;  // a term that a list of such defines, as its heading, and what stands below it
};

// In order; what lies between them is blank or markup.
std::vector<LineBlock> line_blocks(std::string_view text);

}  // namespace mneme::rag
