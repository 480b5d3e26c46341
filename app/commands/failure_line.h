// A file that was not indexed, as people read it. Threads: a pure function.
#pragma once

#include <string>

namespace mneme::app {

// "not indexed: " with the path and the reason, which may begin with the path itself. One line, fit for a terminal.
std::string failure_line(const std::string& path, const std::string& error);

}  // namespace mneme::app
