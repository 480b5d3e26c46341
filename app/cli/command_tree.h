// The parser's commands as a tree. Threads: pure functions.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mneme::app {

// The program and every command below it, in the order of --help.
std::vector<CLI::App*> all_apps(CLI::App& root);

// "model list" of the command, "" of the program.
std::string command_path(const CLI::App* app);

// The command that the arguments have reached.
const CLI::App* deepest_command(const CLI::App* root);

}  // namespace mneme::app
