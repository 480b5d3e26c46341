// The window, for those who open it without its command. Threads: the main thread.
#pragma once

#include "app/cli/command_line.h"

namespace mneme::app {

struct Context;

// A display is there, and this build has the window.
bool window_available();

// What `mneme gui` does. Returns when the window is closed; kUnsupported, with what to do instead, where none can be
// shown.
Result<ExitCode> open_window(Context& context);

}  // namespace mneme::app
