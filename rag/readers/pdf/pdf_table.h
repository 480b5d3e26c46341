// Tables on a page, found by the alignment of short pieces of text in rows. Internal to rag/readers.
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rag/readers/pdf/pdf_page.h"

namespace mneme::readers {

struct PdfTable {
  std::vector<size_t> lines;                   // indices into PdfPage::lines that the table consists of, ascending
  std::vector<std::vector<std::string>> rows;  // cells by column; "" where a column is empty
};

// taken: lines that are known to be something else, by index.
std::vector<PdfTable> find_tables(const PdfPage& page, const std::vector<bool>& taken);

}  // namespace mneme::readers
