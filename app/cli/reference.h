// The command line described for readers and shells: manual page, Markdown tables and completions, all made from the
// declarations in app/cli/command_line.h, so that they cannot disagree with the program. Threads: any.
#pragma once

#include <string>

#include "app/cli/command_line.h"

namespace mneme::app {

// A manual page in man(7) macros, section 1.
std::string manual_page(const CommandLine& line);

// One Markdown section per command with its options: docs/commands.md.
std::string markdown_reference(const CommandLine& line);

// Scripts for the shells of most people, to be sourced or installed where the shell looks for them.
std::string bash_completion(const CommandLine& line);
std::string zsh_completion(const CommandLine& line);
std::string fish_completion(const CommandLine& line);

}  // namespace mneme::app
