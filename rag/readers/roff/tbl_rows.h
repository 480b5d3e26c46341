// Tables of tbl(1) within roff: ".TS" to ".TE". Threads: one thread each.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rag/readers/roff/roff_lines.h"

namespace mneme::readers {

// Reads behind ".TS" to ".TE" or the end; each row's cells as they print. number: the row's last line.
void take_tbl(RoffLines& lines, const std::function<void(int number, const std::vector<std::string>& cells)>& row);

}  // namespace mneme::readers
