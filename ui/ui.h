// The window's entry points. Threads: call from the main thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "rag/workspace.h"

namespace mneme::ui {

struct WindowOptions {
  rag::WorkspaceOptions workspace;
  std::string samples_folder;  // offered at first start; empty: none
};

// Returns when the window is closed. kUnsupported, with what to do instead, when there is no display or no OpenGL 3.
Status run_window(const WindowOptions& options);

// Whether a display is announced in the environment (DISPLAY, WAYLAND_DISPLAY).
bool display_available();

// How the window fares while it does what people do with it; for `mneme bench window`.
struct WindowPhase {
  std::string name;
  int frames = 0;
  double p50_ms = 0.0;  // of a frame, until the picture is there (glFinish)
  double p99_ms = 0.0;
  double max_ms = 0.0;
};
struct WindowMeasurement {
  double first_frame_ms = 0.0;  // from the call to the first picture
  double ready_ms = 0.0;        // ... to the picture with the chats
  double library_ms = 0.0;      // ... until the documents are known
  double idle_cpu_share = 0.0;  // of one core, with nothing going on
  uint64_t resident_bytes = 0;  // of the whole process once all was shown, without a language model
  uint64_t driver_bytes = 0;    // of them, code of the graphics driver (llvmpipe brings LLVM along)
  std::vector<WindowPhase> phases;
};
struct WindowScript {
  std::string long_chat;     // title of a chat to scroll through
  std::string index_folder;  // indexed while an answer is written
  std::string question;
  double idle_s = 5.0;
};
// Opens the window, goes through the script and closes it. Errors as run_window().
Result<WindowMeasurement> measure_window(const WindowOptions& options, const WindowScript& script);

}  // namespace mneme::ui
