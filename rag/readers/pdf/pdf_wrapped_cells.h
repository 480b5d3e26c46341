// Cells of tables whose text goes over several lines: their rows are put together. Internal to rag/readers.
// Threads: functions.
#pragma once

#include <string>
#include <vector>

namespace mneme::readers {

// What a line of a table holds in one column. Empty text: nothing.
struct TableCell {
  std::string text;
  float x_min = 0;
  float x_max = 0;
  float y_min = 0;
  float y_max = 0;
};
using TableLine = std::vector<TableCell>;  // by column; all lines of a table have the same number
using TableRows = std::vector<std::vector<std::string>>;

// Rows of a table of these lines, from top to bottom. Lines belong to one row where the text of a cell goes on from the
// one to the other: as close as lines of a paragraph, while another cell has one line alone. Where nothing tells, as in
// tables without room between their rows, each line is a row. Names of columns are put over what they name.
TableRows join_wrapped_cells(const std::vector<TableLine>& lines);

}  // namespace mneme::readers
