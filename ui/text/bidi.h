// The Unicode bidirectional algorithm, by FriBidi: which stretches of a line run which way and where they stand.
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace mneme::ui {

// Whether a text begins, by its first strong character, from right to left.
bool reads_right_to_left(std::string_view text);

struct BidiRun {
  size_t begin = 0;  // bytes of the line
  size_t end = 0;
  bool right_to_left = false;
};

// The runs of one line (no line breaks in it) from left to right as they are seen.
std::vector<BidiRun> visual_runs(std::string_view line, bool paragraph_right_to_left);

}  // namespace mneme::ui
