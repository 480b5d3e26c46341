// How the window says times, names and messages of the program. Threads: pure functions.
#pragma once

#include <string>

namespace mneme::ui {

// A message of the program as a sentence: a capital (unless it begins with a name) and a full stop.
std::string as_sentence(const std::string& message);

std::string human_seconds(double seconds);  // "45 s", "3 min 20 s"
std::string human_milliseconds(double ms);  // "231 ms", "1.4 s"
std::string file_name(const std::string& path);

}  // namespace mneme::ui
