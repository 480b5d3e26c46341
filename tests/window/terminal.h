// A terminal for the program to run in (a pseudo-terminal), with somebody who types. Threads: any.
#pragma once

#include <string>
#include <vector>

namespace mneme::window {

struct TerminalOutcome {
  int exit_status = -1;  // -1: it did not exit by itself in time
  std::string screen;    // all that was written to the terminal, what was typed included
};

// Runs a program with all of `typed` waiting to be read, until it exits or `limit_s` have passed.
TerminalOutcome run_in_terminal(std::vector<std::string> words, std::vector<std::string> variables,
                                const std::string& typed, double limit_s = 120.0);

}  // namespace mneme::window
