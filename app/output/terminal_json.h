// JSON on its way to what may be a terminal. Threads: pure function.
#pragma once

#include <string>
#include <string_view>

namespace mneme::app {

// A line of JSON in which characters that a terminal obeys are escaped (\u009b) where JSON itself would let them stand.
// The value is the same.
std::string terminal_json(std::string_view json);

}  // namespace mneme::app
