// The beginning of a passage, as lists and tooltips show it. Threads: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::ui {

// Of a Markdown text, without its marks, at most about limit_bytes, with an ellipsis when it was cut, behind a word.
std::string plain_excerpt(std::string_view markdown, size_t limit_bytes);

// Of code: its first lines without the indentation they share, and an ellipsis on a line of its own when there are
// more.
std::vector<std::string> code_excerpt(std::string_view code, size_t most_lines);

}  // namespace mneme::ui
