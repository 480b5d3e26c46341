// What is wrong with a command line, in a sentence that says what would be right. Threads: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Error;
class ParseError;
}  // namespace CLI

namespace mneme::app {

// Why `root` could not be parsed.
std::string explain(const CLI::App& root, const CLI::ParseError& error);

// Of arguments that nothing took; nothing where there are none.
std::optional<std::string> explain_left_over(const CLI::App& root);

// What is wrong with the value of an option: "--top-k takes a whole number from 1 to 100, not many".
std::string explain_value(const CLI::Error& error);

// For an option of the command whose place another option has taken.
std::string missing_value(const CLI::App& command, const std::string& option);

// For a "--" where a command belongs.
std::string mark_without_command();

// For a command that is nothing without one of those below it.
std::string missing_subcommand(const CLI::App& command);

// The candidate that somebody who wrote `word` has probably meant: one that it begins, or one that a few letters left
// out, added, changed or swapped make of it (optimal string alignment). Empty where none is near.
std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace mneme::app
