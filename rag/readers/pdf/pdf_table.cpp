#include "rag/readers/pdf/pdf_table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "base/utf8.h"
#include "rag/readers/pdf/pdf_wrapped_cells.h"

namespace mneme::readers {
namespace {

constexpr size_t kFewestRows = 3;
constexpr float kFarthestBefore = 8;  // points before its column that a cell begins
constexpr size_t kMostTitles = 2;     // lines of one piece between rows of several: headings of groups
constexpr size_t kMostOfACell = 6;    // likewise, of a cell that goes on
constexpr size_t kDensest = 3;        // lines of a table for each of several pieces, at most
constexpr double kLongestCell = 26;   // mean characters of a cell; columns of prose have twice as many

struct Piece {
  const PdfSegment* segment;
  size_t line;
  const PdfLine* of;
};

struct Row {
  float top = 0;
  float bottom = 0;
  std::vector<Piece> pieces;  // from left to right
};

float width_of(const PdfPage& page, const std::vector<size_t>& lines) {
  float left = 1e9F;
  float right = -1e9F;
  for (const size_t i : lines) {
    left = std::min(left, page.lines[i].x_min);
    right = std::max(right, page.lines[i].x_max);
  }
  return right - left;
}

std::vector<Row> rows_of(const PdfPage& page, std::vector<size_t> order) {
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const float above = page.lines[a].middle();
    const float below = page.lines[b].middle();
    return above != below ? above < below : a < b;
  });
  std::vector<Row> rows;
  for (const size_t index : order) {
    const PdfLine& line = page.lines[index];
    const bool same =
        !rows.empty() && line.middle() < rows.back().bottom - 0.35F * line.height() && line.middle() > rows.back().top;
    if (!same) rows.push_back({line.y_min, line.y_max, {}});
    for (const PdfSegment& segment : line.segments) rows.back().pieces.push_back({&segment, index, &line});
  }
  for (Row& row : rows) {
    std::sort(row.pieces.begin(), row.pieces.end(),
              [](const Piece& a, const Piece& b) { return a.segment->x_min < b.segment->x_min; });
  }
  return rows;
}

// Of cells, not of the pieces they are made of: lines that are set flush on both sides have wide gaps between words.
double mean_length(const std::vector<TableLine>& lines) {
  size_t characters = 0;
  size_t cells = 0;
  for (const TableLine& line : lines) {
    for (const TableCell& cell : line) {
      characters += cell.text.size();
      cells += cell.text.empty() ? 0 : 1;
    }
  }
  return cells == 0 ? 0 : static_cast<double>(characters) / static_cast<double>(cells);
}

// Letters and signs that only formulas have.
bool is_formula(std::string_view text) {
  size_t n_signs = 0;
  size_t n_characters = 0;
  for (size_t i = 0; i < text.size();) {
    const char32_t c = utf8::next(text, i);
    const bool sign = (c >= 0x2200 && c <= 0x22ff) || (c >= 0x1d400 && c <= 0x1d7ff) || c == '=' || c == '+';
    n_signs += sign ? 1 : 0;
    n_characters += c != ' ' ? 1 : 0;
  }
  return 2 * n_signs >= n_characters;
}

// Parts of displayed formulas stand above and beside each other as cells do.
bool is_of_formulas(const std::vector<TableLine>& lines) {
  size_t cells = 0;
  size_t formulas = 0;
  for (const TableLine& line : lines) {
    for (const TableCell& cell : line) {
      cells += cell.text.empty() ? 0 : 1;
      formulas += !cell.text.empty() && is_formula(cell.text) ? 1 : 0;
    }
  }
  return 5 * formulas >= 2 * cells;
}

// Borders between columns: the gaps that (almost) no piece of the region crosses.
std::vector<float> column_starts(const std::vector<Row>& rows, size_t begin, size_t end) {
  struct Span {
    float left;
    float right;
  };
  std::vector<Span> spans;
  for (size_t r = begin; r < end; ++r) {
    if (rows[r].pieces.size() < 2) continue;  // titles across the table
    for (const Piece& piece : rows[r].pieces) spans.push_back({piece.segment->x_min, piece.segment->x_max});
  }
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.left < b.left; });
  std::vector<float> starts;
  float reach = -1e9F;
  for (const Span& span : spans) {
    if (span.left > reach + 1) starts.push_back(span.left);
    reach = std::max(reach, span.right);
  }
  return starts;
}

size_t column_of(const Piece& piece, const std::vector<float>& starts) {
  // What is centred over a column may begin a little before it.
  const float width = piece.segment->x_max - piece.segment->x_min;
  const float begin = piece.segment->x_min + std::clamp(0.25F * width, 1.0F, kFarthestBefore);
  size_t column = 0;
  while (column + 1 < starts.size() && starts[column + 1] <= begin) ++column;
  return column;
}

