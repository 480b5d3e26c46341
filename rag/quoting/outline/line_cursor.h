// Where reading a passage line by line has come to, and the blocks read so far: what the readers of headings, tables
// and lists (heading_lines.h, table_lines.h, list_lines.h) share. Each reader looks at the line the cursor stands at
// and either takes its lines and goes behind them, or returns false and leaves everything as it was. Ownership: lines
// borrow the text. Threads: one owner.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "rag/quoting/outline/passage_lines.h"
#include "rag/quoting/outline/text_lines.h"

namespace mneme::rag {

struct LineCursor {
  explicit LineCursor(std::string_view text) : lines(text_lines(text)) {}

  bool done() const { return at >= lines.size(); }
  const TextLine& here() const { return lines[at]; }
  // Null behind the last line.
  const TextLine* line(size_t i) const { return i < lines.size() ? &lines[i] : nullptr; }
  bool blank(size_t i) const { return i >= lines.size() || lines[i].blank(); }
  // The next line that is not blank, from i on; lines.size() where there is none.
  size_t next_said(size_t i) const;
  // Whether line i goes on with the block before it rather than beginning something of its own.
  bool continues_block(size_t i) const;

  // A block of the lines first to last.
  void add(SentenceKind kind, size_t first, size_t last, int group = -1);

  std::vector<TextLine> lines;
  std::vector<LineBlock> blocks;
  size_t at = 0;
  size_t step_indent = 0;  // of the last item that is no part of another
  int n_groups = 0;        // lists and tables
};

}  // namespace mneme::rag
