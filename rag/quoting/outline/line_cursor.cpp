#include "rag/quoting/outline/line_cursor.h"

#include "rag/quoting/outline/line_shapes.h"

namespace mneme::rag {

size_t LineCursor::next_said(size_t i) const {
  while (i < lines.size() && lines[i].blank()) ++i;
  return i;
}

bool LineCursor::continues_block(size_t i) const {
  return !blank(i) && is_plain_line(lines[i].trimmed) && !lines[i].trimmed.starts_with('>');
}

void LineCursor::add(SentenceKind kind, size_t first, size_t last, int group) {
  const TextLine& front = lines[first];
  blocks.push_back({front.begin + front.indent, lines[last].end(), kind, group, -1, false});
}

}  // namespace mneme::rag
