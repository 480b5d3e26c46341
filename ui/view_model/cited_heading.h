// The headings above a line of a passage, for Markdown: what is kept of a passage names those above its first line.
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mneme::ui {

// `path`: "Guide > Install", above (and, where the passage begins with a heading, within) the passage's first line. The
// same above the line that begins at `byte`. How deep the headings of `path` are is taken from their number, unless the
// passage begins with the last of them.
std::string heading_above(std::string_view path, std::string_view passage, size_t byte);

}  // namespace mneme::ui
