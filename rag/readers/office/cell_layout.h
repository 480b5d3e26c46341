// Tables that people lay their text out with: a frame around a letter, a form whose fields hold paragraphs, a page in
// two cells. In the one row that such text would be otherwise, paragraphs run into each other and headings are lost.
// Internal to rag/readers. Threads: pure functions.
#pragma once

#include <pugixml.hpp>

namespace mneme::readers {

// Whether the cells of a row (w:tr) hold text to be read on its own, one cell after the other.
bool is_laid_out_in_word(const pugi::xml_node& row);
// The same of OpenDocument (table:table-row).
bool is_laid_out_in_odf(const pugi::xml_node& row);

}  // namespace mneme::readers
