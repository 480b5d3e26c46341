// How the window says names and messages of the program. Threads: pure functions.
#pragma once

#include <string>

namespace mneme::ui {

// A message of the program as a sentence: a capital (unless it begins with a name) and a full stop.
std::string as_sentence(const std::string& message);

std::string level_name(const std::string& level);  // of stored caches: "exact", "high", ...
std::string mode_name(const std::string& mode);    // of reusing them: "full", "blend", ...
std::string file_name(const std::string& path);

}  // namespace mneme::ui
