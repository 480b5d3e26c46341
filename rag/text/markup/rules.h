// The lines that reStructuredText (and Markdown, below titles) draws with punctuation. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::rag {

// The text without the rules over a title ("====" on a line behind none; what is left is Markdown's own underlined
// title) and in simple tables, whose rows become paragraphs with " · " between their cells.
std::string without_rules(std::string_view text);

// Without the lines below titles, too ("====", "----", "~~~~" right behind text), for where no title stands out.
std::string without_title_rules(std::string_view text);

}  // namespace mneme::rag
