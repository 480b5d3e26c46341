// The frame of what floats above the pages. Threads: the window's thread.
#pragma once

#include "ui/panels/panel.h"

namespace mneme::ui {

// Begins a window in the upper middle, at most `size`. end_overlay() must follow. True when a click beside it has taken
// the keyboard from its fields; the window has it again.
bool begin_overlay(PanelContext& context, const char* id, ImVec2 size);
void end_overlay();

}  // namespace mneme::ui
