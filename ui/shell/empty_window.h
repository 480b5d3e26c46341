// What a window costs before anything is shown in it: the graphics driver, the window system's libraries and the
// buffers of the picture. Measured in a process of its own, so that the window opened afterwards starts as cold as any.
// Threads: the main thread, before GLFW is used and while no other thread holds a lock.
#pragma once

#include "ui/shell/process_figures.h"

namespace mneme::ui {

// Memory added by opening a window of this size and drawing a line of text in it; all zero where that failed.
MemoryParts memory_of_empty_window(int width, int height);

}  // namespace mneme::ui