TableLine cells_of(const Row& row, const std::vector<float>& starts) {
  TableLine cells(std::max<size_t>(starts.size(), 1));
  for (const Piece& piece : row.pieces) {
    TableCell& cell = cells[column_of(piece, starts)];
    if (cell.text.empty()) cell = {"", piece.segment->x_min, piece.segment->x_max, piece.of->y_min, piece.of->y_max};
    if (!cell.text.empty()) cell.text += ' ';
    cell.text += piece.segment->text;
    cell.x_max = std::max(cell.x_max, piece.segment->x_max);
  }
  return cells;
}

// The rows up to the next one of a single piece. Such a row often parts two tables, as forms stack them; they have more
// columns each than gaps that run through both.
size_t end_of_part(const std::vector<Row>& rows, size_t begin, size_t end) {
  size_t part_end = begin + 1;
  while (part_end < end && rows[part_end].pieces.size() > 1) ++part_end;
  return part_end;
}

bool parts_all_pieces(const std::vector<Row>& rows, size_t begin, size_t end, const std::vector<float>& starts) {
  for (size_t r = begin; r < end; ++r) {
    const std::vector<Piece>& pieces = rows[r].pieces;
    for (size_t i = 1; i < pieces.size(); ++i) {
      if (column_of(pieces[i], starts) == column_of(pieces[i - 1], starts)) return false;
    }
  }
  return true;
}

// Columns of a part whose pieces those of the whole table throw together; empty: they need not have their own.
std::vector<float> own_columns(const std::vector<Row>& rows, size_t begin, size_t end,
                               const std::vector<float>& whole) {
  if (parts_all_pieces(rows, begin, end, whole)) return {};
  std::vector<float> own = column_starts(rows, begin, end);
  if (!parts_all_pieces(rows, begin, end, own)) own.clear();
  return own;
}

// Lines of a table, before those of one row are put together.
struct Lines {
  std::vector<TableLine> cells;
  std::vector<size_t> of_page;  // as PdfTable::lines
  bool has_parts = false;       // of other columns
};

Lines lines_of_table(const std::vector<Row>& rows, size_t begin, size_t end) {
  const std::vector<float> starts = column_starts(rows, begin, end);
  Lines lines;
  if (starts.size() < 2) return lines;
  std::vector<float> own;
  for (size_t r = begin, part_end = begin; r < end; ++r) {
    if (r == part_end) {
      part_end = end_of_part(rows, r, end);
      own = own_columns(rows, r, part_end, starts);
    }
    lines.has_parts = lines.has_parts || !own.empty();
    lines.cells.push_back(cells_of(rows[r], own.empty() ? starts : own));
    for (const Piece& piece : rows[r].pieces) lines.of_page.push_back(piece.line);
  }
  std::sort(lines.of_page.begin(), lines.of_page.end());
  lines.of_page.erase(std::unique(lines.of_page.begin(), lines.of_page.end()), lines.of_page.end());
  return lines;
}

std::vector<std::vector<std::string>> rows_of_lines(const Lines& lines) {
  if (!lines.has_parts) return join_wrapped_cells(lines.cells);
  std::vector<std::vector<std::string>> rows;
  for (const TableLine& line : lines.cells) {
    std::vector<std::string>& row = rows.emplace_back();
    for (const TableCell& cell : line) row.push_back(cell.text);
  }
  return rows;
}

// A line by itself within a column of the rows above and below it: the text of a cell goes on, or is longer than those
// beside it.
bool is_within_a_column(const std::vector<Row>& rows, size_t begin, size_t row) {
  constexpr size_t kFarthest = 4;
  if (rows[row].pieces.size() != 1) return false;
  const std::vector<float> starts = column_starts(rows, begin, std::min(row + kFarthest, rows.size()));
  if (starts.size() < 2) return false;
  const Piece& piece = rows[row].pieces.front();
  const size_t column = column_of(piece, starts);
  const bool begins = piece.segment->x_min > starts[column] - kFarthestBefore;
  return begins && (column + 1 == starts.size() || piece.segment->x_max < starts[column + 1]);
}

// A line of several rows' heights would be torn apart; a block that reaches far out of the region is prose beside it.
bool tabular(const Row& row, float widest) {
  if (row.pieces.size() < 2) return false;
  size_t longest = 0;
  for (const Piece& piece : row.pieces) {
    longest = std::max(longest, piece.segment->text.size());
    if (row.pieces.size() == 2 && piece.segment->x_max - piece.segment->x_min > widest) return false;
  }
  return longest <= 60;
}

bool is_tight(const Row& above, const Row& below) {
  return below.top - above.bottom < 0.25F * (below.bottom - below.top);
}

