// Conditions of roff's .if and .ie, as a terminal's output has them. Registers are not kept: each is 0, but that which
// tells groff from its forebears. Threads: pure function.
#pragma once

#include <string_view>

namespace mneme::readers {

// Takes the condition off the beginning of `rest`, which becomes what depends on it.
bool take_roff_condition(std::string_view& rest);

}  // namespace mneme::readers
