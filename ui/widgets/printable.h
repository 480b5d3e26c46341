// What may be drawn or copied of a text that a document or a model wrote. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::ui {

// Control characters out, bidirectional overrides shown as U+FFFD: what may be drawn or copied.
std::string printable(std::string_view text);
// The same on one line: for titles, paths and names.
std::string one_line(std::string_view text);

}  // namespace mneme::ui
