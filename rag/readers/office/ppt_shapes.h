// The shapes of a slide of PowerPoint before 2007, in the order in which they are drawn: texts, tables, what is only
// furniture (MS-PPT 2.5.13, MS-ODRAW 2.2.13). Internal to rag/readers. Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rag/readers/office/ppt_text.h"

namespace mneme::readers {

struct PptShape {
  std::vector<PptText> texts;
  std::vector<std::vector<std::string>> rows;  // of a table
  bool is_furniture = false;  // a number of a slide, a date, a footer; the picture of a slide on a page of notes
};

// slide: records of a slide or a page of notes. outline: texts that its shapes may refer to.
std::vector<PptShape> ppt_shapes(std::string_view slide, std::vector<PptText> outline, int depth);

}  // namespace mneme::readers
