// The window, for those who open it without its command. Threads: the main thread.
#pragma once

#include <string>

#include "app/cli/command_line.h"

namespace mneme::app {

struct Context;

// A display is there, and this build has the window.
bool window_available();

// What `mneme gui` does, in the language of this code ("auto", or empty: as chosen in the window, else the system's).
// Returns when the window is closed; kUnsupported, with what to do instead, where none can be shown; kUsage for a
// language that is not offered.
Result<ExitCode> open_window(Context& context, const std::string& language);

}  // namespace mneme::app
