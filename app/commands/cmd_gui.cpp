// mneme gui: the window.
#include "app/commands/commands.h"
#include "app/context.h"

namespace mneme::app {

void add_gui(Command root) {
  Command command = root.subcommand("gui", "Open the window (also without a command, when there is a display)");
  command.action([](Context&) -> Result<ExitCode> {
    return unsupported("the window is not in this version yet; every question can be asked with `mneme ask`.");
  });
}

}  // namespace mneme::app
