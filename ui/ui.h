// The window's entry point. Threads: call from the main thread; returns when the window is closed.
#pragma once

#include <string>

#include "base/status.h"
#include "rag/workspace.h"

namespace mneme::ui {

struct WindowOptions {
  rag::WorkspaceOptions workspace;
  std::string samples_folder;  // offered at first start; empty: none
};

// kUnsupported, with what to do instead, when there is no display or no OpenGL 3.
Status run_window(const WindowOptions& options);

// Whether a display is announced in the environment (DISPLAY, WAYLAND_DISPLAY).
bool display_available();

}  // namespace mneme::ui
