// How a truth value may be written as an option's. Threads: pure functions.
#pragma once

#include <optional>
#include <string>

namespace mneme::app {

// "true", "on", "yes", "1" and the like, and their opposites; nothing for what is neither.
std::optional<bool> truth_value(const std::string& text);

}  // namespace mneme::app
