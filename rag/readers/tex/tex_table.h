// Rows and cells of LaTeX's tables. Threads: pure function.
#pragma once

#include <string_view>
#include <vector>

namespace mneme::readers {

// The content of a tabular environment as its rows' cells, as written, without rules. What stands within braces or
// another environment parts nothing.
std::vector<std::vector<std::string_view>> tex_table_rows(std::string_view content);

}  // namespace mneme::readers
