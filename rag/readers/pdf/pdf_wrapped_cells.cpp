#include "rag/readers/pdf/pdf_wrapped_cells.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/ascii.h"

namespace mneme::readers {
namespace {

constexpr size_t kMostLines = 12;            // of one row
constexpr float kTight = 0.25F;              // of a line's height, between lines of one cell
constexpr float kSpaceWidth = 0.3F;          // likewise
constexpr std::ptrdiff_t kFewestSpaces = 2;  // of a line whose sentence may go on in upper case
constexpr float kCharacterWidth = 0.9F;      // of the mean of a cell's, for the first word of the next

bool is_amount(std::string_view text) {
  const bool digit = std::any_of(text.begin(), text.end(), is_digit);
  return digit && std::none_of(text.begin(), text.end(),
                               [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
}

// Lines of one row.
struct Group {
  size_t begin = 0;
  size_t end = 0;
};

class Wrapping {
 public:
  explicit Wrapping(const std::vector<TableLine>& lines) : lines_(lines) {
    const size_t n_columns = lines.empty() ? 0 : lines.front().size();
    right_.assign(n_columns, -1e9F);
    for (const TableLine& line : lines) {
      for (size_t c = 0; c < n_columns; ++c) {
        if (!line[c].text.empty()) right_[c] = std::max(right_[c], line[c].x_max);
      }
    }
  }

  std::vector<Group> groups() const {
    std::vector<Group> groups;
    for (size_t begin = 0; begin < lines_.size();) {
      const size_t end = end_of_group(begin);
      groups.push_back({begin, end});
      begin = end;
    }
    // One row is no table: where all is as close, lines are rows.
    if (groups.size() < 2) return each_line(0, lines_.size());
    std::vector<Group> checked;
    for (const Group& group : groups) {
      const std::vector<Group> rows = is_wrapped(group) ? std::vector<Group>{group} : each_line(group.begin, group.end);
      checked.insert(checked.end(), rows.begin(), rows.end());
    }
    return checked;
  }

 private:
  static std::vector<Group> each_line(size_t begin, size_t end) {
    std::vector<Group> rows;
    for (size_t i = begin; i < end; ++i) rows.push_back({i, i + 1});
    return rows;
  }

  // The next line that has something in the column; as many as there are lines: none.
  size_t next_in(size_t column, size_t line) const {
    size_t next = line + 1;
    while (next < lines_.size() && lines_[next][column].text.empty()) ++next;
    return next;
  }

  static bool goes_on(const TableCell& cell, const TableCell& below) {
    return below.y_min - cell.y_max < kTight * (cell.y_max - cell.y_min);
  }

  size_t end_of_group(size_t begin) const {
    size_t end = begin + 1;
    for (size_t i = begin; i < end; ++i) {
      for (size_t c = 0; c < right_.size(); ++c) {
        if (lines_[i][c].text.empty()) continue;
        const size_t next = next_in(c, i);
        if (next < lines_.size() && next >= end && goes_on(lines_[i][c], lines_[next][c])) end = next + 1;
      }
    }
    return end;
  }

  std::vector<const TableCell*> pieces_of(const Group& group, size_t column) const {
    std::vector<const TableCell*> pieces;
    for (size_t i = group.begin; i < group.end; ++i) {
      if (!lines_[i][column].text.empty()) pieces.push_back(&lines_[i][column]);
    }
    return pieces;
  }

  static bool goes_on_in_words(const TableCell& cell, const TableCell& below) {
    return std::islower(static_cast<unsigned char>(below.text.front())) != 0 || cell.text.ends_with('-');
  }

  // The next word had no room any more, or goes on in the middle of a sentence.
  static bool had_to_wrap(const TableCell& cell, const TableCell& below, float right) {
    if (goes_on_in_words(cell, below)) return true;
    if (std::count(cell.text.begin(), cell.text.end(), ' ') < kFewestSpaces) return false;
    const float character = kCharacterWidth * (below.x_max - below.x_min) / static_cast<float>(below.text.size());
    const auto word = static_cast<float>(std::min(below.text.find(' '), below.text.size()));
    return cell.x_max + kSpaceWidth * (cell.y_max - cell.y_min) + word * character > right;
  }

  bool fills_same_lines(const Group& group, size_t a, size_t b) const {
    for (size_t i = group.begin; i < group.end; ++i) {
      if (lines_[i][a].text.empty() != lines_[i][b].text.empty()) return false;
    }
    return true;
  }

  bool all_go_on_in_words(const Group& group, size_t column) const {
    const auto pieces = pieces_of(group, column);
    for (size_t i = 1; i < pieces.size(); ++i) {
      if (!goes_on_in_words(*pieces[i - 1], *pieces[i])) return false;
    }
    return true;
  }

  // Several columns of several lines each, beside each other: rows with a title at their side. Names of columns may be
  // of two lines each.
  bool is_grid(const Group& group) const {
    const auto may_be_names = [&](size_t column) { return group.begin == 0 && all_go_on_in_words(group, column); };
    for (size_t a = 0; a < right_.size(); ++a) {
      if (pieces_of(group, a).size() < 2) continue;
      for (size_t b = a + 1; b < right_.size(); ++b) {
        if (fills_same_lines(group, a, b) && !(may_be_names(a) && may_be_names(b))) return true;
      }
    }
    return false;
  }

  bool is_wrapped(const Group& group) const {
    if (group.end - group.begin < 2) return true;
    if (group.end - group.begin > kMostLines || is_grid(group)) return false;
    size_t fewest = kMostLines;
    size_t most = 0;
    size_t breaks = 0;
    size_t wrapped = 0;
    for (size_t c = 0; c < right_.size(); ++c) {
      const auto pieces = pieces_of(group, c);
      if (pieces.empty()) continue;
      fewest = std::min(fewest, pieces.size());
      most = std::max(most, pieces.size());
      for (size_t i = 1; i < pieces.size(); ++i) {
        if (!goes_on(*pieces[i - 1], *pieces[i])) return false;
        if (is_amount(pieces[i]->text) && is_amount(pieces[i - 1]->text)) return false;
        ++breaks;
        wrapped += had_to_wrap(*pieces[i - 1], *pieces[i], right_[c]) ? 1 : 0;
      }
    }
    return fewest < most && 3 * wrapped >= 2 * breaks;
  }

  const std::vector<TableLine>& lines_;
  std::vector<float> right_;  // edges of columns
};

void append(std::string& cell, const std::string& text) {
  if (text.empty()) return;
  const bool parted =
      cell.size() > 2 && cell.ends_with('-') && std::islower(static_cast<unsigned char>(text.front())) != 0;
  if (parted) {
    cell.pop_back();
  } else if (!cell.empty()) {
    cell += ' ';
  }
  cell += text;
}

// Whether the one column has nothing but a name, in the first row, and the other none.
bool is_name_of(const TableRows& rows, size_t name, size_t column) {
  if (rows.front()[name].empty() || !rows.front()[column].empty()) return false;
  return std::all_of(rows.begin() + 1, rows.end(),
                     [&](const std::vector<std::string>& row) { return row[name].empty(); });
}

// Names that are centred or flush right may stand over nothing that they name.
void put_names_over_columns(TableRows& rows) {
  for (size_t c = 0; rows.size() > 1 && c + 1 < rows.front().size();) {
    if (!is_name_of(rows, c, c + 1) && !is_name_of(rows, c + 1, c)) {
      ++c;
      continue;
    }
    for (std::vector<std::string>& row : rows) {
      row[c] += row[c + 1];
      row.erase(row.begin() + static_cast<std::ptrdiff_t>(c) + 1);
    }
  }
}

}  // namespace

TableRows join_wrapped_cells(const std::vector<TableLine>& lines) {
  TableRows rows;
  for (const Group& group : Wrapping(lines).groups()) {
    std::vector<std::string> row(lines.front().size());
    for (size_t i = group.begin; i < group.end; ++i) {
      for (size_t c = 0; c < row.size(); ++c) append(row[c], lines[i][c].text);
    }
    rows.push_back(std::move(row));
  }
  if (!rows.empty()) put_names_over_columns(rows);
  return rows;
}

}  // namespace mneme::readers
