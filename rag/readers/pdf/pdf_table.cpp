#include "rag/readers/pdf/pdf_table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "base/utf8.h"

namespace mneme::readers {
namespace {

constexpr size_t kFewestRows = 3;
constexpr double kLongestCell = 26;  // mean characters of a cell; columns of prose have twice as many

struct Piece {
  const PdfSegment* segment;
  size_t line;
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
    for (const PdfSegment& segment : line.segments) rows.back().pieces.push_back({&segment, index});
  }
  for (Row& row : rows) {
    std::sort(row.pieces.begin(), row.pieces.end(),
              [](const Piece& a, const Piece& b) { return a.segment->x_min < b.segment->x_min; });
  }
  return rows;
}

// Of cells, not of the pieces they are made of: lines that are set flush on both sides have wide gaps between words.
double mean_length(const PdfTable& table) {
  size_t characters = 0;
  size_t cells = 0;
  for (const auto& row : table.rows) {
    for (const std::string& cell : row) {
      characters += cell.size();
      cells += cell.empty() ? 0 : 1;
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
bool is_of_formulas(const PdfTable& table) {
  size_t cells = 0;
  size_t formulas = 0;
  for (const auto& row : table.rows) {
    for (const std::string& cell : row) {
      cells += cell.empty() ? 0 : 1;
      formulas += !cell.empty() && is_formula(cell) ? 1 : 0;
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
  size_t column = 0;
  while (column + 1 < starts.size() && starts[column + 1] <= piece.segment->x_min + 1) ++column;
  return column;
}

std::vector<std::string> cells_of(const Row& row, const std::vector<float>& starts) {
  std::vector<std::string> cells(std::max<size_t>(starts.size(), 1));
  for (const Piece& piece : row.pieces) {
    std::string& cell = cells[column_of(piece, starts)];
    if (!cell.empty()) cell += ' ';
    cell += piece.segment->text;
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

PdfTable make_table(const std::vector<Row>& rows, size_t begin, size_t end) {
  const std::vector<float> starts = column_starts(rows, begin, end);
  PdfTable table;
  if (starts.size() < 2) return table;
  std::vector<float> own;
  for (size_t r = begin, part_end = begin; r < end; ++r) {
    if (r == part_end) {
      part_end = end_of_part(rows, r, end);
      own = own_columns(rows, r, part_end, starts);
    }
    table.rows.push_back(cells_of(rows[r], own.empty() ? starts : own));
    for (const Piece& piece : rows[r].pieces) table.lines.push_back(piece.line);
  }
  std::sort(table.lines.begin(), table.lines.end());
  table.lines.erase(std::unique(table.lines.begin(), table.lines.end()), table.lines.end());
  return table;
}

// A line of several rows' heights would be torn apart; a block that reaches far out of the region is prose beside it.
bool tabular(const Row& row, float page_width) {
  if (row.pieces.size() < 2) return false;
  size_t longest = 0;
  for (const Piece& piece : row.pieces) {
    longest = std::max(longest, piece.segment->text.size());
    if (row.pieces.size() == 2 && piece.segment->x_max - piece.segment->x_min > 0.42F * page_width) return false;
  }
  return longest <= 60;
}

// width: of the page, or of the column of it that is looked at.
void find_tables_in(const std::vector<Row>& rows, float width, std::vector<PdfTable>& tables) {
  for (size_t begin = 0; begin < rows.size();) {
    if (!tabular(rows[begin], width)) {
      ++begin;
      continue;
    }
    // A row of one short piece between rows of several belongs to them: a cell that wraps, a heading of a group.
    size_t end = begin + 1;
    size_t many = 1;
    size_t last_many = end;
    while (end < rows.size() && rows[end].top - rows[end - 1].bottom < 2.5F * (rows[end].bottom - rows[end].top)) {
      const bool is_tabular = tabular(rows[end], width);
      if (!is_tabular && (rows[end].pieces.size() > 1 || rows[end].pieces[0].segment->text.size() > 40)) break;
      ++end;
      if (is_tabular) {
        ++many;
        last_many = end;
      } else if (end - last_many > 2) {
        break;
      }
    }
    end = last_many;
    const bool dense = many >= kFewestRows && 2 * many >= end - begin;
    if (dense) {
      PdfTable table = make_table(rows, begin, end);
      if (!table.rows.empty() && mean_length(table) <= kLongestCell && !is_of_formulas(table))
        tables.push_back(std::move(table));
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
    const float width = regions.size() == 1 ? page.width : width_of(page, lines);
    find_tables_in(rows_of(page, std::move(lines)), width, tables);
  }
  return tables;
}

}  // namespace mneme::readers
