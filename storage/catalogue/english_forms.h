// English words in forms that no rule of endings makes: "children" of "child", "bought" of "buy", "lenses" of "lens".
// Only forms that are seldom a word of their own: "found", "left", "saw" and "lives" are none. And British spelling.
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace mneme::storage {

// What a folded word is a form of; itself where it only looks like one ("news", "lens", "evening"); empty for all
// others. The view lives as long as the program.
std::string_view base_of_irregular(std::string_view folded);

// Whether the second "l" came with the ending that was taken off: "travell(ed)", but not "install(ed)".
bool is_doubled_l(std::string_view stem);

// Spells a stem as Americans do: "colour" as "color", "organis" as "organiz". Words that are always written with "is"
// are changed, too ("exercis"): all that matters is that both ways of writing a word come to one.
void spell_american(std::string& stem);

}  // namespace mneme::storage
