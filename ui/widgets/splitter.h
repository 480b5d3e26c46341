// The border between two panels, which changes how wide one of them is: dragged, or reached by Tab and moved by arrows.
// Threads: the window's thread.
#pragma once

#include "ui/widgets/theme.h"

namespace mneme::ui {

// What it may do to the panel: widths at scale 1.
struct SplitterRange {
  float low = 0.0f;
  float high = 0.0f;
  float usual = 0.0f;  // where Enter and a double click put it
};

// As wide as `thickness` (pixels) and as high as the window, in the current line. `side`: 1 where the panel lies to the
// left of it, -1 where to the right.
void splitter(const char* id, float& panel_width, float side, const SplitterRange& range, float thickness,
              const Theme& theme, float scale);

}  // namespace mneme::ui
