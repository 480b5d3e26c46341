// What is looked at before toml++ (3.3) reads a file: its tables of characters run into "unreachable" code on letters
// beyond ASCII where TOML allows none, such as in `größe = 1`. Found by fuzzing (tests/fuzz/settings_fuzz.cpp).
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <string_view>

namespace mneme::rag {

// The line (from 1) of the first character beyond ASCII outside of strings and comments, or escaped in a string; 0 when
// there is none. A mark of UTF-8 at the beginning does not count. Exact up to the first mistake in the text, where a
// parser stops anyway.
size_t line_of_stray_character(std::string_view toml);

}  // namespace mneme::rag
