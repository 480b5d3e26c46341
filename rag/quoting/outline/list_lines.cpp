#include "rag/quoting/outline/list_lines.h"

#include <algorithm>

#include "rag/quoting/outline/line_shapes.h"

namespace mneme::rag {

namespace {

constexpr size_t kLeastFields = 2;
constexpr size_t kLeastSettings = 3;

bool belongs_to_step(const LineCursor& cursor, size_t i) {
  bool ordered = false;
  static_cast<void>(item_mark(cursor.lines[i].trimmed, ordered));
  return !ordered && !cursor.blocks.empty() && cursor.blocks.back().kind == SentenceKind::kItem &&
         cursor.blocks.back().ordered && cursor.lines[i].indent > cursor.step_indent;
}

}  // namespace

bool read_fields(LineCursor& cursor) {
  std::vector<size_t> begins;
  size_t end = cursor.at;
  for (; !cursor.blank(end); ++end) {
    const TextLine& line = cursor.lines[end];
    if (line.indent == 0 && (is_field(line.trimmed) || is_setting(line.trimmed)))
      begins.push_back(end);
    else if (begins.empty() || line.indent == 0)
      return false;
  }
  const bool settings =
      std::any_of(begins.begin(), begins.end(), [&](size_t line) { return is_setting(cursor.lines[line].trimmed); });
  if (begins.size() < (settings ? kLeastSettings : kLeastFields)) return false;
  const int group = cursor.n_groups++;
  for (size_t i = 0; i < begins.size(); ++i) {
    const size_t next = i + 1 < begins.size() ? begins[i + 1] : end;
    cursor.add(SentenceKind::kItem, begins[i], next - 1, group);
    cursor.blocks.back().item = static_cast<int>(i);
  }
  cursor.at = end;
  return true;
}

bool read_item(LineCursor& cursor) {
  bool ordered = false;
  const size_t first = cursor.at;
  const TextLine& line = cursor.lines[first];
  if (item_mark(line.trimmed, ordered) == 0) return false;
  const auto says_its_own = [&](const TextLine& next) { return next.indent <= line.indent && is_field(next.trimmed); };
  for (++cursor.at; cursor.continues_block(cursor.at) && !says_its_own(cursor.here()); ++cursor.at) {
  }
  if (belongs_to_step(cursor, first)) {
    const LineBlock step = cursor.blocks.back();
    cursor.add(SentenceKind::kItem, first, cursor.at - 1, step.group);
    cursor.blocks.back().item = step.item;
    cursor.blocks.back().ordered = true;
    return true;
  }
  cursor.step_indent = line.indent;
  const bool begins_anew = line.trimmed.starts_with("1.") || line.trimmed.starts_with("1)");
  const bool goes_on = !cursor.blocks.empty() && cursor.blocks.back().kind == SentenceKind::kItem &&
                       cursor.blocks.back().ordered == ordered && !begins_anew;
  const int before = goes_on ? cursor.blocks.back().item : -1;
  cursor.add(SentenceKind::kItem, first, cursor.at - 1, goes_on ? cursor.blocks.back().group : cursor.n_groups++);
  cursor.blocks.back().item = before + 1;
  cursor.blocks.back().ordered = ordered;
  return true;
}

}  // namespace mneme::rag
