#include "rag/quoting/outline/table_lines.h"

#include "rag/quoting/outline/line_shapes.h"
#include "rag/quoting/outline/row_text.h"
#include "rag/quoting/outline/sentences.h"

namespace mneme::rag {

namespace {

constexpr size_t kLeastColumns = 3;

bool has_digit(std::string_view line) {
  return line.find_first_of("0123456789") != std::string_view::npos;
}

// The lines from the cursor to `end` as one table; its first line names the columns where it has no number.
void add_rows(LineCursor& cursor, size_t end) {
  const int group = cursor.n_groups++;
  const bool head = !has_digit(cursor.here().trimmed);
  for (const size_t first = cursor.at; cursor.at < end; ++cursor.at) {
    const bool names = head && cursor.at == first;
    cursor.add(names ? SentenceKind::kTableHead : SentenceKind::kRow, cursor.at, cursor.at, group);
  }
}

bool read_records_parted_by(LineCursor& cursor, char separator) {
  const std::string_view first = cursor.here().trimmed;
  const size_t columns = n_separators(first, separator) + 1;
  if (columns < kLeastColumns || is_item_line(first)) return false;
  size_t end = cursor.at;
  const bool may_be_prose = separator == ',';  // nobody parts words by the others
  const auto is_record = [&](size_t i) {
    const std::string_view line = cursor.lines[i].trimmed;
    const bool sentences = may_be_prose && line.find(". ") != std::string_view::npos;
    return n_separators(line, separator) + 1 == columns && !sentences;
  };
  while (!cursor.blank(end) && is_record(end)) ++end;
  if (!cursor.blank(end) || end - cursor.at < 2) return false;
  if (may_be_prose && ends_sentence(cursor.lines[end - 1].trimmed)) return false;
  // "12 May: oil and filter, 189 EUR": notes are written so, tables with the names of their columns or without
  // spaces.
  if (has_digit(first) && separator == ',' && first.find(", ") != std::string_view::npos) return false;
  add_rows(cursor, end);
  return true;
}

bool is_piped(const LineCursor& cursor, size_t i) {
  return !cursor.blank(i) && cursor.lines[i].trimmed.find(" | ") != std::string_view::npos;
}

// A row of a form or a bill, which has no head: "Customer ID: | CUST-98765", "TOTAL | | | 5,738".
bool states_values(std::string_view row) {
  std::vector<std::string> cells = row_cells(row);
  if (labels_its_cells(cells)) return true;
  std::erase(cells, "");
  return cells.size() == 2 && !has_digit(cells[0]) && has_digit(cells[1]);
}

bool is_amount(std::string_view cell) {
  constexpr std::string_view kSigns = "+-$€£ ";
  const size_t first = cell.find_first_not_of(kSigns);
  const size_t last = cell.find_last_of("0123456789");
  if (first == std::string_view::npos || last == std::string_view::npos || last < 3) return false;
  const std::string_view number = cell.substr(first, last + 1 - first);
  const bool cents = number.size() > 3 && (number[number.size() - 3] == '.' || number[number.size() - 3] == ',');
  return cents && number.find_first_not_of("0123456789.,") == std::string_view::npos;
}

// "1 | Staircase of ash | 6,200.00", the first position of a bill: what has cents names no column.
bool states_amount(std::string_view row) {
  const std::vector<std::string> cells = row_cells(row);
  return !cells.empty() && is_amount(cells.back());
}

// The names of the columns of a sheet, which a blank line parts from its rows.
bool heads_rows_below(const LineCursor& cursor) {
  const size_t below = cursor.at + 2;
  return is_piped(cursor, cursor.at) && cursor.blank(cursor.at + 1) && is_piped(cursor, below) &&
         row_cells(cursor.here().trimmed).size() >= row_cells(cursor.lines[below].trimmed).size();
}

}  // namespace

bool rows_begin(const LineCursor& cursor, size_t i) {
  return is_piped(cursor, i) && is_piped(cursor, i + 1);
}

bool read_table(LineCursor& cursor) {
  const std::string_view first = cursor.here().trimmed;
  const bool simple = first[0] == '=' && is_table_rule(first);
  const bool bars = first[0] == '|' || (first[0] == '+' && is_table_rule(first));
  const bool apart = heads_rows_below(cursor);
  if (!simple && !bars && !apart && !rows_begin(cursor, cursor.at)) return false;
  const int group = cursor.n_groups++;
  size_t head = std::string_view::npos;
  size_t n_rules = 0;
  std::vector<size_t> rows;
  if (apart) {
    rows.push_back(cursor.at);
    cursor.at += 2;
  }
  for (; !cursor.blank(cursor.at); ++cursor.at) {
    const std::string_view row = cursor.here().trimmed;
    const bool barred = bars && (row[0] == '|' || row[0] == '+');
    if (!simple && !barred && !is_piped(cursor, cursor.at)) break;
    if (is_table_rule(row)) {
      ++n_rules;
      if (rows.size() == 1) head = rows.front();
    } else {
      rows.push_back(cursor.at);
    }
  }
  // Rows that a reader wrote begin with a bar only where their first cell is empty.
  if (n_rules == 0 && !rows.empty() && (!bars || !first.ends_with('|')) && !states_values(first) &&
      !states_amount(first))
    head = rows.front();
  for (const size_t row : rows)
    cursor.add(row == head ? SentenceKind::kTableHead : SentenceKind::kRow, row, row, group);
  return true;
}

bool read_columns(LineCursor& cursor) {
  const size_t columns = n_columns(cursor.here().trimmed);
  if (columns < kLeastColumns) return false;
  size_t end = cursor.at + 1;
  while (!cursor.blank(end) && n_columns(cursor.lines[end].trimmed) == columns) ++end;
  if (end - cursor.at < 2) return false;
  add_rows(cursor, end);
  return true;
}

bool read_records(LineCursor& cursor) {
  return read_records_parted_by(cursor, ';') || read_records_parted_by(cursor, '\t') ||
         read_records_parted_by(cursor, ',');
}

}  // namespace mneme::rag
