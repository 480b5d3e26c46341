// What the elements of Word's text say, wherever they stand: in the body, in notes and comments, in headers and
// footers. Internal to rag/readers. Threads: pure functions.
#pragma once

#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "rag/readers/raised_text.h"

namespace mneme::readers {

// What tracked changes took away, phonetic guides, and what another form of the same element stands for.
bool is_unseen_in_word(std::string_view element);

// What an element that holds no others says: text (w:t), the end of a line (w:br, w:cr; a space where a page or column
// ends), a tab, a hyphen, a symbol ("" where nobody knows it). Nothing: the element is none of these.
std::optional<std::string> word_characters(const pugi::xml_node& element);

// How a run (w:r) is set; other elements are not shifted.
Shift word_shift(const pugi::xml_node& run);

}  // namespace mneme::readers
