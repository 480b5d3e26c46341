// The command line, declared once: commands with their options, each of which may also come from the environment or
// config.toml. Commands describe themselves through Command; the parser behind it (CLI11) stays in one source file.
// Ownership: values bound to options must outlive the CommandLine (commands keep them in a shared_ptr that their action
// holds). Threads: the main thread.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/exit_code.h"
#include "base/status.h"

namespace CLI {
class App;
}

namespace mneme::app {

struct Context;
class Settings;

// What a command does once its options are read. A failure is printed and mapped to the exit status by run().
using Action = std::function<Result<ExitCode>(Context&)>;

enum class Presence { kRequired, kOptional };

// One command (or subcommand) being declared. Option names are written with their placeholder: "--top-k N".
class Command {
 public:
  Command subcommand(const std::string& name, const std::string& about);

  // Positional arguments; `words` takes all that is left.
  void positional(const std::string& name, std::string& value, const std::string& help,
                  Presence presence = Presence::kRequired);
  void words(const std::string& name, std::vector<std::string>& values, const std::string& help,
             Presence presence = Presence::kRequired);
  void positional_choice(const std::string& name, std::string& value, const std::vector<std::string>& choices,
                         const std::string& help);

  void flag(const std::string& name, bool& value, const std::string& help);
  // What is meant for one run alone: neither the environment nor the file sets it.
  void flag_for_one_run(const std::string& name, bool& value, const std::string& help);
  void option(const std::string& name, std::string& value, const std::string& help);
  void option(const std::string& name, std::optional<std::string>& value, const std::string& help);
  // Only what `fits`; `what` tells what that is ("auto, cpu, cuda or cuda:N").
  void matching(const std::string& name, std::string& value, std::function<bool(std::string_view)> fits,
                const std::string& what, const std::string& help);
  void integer(const std::string& name, int& value, int minimum, int maximum, const std::string& help);
  void integer(const std::string& name, std::optional<int>& value, int minimum, int maximum, const std::string& help);
  void number(const std::string& name, double& value, double minimum, double maximum, const std::string& help);
  void number(const std::string& name, std::optional<double>& value, double minimum, double maximum,
              const std::string& help);
  void seed(const std::string& name, uint64_t& value, const std::string& help);
  // One of a fixed set of words.
  void choice(const std::string& name, std::string& value, const std::vector<std::string>& choices,
              const std::string& help);
  // May be given several times, one value each.
  void repeated(const std::string& name, std::vector<std::string>& values, const std::string& help);
  // One value of comma-separated parts; each number lies in the range.
  void list(const std::string& name, std::vector<std::string>& values, const std::string& help);
  void list(const std::string& name, std::vector<double>& values, double minimum, double maximum,
            const std::string& help);
  void list(const std::string& name, std::vector<int>& values, int minimum, int maximum, const std::string& help);

  // Options ("--rerank", "--no-rerank") and positionals of this command that say the same thing otherwise: one given on
  // the command line keeps the others from being set by environment or file, one of the environment those of the file.
  void exclusive(std::vector<std::string> names);

  void action(Action action);
  // The options declared from here on stand under this title in --help.
  void section(const std::string& title);

  // The command line that this command belongs to.
  const class CommandLine& line() const { return *owner_; }

 private:
  friend class CommandLine;
  Command(CLI::App& app, class CommandLine& owner) : app_(&app), owner_(&owner) {}
  CLI::App* app_;
  CommandLine* owner_;
};

// What a parse came to: text to print and be done (help, version), or an action.
struct ParsedCommand {
  std::string text;     // not empty: print it and exit 0
  Action action;        // null: no command was given
  std::string command;  // "model list"
};

class CommandLine {
 public:
  CommandLine(const std::string& about, const std::string& version);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Command root();

  // Reads the arguments; options that they leave out are then looked up in `settings` (environment, then file).
  // kUsage names the argument, variable or key that is wrong.
  Result<ParsedCommand> parse(int argc, const char* const* argv, const Settings& settings);

  // The command that the last parse() has come to, even if it failed: "model list".
  std::string reached() const;

  std::string help() const;
  // How wide the lines of help may be, for the commands declared so far.
  void set_help_columns(int columns);

  // Every option with all its commands, for man page, completions and tests.
  struct OptionInfo {
    std::string command;      // "" for global options
    std::string name;         // "--top-k", or the positional's name
    std::string placeholder;  // "N"; empty for flags
    std::string help;
    bool positional = false;
    bool settable = false;  // by environment and file
  };
  std::vector<OptionInfo> options() const;

  // Every command in the order of --help, the program itself first (its path is empty).
  struct CommandInfo {
    std::string path;  // "model list"
    std::string about;
    bool has_subcommands = false;
  };
  std::vector<CommandInfo> commands() const;

 private:
  friend class Command;
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// The value of `--name` or `--name=value` in raw arguments, for what must be known before the parse (--home, --json).
std::optional<std::string> peek_option(int argc, const char* const* argv, std::string_view name);
// Likewise; what stands behind "=" is a truth value. Nothing where the flag is not there.
std::optional<bool> peek_flag(int argc, const char* const* argv, std::string_view name);

}  // namespace mneme::app
