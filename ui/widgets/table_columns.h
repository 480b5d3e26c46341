// How wide the columns of a table are. Threads: pure functions.
#pragma once

#include <span>
#include <vector>

namespace mneme::ui {

struct ColumnNeed {
  float whole = 0.0f;  // of its longest cell on one line
  float word = 0.0f;   // of its longest word
};

// Each column gets what it wants where there is room for all; else none is narrower than its longest word, and what is
// left goes to those that want more. Empty where not even the longest words have room side by side.
std::vector<float> column_widths(std::span<const ColumnNeed> needs, float room);

}  // namespace mneme::ui
