// Options that the command line leaves out, from the environment and config.toml. Threads: the main thread.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/status.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace mneme::app {

class Settings;

// What declarations say of options beyond what the parser knows.
struct OptionRules {
  // Names of one app's options that say the same thing otherwise.
  std::map<const CLI::App*, std::vector<std::vector<std::string>>> exclusive;
  std::set<const CLI::Option*> for_one_run;  // on the command line alone
};

// Whether the environment and the file may set the option.
bool is_settable(const CLI::Option& option, const OptionRules& rules);

// Fills the options of `chosen` and of the apps above it. An option is left alone where another one that excludes it is
// given nearer: command line, environment, file. So is one for which a value is meant that it cannot take, where the
// value stands for commands in general and another of them can (MNEME_KV=lazy, when `bench` runs).
// kUsage names the variable or key that is wrong.
Status fill_from_settings(CLI::App& root, CLI::App& chosen, const OptionRules& rules, const Settings& settings);

}  // namespace mneme::app
