// What forms of Word say beside their text: boxes that are ticked, choices that were made, words set as pictures.
// Internal to rag/readers. Threads: pure functions.
#pragma once

#include <pugixml.hpp>
#include <string>

namespace mneme::readers {

// What a form field shows by itself at its beginning (w:fldChar): "☒" or "☐", the choice of a list; "" of all else,
// whose text follows in runs.
std::string form_field_text(const pugi::xml_node& field);

// Whether a content control (w:sdt) asks to be filled in ("Click or tap here to enter text.") rather than say anything.
bool is_unfilled(const pugi::xml_node& control);

// Whether a run (w:r) is hidden text, which is neither shown nor printed.
bool is_hidden_run(const pugi::xml_node& run);

}  // namespace mneme::readers
