#include "rag/quoting/outline/heading_lines.h"

#include <algorithm>

#include "base/ascii.h"
#include "rag/quoting/outline/line_shapes.h"
#include "rag/text/documents/section_numbers.h"
#include "rag/text/quantities/numbers.h"
#include "rag/text/words/identifiers.h"

namespace mneme::rag {

namespace {

bool is_underlined(const LineCursor& cursor, size_t i) {
  const std::vector<TextLine>& lines = cursor.lines;
  bool ordered = false;
  if (cursor.blank(i + 1) || lines[i].trimmed.starts_with('|') || lines[i].indent > 0) return false;
  if (!is_adornment(lines[i + 1].trimmed) || lines[i + 1].indent > 0) return false;
  if (item_mark(lines[i].trimmed, ordered) > 0 && !ordered) return false;
  return lines[i + 1].trimmed.size() + 2 >= visible_width(lines[i].trimmed);
}

// "law of demand" and below it ": the relation that ...", as glossaries in Markdown have it: the term heads what
// follows.
bool read_defined_term(LineCursor& cursor) {
  const TextLine& term = cursor.here();
  const TextLine* next = cursor.line(cursor.at + 1);
  if (next == nullptr || !begins_definition(next->trimmed) || term.indent > 0) return false;
  if (term.trimmed.size() > kShortLine || begins_definition(term.trimmed)) return false;
  cursor.add(SentenceKind::kHeading, cursor.at, cursor.at);
  const size_t first = ++cursor.at;
  const auto goes_on = [&](size_t i) {
    return cursor.continues_block(i) && cursor.lines[i].trimmed != "^" && !begins_definition(cursor.lines[i].trimmed);
  };
  for (++cursor.at; goes_on(cursor.at); ++cursor.at) {
  }
  cursor.add(SentenceKind::kText, first, cursor.at - 1);
  cursor.blocks.back().byte_begin += cursor.lines[first].trimmed.find_first_not_of(": ");
  cursor.blocks.back().defined = true;
  if (!cursor.blank(cursor.at) && cursor.here().trimmed == "^") ++cursor.at;
  return true;
}

// "3 Results", above "3.1 Method".
bool heads_section(const LineCursor& cursor, const SectionNumber& number, size_t next) {
  next = cursor.next_said(next);
  if (number.levels != 1 || next >= cursor.lines.size()) return false;
  const SectionNumber below = section_number(cursor.lines[next].trimmed);
  return below.levels > 1 && below.first == number.first;
}

// "3 Results" and at once below it "3.1 Method".
bool follows_heading(const LineCursor& cursor) {
  return !cursor.blocks.empty() && cursor.blocks.back().kind == SentenceKind::kHeading &&
         cursor.blocks.back().byte_end == cursor.lines[cursor.at - 1].end();
}

// "3. Rent", and below it running text at the margin: no item of a list, but a section of a contract.
bool heads_paragraph(const LineCursor& cursor, std::string_view title, size_t next) {
  next = cursor.next_said(next);
  if (next >= cursor.lines.size() || cursor.lines[next].indent > 0 || is_item_line(cursor.lines[next].trimmed)) {
    return false;
  }
  const std::string_view text = cursor.lines[next].trimmed;
  return begins_upper(text) && text.size() > title.size() && (ends_sentence(text) || text.size() > kShortLine);
}

// A list, as calendars and contacts have it below the name of each entry.
bool heads_items(const LineCursor& cursor, size_t next) {
  next = cursor.next_said(next);
  return next < cursor.lines.size() && is_item_line(cursor.lines[next].trimmed);
}

// Whether the line at the cursor, a short one, heads what stands behind the blank line below it. marked: like an item.
bool heads_what_follows(const LineCursor& cursor, const SectionNumber& number, bool marked) {
  const std::string_view title = cursor.here().trimmed;
  const size_t behind = cursor.at + 2;
  if (behind >= cursor.lines.size() || (is_wide_line(title) && !heads_items(cursor, behind))) return false;
  return !marked || heads_section(cursor, number, cursor.at + 1) || heads_paragraph(cursor, title, behind);
}

// "EXIT STATUS", as pages of manuals write them over indented text.
bool is_in_capitals(std::string_view title) {
  constexpr size_t kLeastCapitals = 4;
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  const bool others = std::any_of(title.begin(), title.end(), [&](char c) { return !is_capital(c) && c != ' '; });
  return !others && title.size() >= kLeastCapitals;
}

// ... or the longer line right below it, which begins a sentence ("2. The new crane", "§ 3 Rent").
bool heads_next_line(const LineCursor& cursor, const TextLine& next) {
  const std::string_view title = cursor.here().trimmed;
  const bool begins = begins_upper(next.trimmed) || section_number(next.trimmed).levels > 1;  // "2.1 The rent"
  const bool sentence = next.indent == 0 && begins && next.trimmed.size() > title.size() && !is_wide_line(title);
  const size_t n_commas = n_separators(title, ',');
  const bool record = n_commas > 0 && n_commas == n_separators(next.trimmed, ',');
  const bool boxes = next.trimmed.starts_with("[") && is_item_line(next.trimmed);  // a list of things to do
  return (sentence && !record) || boxes || (next.indent > 0 && is_in_capitals(title));
}

// Whether a line could be a heading by its own looks.
bool may_head(const TextLine& line) {
  bool ordered = false;
  const bool item = item_mark(line.trimmed, ordered) > 0 && !ordered;
  if (item || line.indent > 0 || line.trimmed.size() > kShortLine || ends_sentence(line.trimmed)) return false;
  return !states_number(line.trimmed) && line.trimmed.find('|') == std::string_view::npos &&
         !line.trimmed.starts_with('<');
}

// "idle_timeout", "publish(topic, payload)": what a reference lists, alone above what it says of it.
bool is_name_alone(std::string_view title) {
  const size_t open = std::min(title.find('('), title.size());
  const std::string_view name = title.substr(0, open);
  const auto is_part = [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.' || c == '-'; };
  const bool one_word = !name.empty() && is_letter(name.front()) && std::all_of(name.begin(), name.end(), is_part);
  if (!one_word) return false;
  if (open < title.size()) return title.ends_with(')');
  return !begins_upper(name) || !identifiers_in(name).empty();
}

// "Allergies: penicillin", above or below another such line: it says something, and heads nothing. "MEP 20: Principles"
// and what a text begins with are titles.
bool is_one_of_fields(const LineCursor& cursor) {
  const auto says = [](std::string_view line) { return is_field(line) || has_wide_label(line); };
  const std::string_view here = cursor.here().trimmed;
  size_t before = cursor.at;
  while (before > 0 && cursor.blank(before - 1)) --before;
  if (before == 0 || !says(here) || has_digits(here.substr(0, here.find(':')))) return false;
  const size_t next = cursor.next_said(cursor.at + 1);
  return says(cursor.lines[before - 1].trimmed) || (next < cursor.lines.size() && says(cursor.lines[next].trimmed));
}

// A short line that is no sentence: alone between blank lines with text to follow, or above a longer line.
bool read_bare_heading(LineCursor& cursor) {
  const TextLine& here = cursor.here();
  if (!may_head(here) || is_one_of_fields(cursor)) return false;
  bool ordered = false;
  const size_t mark = item_mark(here.trimmed, ordered);
  // "2.1 Method" is no item of a list.
  const SectionNumber number = section_number(here.trimmed);
  const bool section = number.levels > 1 || heads_section(cursor, number, cursor.at + 1);
  const size_t title = section ? number.n_bytes : mark;
  const bool name = is_name_alone(here.trimmed);
  if (is_table_rule(here.trimmed) || (!name && !begins_upper(here.trimmed.substr(title)))) return false;
  if (cursor.at > 0 && !cursor.blank(cursor.at - 1) && !follows_heading(cursor)) return false;
  const TextLine* next = cursor.line(cursor.at + 1);
  if (next == nullptr) return false;
  const bool heads = next->blank() ? heads_what_follows(cursor, number, mark > 0) : heads_next_line(cursor, *next);
  if (!heads || (name && !next->blank())) return false;
  cursor.add(SentenceKind::kHeading, cursor.at, cursor.at);
  cursor.blocks.back().defined = name;
  ++cursor.at;
  return true;
}

}  // namespace

bool read_heading(LineCursor& cursor) {
  const TextLine& here = cursor.here();
  if (here.trimmed.starts_with('#')) {
    cursor.add(SentenceKind::kHeading, cursor.at, cursor.at);
    ++cursor.at;
    return true;
  }
  // An overline comes with an underline of its own.
  const bool over = is_adornment(here.trimmed) && cursor.at + 2 < cursor.lines.size() && !cursor.blank(cursor.at + 1) &&
                    cursor.lines[cursor.at + 2].trimmed == here.trimmed;
  const size_t title = cursor.at + (over ? 1 : 0);
  if (over || is_underlined(cursor, cursor.at)) {
    cursor.add(SentenceKind::kHeading, title, title);
    cursor.at = title + 2;
    return true;
  }
  if (is_adornment(here.trimmed)) {  // a rule between paragraphs
    ++cursor.at;
    return true;
  }
  return read_defined_term(cursor) || read_bare_heading(cursor);
}

}  // namespace mneme::rag
