#include "app/commands/commands.h"
#include "app/context.h"

namespace mneme::app {

void add_eval(Command root) {
  root.subcommand("eval", "Measurements").action([](Context&) -> Result<ExitCode> {
    return unsupported("not in this build yet.");
  });
}

}  // namespace mneme::app
