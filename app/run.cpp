#include "app/run.h"

#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/cli/command_line.h"
#include "app/cli/truth_value.h"
#include "app/command_list.h"
#include "app/commands/cmd_gui.h"
#include "app/config/settings.h"
#include "app/context.h"
#include "app/process/bus_error.h"
#include "app/process/own_program.h"
#include "app/process/signals.h"
#include "app/process/standard_streams.h"
#include "base/guarded.h"
#include "base/large_pages.h"
#include "base/memory_limit.h"
#include "engine/devices/open_backend.h"
#include "rag/readers/process/reader_worker.h"

namespace mneme::app {
namespace {

// The program starts itself with this alone to read documents in a sandbox; not for people.
constexpr const char* kWorkerArgument = "--reader-worker";
constexpr int kMostHelpColumns = 110;  // longer lines are hard to follow
constexpr const char* kAbout = "Answers questions about your documents, with citations, on this machine alone.";

Verbosity verbosity_of(bool quiet, bool verbose) {
  if (quiet) return Verbosity::kQuiet;
  return verbose ? Verbosity::kVerbose : Verbosity::kNormal;
}

int fail(Output output, const Status& status) {
  output.error(status);
  if (!output.flush().ok()) return static_cast<int>(ExitCode::kFailed);
  return static_cast<int>(exit_code(status.code()));
}

void warn_of_unknown_keys(const CommandLine& line, const Settings& settings, Output& output) {
  std::vector<std::string> known;
  for (const CommandLine::OptionInfo& option : line.options()) {
    if (!option.settable) continue;
    const std::string name = option.name.substr(2);
    known.push_back(option.command.empty() ? name : option.command + " " + name);
  }
  for (const std::string& key : settings.unknown_keys(known)) {
    output.warning("config.toml sets " + key + ", which no command takes from there; it is ignored.");
  }
}

// Whether errors of a command, before its options have been read, are told as JSON too.
bool wants_json(std::optional<bool> on_command_line, const Settings& settings, const std::string& command) {
  if (on_command_line) return *on_command_line;
  const std::optional<Settings::Value> value = settings.find(command, "json");
  return value && truth_value(value->values.front()) == true;
}

// What the library throws where a thread finds no room for its stack says nothing that helps.
Result<ExitCode> act(const Action& action, Context& context) {
  try {
    return action(context);
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::resource_unavailable_try_again) throw;
    return resource_error(
        "no thread could be started for this command, for want of memory or of processes that the system allows; "
        "close other programs, or allow more memory where --memory limits it");
  }
}

// Runs the chosen action and turns what it gives into the exit status.
int perform(const Action& action, Context& context) {
  Result<ExitCode> outcome = ExitCode::kFailed;
  const Status thrown = guarded("this command", [&] {
    outcome = act(action, context);
    return outcome.status();
  });
  if (outcome.ok() && !thrown.ok()) outcome = thrown;
  Status status = outcome.status();
  ExitCode code = outcome.ok() ? *outcome : exit_code(status.code());
  if (!outcome.ok()) context.output.error(status);
  if (Status flushed = context.output.flush(); !flushed.ok()) {
    context.output.error(flushed);
    if (code == ExitCode::kDone) code = exit_code(flushed.code());
  }
  return static_cast<int>(code);
}

// Where everything lies; asked before the options are read, because some are set there.
Result<Directories> directories_asked_for(int argc, char** argv) {
  const std::optional<std::string> home = peek_option(argc, argv, "--home");
  if (home && home->empty())
    return usage_error("--home stands there without a folder; name one, or leave the option out.");
  return find_directories(home.value_or(""));
}

// For what fails before there are options to make one by.
Output early_output(bool json) {
  return Output(json, Verbosity::kNormal);
}

void declare_commands(CommandLine& line, GlobalOptions& options) {
  add_global_options(line.root(), options);
  add_all_commands(line.root());
  line.set_help_columns(std::min(Output(false, Verbosity::kQuiet).columns(), kMostHelpColumns));
}

// Without a command: the window where there is a display, else what one may ask for.
void choose_default(const CommandLine& line, const Settings& settings, ParsedCommand& parsed) {
  if (parsed.action != nullptr || !parsed.text.empty()) return;
  if (window_available()) {
    const std::optional<Settings::Value> language = settings.find("gui", "language");
    parsed.action = [named = language ? language->values.front() : std::string()](Context& context) {
      return open_window(context, named);
    };
  } else {
    parsed.text = line.help();
  }
}

int print(Output output, const std::string& text) {
  output.print(text);
  const Status written = output.flush();
  return written.ok() ? 0 : fail(std::move(output), written);
}

Status limit_memory_to(double gigabytes) {
  return gigabytes > 0 ? limit_memory(static_cast<uint64_t>(gigabytes * 1e9)) : Status();
}

}  // namespace

int run(int argc, char** argv) {
  occupy_standard_streams();
  put_heap_in_large_pages();
  if (argc == 2 && std::string_view(argv[1]) == kWorkerArgument) {
    return readers::serve_worker(STDIN_FILENO, readers::read_from);
  }
  engine::ask_for_device_queues();
  readers::set_worker_program(own_program(), kWorkerArgument);
  const std::optional<bool> says_json = peek_flag(argc, argv, "--json");
  explain_bus_errors(says_json.value_or(false));
  const Result<Directories> directories = directories_asked_for(argc, argv);
  if (!directories.ok()) return fail(early_output(says_json.value_or(false)), directories.status());
  const Result<Settings> settings = Settings::load(directories->config_file());
  if (!settings.ok()) return fail(early_output(says_json.value_or(false)), settings.status());
  explain_bus_errors(wants_json(says_json, *settings, ""));

  CommandLine line(kAbout, "mneme " MNEME_VERSION);
  GlobalOptions options;
  declare_commands(line, options);
  Result<ParsedCommand> parsed = line.parse(argc, argv, *settings);
  if (!parsed.ok()) return fail(early_output(wants_json(says_json, *settings, line.reached())), parsed.status());
  explain_bus_errors(options.json);
  choose_default(line, *settings, *parsed);

  Output output(options.json, verbosity_of(options.quiet, options.verbose));
  if (parsed->action == nullptr) return print(std::move(output), parsed->text);
  warn_of_unknown_keys(line, *settings, output);
  const Status limited = limit_memory_to(options.memory_gb);
  if (!limited.ok()) return fail(std::move(output), limited);
  Context context{options, *directories, std::move(output), cancel_on_signals()};
  return perform(parsed->action, context);
}

}  // namespace mneme::app
