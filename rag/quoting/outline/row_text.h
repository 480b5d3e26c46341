// The row of a table: its cells, and as a reader would say it. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {

// The cells of a table's row: between bars, else between runs of spaces, else between commas (CSV).
std::vector<std::string> row_cells(std::string_view row);

// A row of a form, which names its values in cells of its own: "Customer ID: | CUST-98765".
bool labels_its_cells(const std::vector<std::string>& cells);

// A row for reading under the row that names its columns (may be empty): "power: 750 W", "light: red; cause: too hot".
std::string plain_row(std::string_view row, std::string_view head);
std::string plain_row(const std::vector<std::string>& cells, const std::vector<std::string>& names);

}  // namespace mneme::rag
