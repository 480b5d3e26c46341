// Arguments in the order in which the parser looks for them. Threads: pure functions.
#pragma once

#include <vector>

namespace CLI {
class App;
}

namespace mneme::app {

// Options of a command that stand before it, behind it ("mneme --mode full ask x"); as they are where that is not what
// was meant. argv[0] is the program's name.
std::vector<const char*> with_options_behind_commands(CLI::App& app, int argc, const char* const* argv);

// "mneme help ask" as "mneme ask --help". was_word: whether there was that word.
std::vector<const char*> with_help_as_option(CLI::App& app, std::vector<const char*> arguments, bool& was_word);

}  // namespace mneme::app
