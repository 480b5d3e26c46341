// What an entry of a diary or a list of changes is called by: "11 April", "3.0.0 (2025-11-04)". What stands under it
// says little without it, and it says when that was. Threads: pure functions.
#pragma once

#include <string_view>

namespace mneme::rag {

// A day, and beside it at most other numbers.
bool is_entry_mark(std::string_view text);

}  // namespace mneme::rag
