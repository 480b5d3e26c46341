// A file that was not indexed, as people read it. Threads: a pure function.
#pragma once

#include <string>

namespace mneme::app {

// "not indexed: " with the path, unless the reason names it, and the reason. One line, fit for a terminal.
std::string failure_line(const std::string& path, const std::string& error);

}  // namespace mneme::app
