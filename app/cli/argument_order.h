// Arguments in the order in which the parser looks for them. Threads: pure functions.
#pragma once

#include <optional>
#include <string>
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

// What is wrong with arguments in that order that the parser would take: an option in the place of another one's value
// ("--model --json"), and "--" in the place of the command. Nothing where nothing is.
std::optional<std::string> misplaced(CLI::App& app, const std::vector<const char*>& arguments);

// The words of a command behind its "--", all of them, where there is one: the parser takes none but those behind it
// for words only while the command waits for some.
std::vector<const char*> with_words_behind_mark(CLI::App& app, std::vector<const char*> arguments);

}  // namespace mneme::app
