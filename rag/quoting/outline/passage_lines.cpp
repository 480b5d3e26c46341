#include "rag/quoting/outline/passage_lines.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "rag/quoting/outline/heading_lines.h"
#include "rag/quoting/outline/line_cursor.h"
#include "rag/quoting/outline/line_shapes.h"
#include "rag/quoting/outline/list_lines.h"
#include "rag/quoting/outline/table_lines.h"

namespace mneme::rag {

namespace {

// Between fences; a fence that never closes is one line.
bool read_code(LineCursor& cursor) {
  const std::vector<TextLine>& lines = cursor.lines;
  const std::string_view mark = cursor.here().trimmed.substr(0, 3);
  if (mark != "```" && mark != "~~~") return false;
  size_t end = cursor.at + 1;
  while (end < lines.size() && !lines[end].trimmed.starts_with(mark)) ++end;
  size_t first = cursor.at + 1;
  cursor.at = end < lines.size() ? end + 1 : first;
  if (end >= lines.size()) return true;
  while (first < end && lines[first].blank()) ++first;
  while (end > first && lines[end - 1].blank()) --end;
  if (end > first) cursor.add(SentenceKind::kCode, first, end - 1);
  return true;
}

bool is_told_in_front(std::string_view line) {
  constexpr std::string_view kKeys[] = {"title",       "author",  "authors", "date",   "created", "published",
                                        "description", "summary", "version", "status", "licence", "license"};
  const std::string_view key = line.substr(0, std::min(line.find(':'), line.size()));
  return std::find(std::begin(kKeys), std::end(kKeys), key) != std::end(kKeys);
}

// Between two "---" at the very beginning: of what stands there only what says whose and of when the text is.
bool read_front_matter(LineCursor& cursor) {
  const std::vector<TextLine>& lines = cursor.lines;
  if (cursor.at != 0 || lines[0].trimmed != "---") return false;
  size_t end = 1;
  while (end < lines.size() && lines[end].trimmed != "---") ++end;
  if (end == lines.size() || end < 2 || lines[1].trimmed.find(':') == std::string_view::npos) return false;
  for (size_t i = 1; i < end; ++i) {
    if (is_told_in_front(lines[i].trimmed)) cursor.add(SentenceKind::kItem, i, i, cursor.n_groups);
  }
  ++cursor.n_groups;
  cursor.at = end + 1;
  return true;
}

bool continues_quotation(const LineCursor& cursor, size_t i) {
  if (cursor.blank(i) || !is_quoted_line(cursor.lines[i].trimmed)) return false;
  const std::string_view within = within_quotation(cursor.lines[i].trimmed);
  return !within.empty() && is_plain_line(within);
}

// Lines that each say something of their own, as bills and travel plans have them ("Hotel: Casa Rosa, 92 euros"), not
// running text: none goes on in small letters, and half of them have a label or end with a number.
bool are_notes(const LineCursor& cursor, size_t first, size_t end) {
  constexpr size_t kLeastNotes = 2;
  size_t notes = 0;
  for (size_t i = first; i < end; ++i) {
    const std::string_view text = cursor.lines[i].trimmed;
    if (i > first && !begins_upper(text) && !is_digit(text.front()) && !is_field(text)) return false;
    if (i > first && cursor.lines[i - 1].trimmed.ends_with(',')) return false;
    notes += is_field(text) || has_wide_label(text) || states_number(text) ? 1 : 0;
  }
  return notes >= kLeastNotes && notes * 2 >= end - first;
}

constexpr size_t kWideWord = 3;  // characters: what may not begin a line goes along with what stands before it

// Lines that nobody broke to fit a page, as lists of changes without marks have them: none ends a sentence, and behind
// most of them the next line's first word would have had room.
bool are_lines_of_their_own(const LineCursor& cursor, size_t first, size_t end) {
  constexpr size_t kLeastLines = 4;
  constexpr size_t kLeastWide = 2;
  const bool wide = is_wide_line(cursor.lines[first].trimmed);  // broken at any character, with a stop or without
  if (end - first < (wide ? kLeastWide : kLeastLines)) return false;
  size_t widest = 0;
  for (size_t i = first; i < end; ++i) {
    const std::string_view text = cursor.lines[i].trimmed;
    if (!wide && (ends_sentence(text) || text.find(". ") != std::string_view::npos)) return false;
    widest = std::max(widest, visible_width(text));
  }
  size_t n_roomy = 0;
  for (size_t i = first; i + 1 < end; ++i) {
    const std::string_view next = cursor.lines[i + 1].trimmed;
    const size_t word = is_wide_line(next) ? kWideWord : visible_width(next.substr(0, next.find(' ')));
    n_roomy += visible_width(cursor.lines[i].trimmed) + 1 + word <= widest ? 1 : 0;
  }
  return n_roomy * 3 >= (end - first - 1) * 2;
}

void read_paragraph(LineCursor& cursor) {
  const size_t first = cursor.at++;
  const std::string_view begins = cursor.lines[first].trimmed;
  if (within_quotation(begins).empty()) return;  // between paragraphs of a quotation
  const bool quoted = is_quoted_line(begins);
  const auto goes_on = [&] {
    if (quoted) return continues_quotation(cursor, cursor.at);
    return cursor.continues_block(cursor.at) && !rows_begin(cursor, cursor.at) &&
           message_stamp(cursor.lines[cursor.at].trimmed) == 0;
  };
  while (goes_on()) ++cursor.at;
  if (!quoted && (are_notes(cursor, first, cursor.at) || are_lines_of_their_own(cursor, first, cursor.at))) {
    for (size_t i = first; i < cursor.at; ++i) cursor.add(SentenceKind::kText, i, i);
    return;
  }
  const bool below_term =
      !cursor.blocks.empty() && cursor.blocks.back().kind == SentenceKind::kHeading && cursor.blocks.back().defined;
  cursor.add(SentenceKind::kText, first, cursor.at - 1);
  cursor.blocks.back().defined = below_term;
}

}  // namespace

std::vector<LineBlock> line_blocks(std::string_view text) {
  LineCursor cursor(text);
  while (!cursor.done()) {
    if (cursor.here().blank()) {
      ++cursor.at;
      continue;
    }
    const bool special = read_front_matter(cursor) || read_code(cursor) || read_fields(cursor) ||
                         read_columns(cursor) || read_heading(cursor) || read_table(cursor) || read_records(cursor) ||
                         read_item(cursor);
    if (!special) read_paragraph(cursor);
  }
  return std::move(cursor.blocks);
}

}  // namespace mneme::rag