// Whether a line by itself is as close to a row as lines of a cell are: to that before it, or over further lines to the
// next of several pieces.
bool touches_a_row(const std::vector<Row>& rows, size_t row, float widest) {
  if (is_tight(rows[row - 1], rows[row])) return true;
  for (size_t next = row + 1; next < rows.size() && next <= row + kMostOfACell; ++next) {
    if (!is_tight(rows[next - 1], rows[next])) return false;
    if (tabular(rows[next], widest)) return true;
  }
  return false;
}

// Behind the last row of several pieces: lines in which a cell of it goes on.
size_t end_with_cell(const std::vector<Row>& rows, size_t begin, size_t last_many, size_t end) {
  size_t with_cell = last_many;
  while (with_cell < end && is_tight(rows[with_cell - 1], rows[with_cell]) &&
         is_within_a_column(rows, begin, with_cell)) {
    ++with_cell;
  }
  return with_cell;
}

// Before the first row of several pieces: lines in which a cell of it begins. first: that may be taken.
size_t begin_with_cell(const std::vector<Row>& rows, size_t first, size_t begin) {
  constexpr size_t kMost = 3;
  size_t with_cell = begin;
  while (with_cell > first && begin - with_cell < kMost && is_tight(rows[with_cell - 1], rows[with_cell]) &&
         is_within_a_column(rows, with_cell - 1, with_cell - 1)) {
    --with_cell;
  }
  return with_cell;
}

// Lines of a table, and around them those that may be of cells of its first and last row.
struct Extent {
  size_t first = 0;
  size_t begin = 0;
  size_t end = 0;
  size_t last = 0;
};

bool says_one_thing(const std::vector<std::string>& row) {
  return std::count_if(row.begin(), row.end(), [](const std::string& cell) { return !cell.empty(); }) < 2;
}

Lines lines_with_cells(const std::vector<Row>& rows, Extent extent) {
  Lines lines = lines_of_table(rows, extent.first, extent.last);
  if (lines.cells.empty() || (extent.first == extent.begin && extent.last == extent.end)) return lines;
  const auto of_rows = rows_of_lines(lines);
  if (says_one_thing(of_rows.front())) extent.first = extent.begin;
  if (says_one_thing(of_rows.back())) extent.last = extent.end;
  return lines_of_table(rows, extent.first, extent.last);
}

// widest: of a piece that has but one beside it.
void find_tables_in(const std::vector<Row>& rows, float widest, std::vector<PdfTable>& tables) {
  size_t free = 0;  // the first row that is in no table
  for (size_t begin = 0; begin < rows.size();) {
    if (!tabular(rows[begin], widest)) {
      ++begin;
      continue;
    }
    // A row of one short piece between rows of several belongs to them: a cell that wraps, a heading of a group.
    size_t end = begin + 1;
    size_t many = 1;
    size_t last_many = end;
    size_t by_themselves = 0;  // since the last row of several pieces
    while (end < rows.size() && rows[end].top - rows[end - 1].bottom < 2.5F * (rows[end].bottom - rows[end].top)) {
      const bool is_tabular = tabular(rows[end], widest);
      const bool goes_on = !is_tabular && is_within_a_column(rows, begin, end) && touches_a_row(rows, end, widest);
      if (!is_tabular && !goes_on && (rows[end].pieces.size() > 1 || rows[end].pieces[0].segment->text.size() > 40))
        break;
      ++end;
      by_themselves = is_tabular ? 0 : by_themselves + 1;
      if (is_tabular) {
        ++many;
        last_many = end;
      } else if (by_themselves > (goes_on ? kMostOfACell : kMostTitles)) {
        break;
      }
    }
    end = end_with_cell(rows, begin, last_many, end);
    const bool dense = many >= kFewestRows && kDensest * many >= end - begin;
    if (dense) {
      const Lines lines = lines_with_cells(rows, {begin_with_cell(rows, free, begin), begin, last_many, end});
      if (!lines.cells.empty() && mean_length(lines.cells) <= kLongestCell && !is_of_formulas(lines.cells)) {
        tables.push_back({lines.of_page, rows_of_lines(lines)});
        free = end;
      }
    }
    begin = std::max(end, begin + 1);
  }
}

}  // namespace

std::vector<PdfTable> find_tables(const PdfPage& page, const std::vector<bool>& taken) {
  std::vector<PdfTable> tables;
  if (page.width <= 0 || page.lines.size() > 5000) return tables;
  std::map<int, std::vector<size_t>> regions;
  for (size_t i = 0; i < page.lines.size(); ++i) {
    if (!taken[i]) regions[page.lines[i].region].push_back(i);
  }
  for (auto& [region, lines] : regions) {
    // Columns of prose were parted before (pdf_regions.h), but not all of them.
    const float widest = std::min(0.42F * page.width, 0.65F * width_of(page, lines));
    find_tables_in(rows_of(page, std::move(lines)), widest, tables);
  }
  return tables;
}

}  // namespace mneme::readers
