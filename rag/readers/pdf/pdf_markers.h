// What stands before an item or a title: bullets, numbers, letters. Internal to rag/readers. Threads: functions.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "rag/readers/pdf/pdf_page.h"

namespace mneme::readers {

// Bytes of a bullet with its space at the beginning of an item; 0: none.
size_t item_marker(std::string_view text);

// Depth of "2.", "2.1" or "A.3" before a capitalised title; 0: none.
int section_number_depth(std::string_view text);

// Puts bullets and numbers that poppler takes for blocks of their own, because of the gap behind them, before the line
// that they are of. `taken`: lines that are no running text. Returns which lines were put before another, by index.
std::vector<bool> join_lone_markers(PdfPage& page, const std::vector<bool>& taken);

// Leaves out the small numbers that count the lines of manuscripts and programs. body_height: of the document's words.
void drop_line_numbers(PdfPage& page, float body_height);

}  // namespace mneme::readers
