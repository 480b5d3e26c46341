#include "app/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <sstream>
#include <string_view>
#include <type_traits>

#include "app/cli/argument_order.h"
#include "app/cli/command_tree.h"
#include "app/cli/help_format.h"
#include "app/cli/option_filling.h"
#include "app/cli/truth_value.h"
#include "app/cli/usage_errors.h"
#include "app/config/settings.h"

namespace mneme::app {
namespace {

constexpr int kHelpColumns = 80;  // until it is said how many there are

// "--top-k N" -> "--top-k" and "N".
std::pair<std::string, std::string> split_name(const std::string& name) {
  const size_t space = name.rfind(' ');
  if (space == std::string::npos) return {name, ""};
  return {name.substr(0, space), name.substr(space + 1)};
}

template <typename T>
CLI::Option* bind_option(CLI::App& app, const std::string& name, T& value, const std::string& help) {
  const auto [flags, placeholder] = split_name(name);
  return app.add_option(flags, value, help)->type_name(placeholder);
}

template <typename T>
CLI::Option* bind_list(CLI::App& app, const std::string& name, std::vector<T>& values, const std::string& help) {
  return bind_option(app, name, values, help)->delimiter(',')->allow_extra_args(false);
}

// What an option takes instead of `text`; read on behind the option's name (explain_value() in usage_errors.h).
std::string takes(const std::string& what, const std::string& text) {
  return "takes " + what + ", not " + (text.empty() ? "nothing" : text);
}

template <typename T>
CLI::Validator in_range(T minimum, T maximum) {
  return CLI::Validator(
      [minimum, maximum](std::string& text) {
        T value{};
        if (CLI::detail::lexical_cast(text, value) && value >= minimum && value <= maximum) return std::string();
        std::ostringstream what;
        what.precision(std::numeric_limits<double>::digits10);  // a million in digits
        what << (std::is_integral_v<T> ? "a whole number" : "a number") << " from " << minimum << " to " << maximum;
        return takes(what.str(), text);
      },
      "");
}

// CLI11 reads -1 and what is too large as the largest number there is.
bool is_seed(std::string_view text) {
  uint64_t value = 0;
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const auto [rest, error] = std::from_chars(begin, end, value);
  return error == std::errc() && rest == end;
}

CLI::Validator fitting(std::function<bool(std::string_view)> fits, std::string what) {
  return CLI::Validator([fits = std::move(fits), what = std::move(what)](
                            std::string& text) { return fits(text) ? std::string() : takes(what, text); },
                        "");
}

// Of texts that come one by one or in a list, where an empty one would be a slip.
CLI::Validator not_empty(const std::string& name) {
  return fitting([](std::string_view text) { return !text.empty(); }, split_name(name).second);
}

CLI::Validator one_of(const std::vector<std::string>& choices) {
  return CLI::Validator(
      [choices](std::string& text) {
        std::string listed;
        for (size_t i = 0; i < choices.size(); ++i) {
          if (choices[i] == text) return std::string();
          listed += (i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ") + choices[i];
        }
        return takes(listed, text);
      },
      "");
}

}  // namespace

struct CommandLine::Parts {
  CLI::App app;
  std::map<const CLI::App*, Action> actions;
  OptionRules rules;
};

CommandLine::CommandLine(const std::string& about, const std::string& version) : parts_(std::make_unique<Parts>()) {
  CLI::App& app = parts_->app;
  app.name("mneme");
  app.description(about);
  app.set_version_flag("--version", version, "Print the version and exit");
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.require_subcommand(0, 1);
  app.formatter(help_format(kHelpColumns));
  app.footer(
      "To begin:\n"
      "  mneme                             the window, where there is a display\n"
      "  mneme index ~/Documents           reads a folder; again: only what has changed\n"
      "  mneme ask \"What did we decide?\"   answers, and says where it stands\n"
      "  mneme help COMMAND                a command's own options");
}

CommandLine::~CommandLine() = default;

void CommandLine::set_help_columns(int columns) {
  const auto format = help_format(columns);
  for (CLI::App* app : all_apps(parts_->app)) app->formatter(format);
}

Command CommandLine::root() {
  return Command(parts_->app, *this);
}

Result<ParsedCommand> CommandLine::parse(int argc, const char* const* argv, const Settings& settings) {
  CLI::App& app = parts_->app;
  ParsedCommand parsed;
  bool asks_for_help = false;
  std::vector<const char*> arguments =
      with_help_as_option(app, with_options_behind_commands(app, argc, argv), asks_for_help);
  if (std::optional<std::string> wrong = misplaced(app, arguments)) return usage_error(*std::move(wrong));
  arguments = with_words_behind_mark(app, std::move(arguments));
  try {
    app.parse(static_cast<int>(arguments.size()), arguments.data());
  } catch (const CLI::CallForHelp&) {
    // "mneme help nosuch"
    std::optional<std::string> unknown = asks_for_help ? explain_left_over(app) : std::nullopt;
    if (unknown) return usage_error(*std::move(unknown));
    parsed.text = app.help();
    return parsed;
  } catch (const CLI::CallForVersion& version) {
    parsed.text = std::string(version.what()) + "\n";
    return parsed;
  } catch (const CLI::ParseError& error) {
    return usage_error(explain(app, error));
  }
  const CLI::App* chosen = deepest_command(&app);
  parsed.command = command_path(chosen);
  MNEME_RETURN_IF_ERROR(fill_from_settings(app, const_cast<CLI::App&>(*chosen), parts_->rules, settings));
  if (const auto action = parts_->actions.find(chosen); action != parts_->actions.end()) {
    parsed.action = action->second;
  } else if (!parsed.command.empty()) {
    return usage_error(missing_subcommand(*chosen));
  }
  return parsed;
}

std::string CommandLine::reached() const {
  return command_path(deepest_command(&parts_->app));
}

std::string CommandLine::help() const {
  return parts_->app.help();
}

std::vector<CommandLine::OptionInfo> CommandLine::options() const {
  std::vector<OptionInfo> all;
  for (const CLI::App* app : all_apps(parts_->app)) {
    for (const CLI::Option* option : app->get_options()) {
      const bool positional = option->get_lnames().empty();
      all.push_back({command_path(app), positional ? option->get_name(true) : "--" + option->get_lnames().front(),
                     option->get_type_name(), option->get_description(), positional,
                     is_settable(*option, parts_->rules)});
    }
  }
  return all;
}

std::vector<CommandLine::CommandInfo> CommandLine::commands() const {
  std::vector<CommandInfo> all;
  for (const CLI::App* app : all_apps(parts_->app)) {
    const bool has_subcommands = !app->get_subcommands([](const CLI::App*) { return true; }).empty();
    all.push_back({command_path(app), app->get_description(), has_subcommands});
  }
  return all;
}

Command Command::subcommand(const std::string& name, const std::string& about) {
  CLI::App* sub = app_->add_subcommand(name, about);
  sub->fallthrough();  // global options may stand anywhere
  sub->set_help_flag("-h,--help", "Print this help and exit");
  sub->footer("`mneme --help` shows the options that every command takes.");
  return Command(*sub, *owner_);
}

void Command::positional(const std::string& name, std::string& value, const std::string& help, Presence presence) {
  app_->add_option(name, value, help)->required(presence == Presence::kRequired)->type_name("");
}

void Command::words(const std::string& name, std::vector<std::string>& values, const std::string& help,
                    Presence presence) {
  app_->add_option(name, values, help)->required(presence == Presence::kRequired)->type_name("");
}

void Command::positional_choice(const std::string& name, std::string& value, const std::vector<std::string>& choices,
                                const std::string& help) {
  app_->add_option(name, value, help)->required()->type_name("")->check(one_of(choices));
}

void Command::flag(const std::string& name, bool& value, const std::string& help) {
  app_->add_flag(name, value, help);
}

void Command::flag_for_one_run(const std::string& name, bool& value, const std::string& help) {
  owner_->parts_->rules.for_one_run.insert(app_->add_flag(name, value, help));
}

void Command::exclusive(std::vector<std::string> names) {
  owner_->parts_->rules.exclusive[app_].push_back(std::move(names));
}

void Command::option(const std::string& name, std::string& value, const std::string& help) {
  CLI::Option* bound = bind_option(*app_, name, value, help);
  if (!value.empty()) bound->capture_default_str();
}

void Command::option(const std::string& name, std::optional<std::string>& value, const std::string& help) {
  bind_option(*app_, name, value, help);
}

void Command::matching(const std::string& name, std::string& value, std::function<bool(std::string_view)> fits,
                       const std::string& what, const std::string& help) {
  bind_option(*app_, name, value, help)->check(fitting(std::move(fits), what))->capture_default_str();
}

void Command::integer(const std::string& name, int& value, int minimum, int maximum, const std::string& help) {
  bind_option(*app_, name, value, help)->check(in_range(minimum, maximum))->capture_default_str();
}

void Command::integer(const std::string& name, std::optional<int>& value, int minimum, int maximum,
                      const std::string& help) {
  bind_option(*app_, name, value, help)->check(in_range(minimum, maximum));
}

void Command::number(const std::string& name, double& value, double minimum, double maximum, const std::string& help) {
  bind_option(*app_, name, value, help)->check(in_range(minimum, maximum))->capture_default_str();
}

void Command::number(const std::string& name, std::optional<double>& value, double minimum, double maximum,
                     const std::string& help) {
  bind_option(*app_, name, value, help)->check(in_range(minimum, maximum));
}

void Command::seed(const std::string& name, uint64_t& value, const std::string& help) {
  bind_option(*app_, name, value, help)
      ->check(fitting(is_seed, "a whole number from 0 to 18446744073709551615"))
      ->capture_default_str();
}

void Command::choice(const std::string& name, std::string& value, const std::vector<std::string>& choices,
                     const std::string& help) {
  std::string listed;
  for (const std::string& choice : choices) listed += (listed.empty() ? "" : "|") + choice;
  CLI::Option* bound = bind_option(*app_, name + " " + listed, value, help);
  bound->check(one_of(choices));
  if (!value.empty()) bound->capture_default_str();
}

void Command::repeated(const std::string& name, std::vector<std::string>& values, const std::string& help) {
  bind_option(*app_, name, values, help)->allow_extra_args(false)->check(not_empty(name));
}

void Command::list(const std::string& name, std::vector<std::string>& values, const std::string& help) {
  bind_list(*app_, name, values, help)->check(not_empty(name));
}

void Command::list(const std::string& name, std::vector<double>& values, double minimum, double maximum,
                   const std::string& help) {
  bind_list(*app_, name, values, help)->check(in_range(minimum, maximum));
}

void Command::list(const std::string& name, std::vector<int>& values, int minimum, int maximum,
                   const std::string& help) {
  bind_list(*app_, name, values, help)->check(in_range(minimum, maximum));
}

void Command::action(Action action) {
  owner_->parts_->actions[app_] = std::move(action);
}

void Command::section(const std::string& title) {
  app_->option_defaults()->group(title);
}

std::optional<std::string> peek_option(int argc, const char* const* argv, std::string_view name) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--") break;
    if (argument == name && i + 1 < argc) return argv[i + 1];
    if (argument.starts_with(name) && argument.size() > name.size() && argument[name.size()] == '=') {
      return std::string(argument.substr(name.size() + 1));
    }
  }
  return std::nullopt;
}

std::optional<bool> peek_flag(int argc, const char* const* argv, std::string_view name) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--") break;
    if (argument == name) return true;
    if (argument.starts_with(name) && argument.size() > name.size() && argument[name.size()] == '=') {
      return truth_value(std::string(argument.substr(name.size() + 1)));
    }
  }
  return std::nullopt;
}

}  // namespace mneme::app
