// Every command of the program, in the order --help shows them.
#pragma once

#include "app/cli/command_line.h"

namespace mneme::app {

struct GlobalOptions;

void add_global_options(Command root, GlobalOptions& options);
void add_all_commands(Command root);

}  // namespace mneme::app
