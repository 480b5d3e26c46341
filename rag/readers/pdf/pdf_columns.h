// Pages written from top to bottom in columns from right to left, as Chinese and Japanese may be. pdftotext gives the
// columns of fonts made for it; where a program placed every character by itself, it gives rows across them.
// Internal to rag/readers. Threads: pure functions.
#pragma once

#include <string_view>
#include <vector>

#include "rag/readers/pdf/pdf_page.h"

namespace mneme::readers {

// Lays the columns of such a page down: turned by a quarter, they are lines below each other, the right one first, and
// everything else about paragraphs and headings holds. Lines across the page (headers, numbers) become lines above
// them. Readings beside characters (furigana) are left out. words: of the whole page. False, and nothing happens, when
// the page is written otherwise.
bool lay_down_columns(const std::vector<PdfWord>& words, PdfPage& page);

// Whether the characters are all kana, as those of readings beside or above others are.
bool is_kana(std::string_view text);

}  // namespace mneme::readers
