// Parses the command line, wires configuration and workspace, runs one command, and maps failures to exit statuses.
#pragma once

namespace mneme::app {

// Returns the process's exit status (interface contract).
int run(int argc, char** argv);

}  // namespace mneme::app
