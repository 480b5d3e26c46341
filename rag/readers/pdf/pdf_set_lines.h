// Lines of a page that their author ended: addresses, receipts, verses, labels with values. In running text a line ends
// where the next word would not fit. Internal to rag/readers. Threads: pure functions.
#pragma once

#include <span>
#include <string_view>

#include "rag/readers/pdf/pdf_page.h"

namespace mneme::readers {

// Whether the lines of a block are lines in their own right rather than a paragraph that was broken to fit.
bool are_set_lines(std::span<const PdfLine> block);

// "--------", "=====": a rule drawn with characters.
bool is_drawn_rule(std::string_view text);

}  // namespace mneme::readers
