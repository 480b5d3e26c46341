// The conversation in the terminal, for commands that end in one. Threads: the main thread.
#pragma once

#include "app/cli/command_line.h"

namespace mneme::app {

struct Context;

// What `mneme chat` does without options.
Result<ExitCode> chat_in_terminal(Context& context);

}  // namespace mneme::app
