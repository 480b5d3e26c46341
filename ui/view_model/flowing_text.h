// Text whose lines were broken to fit a width of its own, to be shown in a panel that has another. Threads: pure
// functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::ui {

// Whether text of this format ("text", "pdf", ...) is prose whose lines may be broken anew. Markdown is not: its own
// layout knows.
bool has_flowing_lines(std::string_view format);

// The text with a space for each line's end that only stands there because the next word did not fit, judged by the
// longest line of its paragraph. Lists, headings, verses, tables and logs keep their lines. As many bytes as before, so
// that places in the text stay what they are.
std::string flowing(std::string text);

// The same as Markdown that is laid out in these lines: two spaces before each line's end that stays and is none of a
// paragraph.
std::string flowing_markdown(std::string text);

}  // namespace mneme::ui
