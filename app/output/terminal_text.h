// Text from documents, models and file names on its way to a terminal. Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mneme::app {

// Well-formed UTF-8 without anything that a terminal obeys: control characters but newline and tab are shown as
// U+FFFD, as are C1 controls and the bidirectional overrides that make text read as what it is not.
std::string terminal_safe(std::string_view text);

// terminal_safe on one line: newlines and tabs become spaces, runs of spaces one.
std::string terminal_line(std::string_view text);

// Columns the text takes: two for East Asian wide characters, none for combining marks (approximately).
int display_width(std::string_view text);

// Cuts at `columns`, with an ellipsis where something was cut.
std::string cut_to_width(std::string_view text, int columns);

// The words over lines of at most `columns`; a word that is longer has a line for itself.
std::string wrap_words(std::string_view text, int columns);

// One line of text over at most `n_lines` of at most `columns` (2 or more), broken between words and between the
// characters of scripts without spaces, inside a word only where it is longer than a line; with an ellipsis where
// something was cut.
std::string fold_to_width(std::string_view text, int columns, int n_lines);

// "12 s", "3:05 min": for people.
std::string human_seconds(double seconds);

}  // namespace mneme::app
