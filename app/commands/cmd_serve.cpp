// mneme serve: kept for a later version, so that its name is taken; says what to use instead.
#include "app/commands/commands.h"
#include "app/context.h"

namespace mneme::app {

void add_serve(Command root) {
  Command command = root.subcommand("serve", "An HTTP server on this machine (a later version)");
  command.action([](Context&) -> Result<ExitCode> {
    return usage_error("`mneme serve` comes with a later version; `mneme ask --json` answers scripts until then.");
  });
}

}  // namespace mneme::app
