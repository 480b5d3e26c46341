// Columns of a page that poppler throws together: text beside text, parted by a strip that nothing crosses, is read one
// column after the other, and tables are looked for within each. Rows of a table are not torn apart.
// Internal to rag/readers. Threads: functions.
#pragma once

#include <vector>

#include "rag/readers/pdf/pdf_page.h"

namespace mneme::readers {

// A line as poppler gives it, before it is put together. block: of poppler. region: what of the page it was found in.
struct RawLine {
  std::vector<PdfWord> words;  // from left to right
  int block = 0;
  int region = 0;
  float x_min = 0;
  float y_min = 0;
  float x_max = 0;
  float y_max = 0;

  float height() const { return y_max - y_min; }
  float middle() const { return (y_min + y_max) / 2; }
};

// Orders the lines of a page, parts those that lie in two columns, and numbers blocks and regions anew.
std::vector<RawLine> part_columns(std::vector<RawLine> lines);

}  // namespace mneme::readers
