// A model of a list, as people read it. Threads: a pure function.
#pragma once

#include <cstdint>
#include <string>

namespace mneme::app {

// In columns that most names fit into. `where`: its path, or whose it is.
std::string model_line(bool is_default, const std::string& name, const std::string& kind, uint64_t bytes,
                       const std::string& where);

}  // namespace mneme::app
