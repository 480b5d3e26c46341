#include "app/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <map>

#include "app/config/settings.h"

namespace mneme::app {
namespace {

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
void bind_list(CLI::App& app, const std::string& name, std::vector<T>& values, const std::string& help) {
  bind_option(app, name, values, help)->delimiter(',')->allow_extra_args(false);
}

std::string command_path(const CLI::App* app) {
  std::string path;
  for (; app != nullptr && app->get_parent() != nullptr; app = app->get_parent()) {
    path = path.empty() ? app->get_name() : app->get_name() + " " + path;
  }
  return path;
}

const CLI::App* deepest(const CLI::App* app) {
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  return app;
}

// CLI11 writes messages over several lines at times; ours are one sentence.
std::string one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text;
}

// The options of one command that the arguments left out, from environment or file.
Status fill_from_settings(CLI::App& app, const Settings& settings) {
  const std::string path = command_path(&app);
  for (CLI::Option* option : app.get_options()) {
    if (option->count() > 0 || option->get_lnames().empty()) continue;
    const std::string& name = option->get_lnames().front();
    if (name == "help" || name == "version" || name == "home") continue;
    const std::optional<Settings::Value> value = settings.find(path, name);
    if (!value) continue;
    try {
      option->add_result(value->values);
      option->run_callback();
    } catch (const CLI::Error& error) {
      return usage_error(value->origin + " has a value that --" + name + " does not take: " + one_line(error.what()) +
                         ".");
    }
  }
  return {};
}

}  // namespace

struct CommandLine::Parts {
  CLI::App app;
  std::map<const CLI::App*, Action> actions;
};

CommandLine::CommandLine(const std::string& about, const std::string& version) : parts_(std::make_unique<Parts>()) {
  CLI::App& app = parts_->app;
  app.name("mneme");
  app.description(about);
  app.set_version_flag("--version", version, "Print the version and exit");
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.require_subcommand(0, 1);
  app.get_formatter()->column_width(36);
}

CommandLine::~CommandLine() = default;

Command CommandLine::root() {
  return Command(parts_->app, *this);
}

Result<ParsedCommand> CommandLine::parse(int argc, const char* const* argv, const Settings& settings) {
  CLI::App& app = parts_->app;
  ParsedCommand parsed;
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    parsed.text = app.help();
    return parsed;
  } catch (const CLI::CallForVersion& version) {
    parsed.text = std::string(version.what()) + "\n";
    return parsed;
  } catch (const CLI::ParseError& error) {
    const std::string path = command_path(deepest(&app));
    return usage_error(one_line(error.what()) + "; see `mneme " + (path.empty() ? "" : path + " ") + "--help`.");
  }
  const CLI::App* chosen = deepest(&app);
  for (const CLI::App* step = chosen; step != nullptr; step = step->get_parent()) {
    MNEME_RETURN_IF_ERROR(fill_from_settings(const_cast<CLI::App&>(*step), settings));
  }
  parsed.command = command_path(chosen);
  if (const auto action = parts_->actions.find(chosen); action != parts_->actions.end()) {
    parsed.action = action->second;
  } else if (!parsed.command.empty()) {
    return usage_error("`mneme " + parsed.command + "` needs a command of its own; see `mneme " + parsed.command +
                       " --help`.");
  }
  return parsed;
}

std::string CommandLine::help() const {
  return parts_->app.help();
}

namespace {

// The program and every command below it, in the order of --help.
std::vector<const CLI::App*> all_apps(const CLI::App& root) {
  std::vector<const CLI::App*> all;
  std::vector<const CLI::App*> stack{&root};
  while (!stack.empty()) {
    const CLI::App* app = stack.back();
    stack.pop_back();
    all.push_back(app);
    const auto below = app->get_subcommands([](const CLI::App*) { return true; });
    stack.insert(stack.end(), below.rbegin(), below.rend());
  }
  return all;
}

}  // namespace

std::vector<CommandLine::OptionInfo> CommandLine::options() const {
  std::vector<OptionInfo> all;
  for (const CLI::App* app : all_apps(parts_->app)) {
    for (const CLI::Option* option : app->get_options()) {
      const bool positional = option->get_lnames().empty();
      all.push_back({command_path(app), positional ? option->get_name(true) : "--" + option->get_lnames().front(),
                     option->get_type_name(), option->get_description(), positional});
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
  app_->add_option(name, value, help)->required()->type_name("")->check(CLI::IsMember(choices).description(""));
}

void Command::flag(const std::string& name, bool& value, const std::string& help) {
  app_->add_flag(name, value, help);
}

void Command::option(const std::string& name, std::string& value, const std::string& help) {
  CLI::Option* bound = bind_option(*app_, name, value, help);
  if (!value.empty()) bound->capture_default_str();
}

void Command::option(const std::string& name, std::optional<std::string>& value, const std::string& help) {
  bind_option(*app_, name, value, help);
}

void Command::integer(const std::string& name, int& value, int minimum, int maximum, const std::string& help) {
  bind_option(*app_, name, value, help)->check(CLI::Range(minimum, maximum).description(""))->capture_default_str();
}

void Command::integer(const std::string& name, std::optional<int>& value, int minimum, int maximum,
                      const std::string& help) {
  bind_option(*app_, name, value, help)->check(CLI::Range(minimum, maximum).description(""));
}

void Command::number(const std::string& name, double& value, double minimum, double maximum, const std::string& help) {
  bind_option(*app_, name, value, help)->check(CLI::Range(minimum, maximum).description(""))->capture_default_str();
}

void Command::number(const std::string& name, std::optional<double>& value, double minimum, double maximum,
                     const std::string& help) {
  bind_option(*app_, name, value, help)->check(CLI::Range(minimum, maximum).description(""));
}

void Command::seed(const std::string& name, uint64_t& value, const std::string& help) {
  bind_option(*app_, name, value, help)->capture_default_str();
}

void Command::choice(const std::string& name, std::string& value, const std::vector<std::string>& choices,
                     const std::string& help) {
  std::string listed;
  for (const std::string& choice : choices) listed += (listed.empty() ? "" : "|") + choice;
  CLI::Option* bound = bind_option(*app_, name + " " + listed, value, help);
  bound->check(CLI::IsMember(choices).description(""));
  if (!value.empty()) bound->capture_default_str();
}

void Command::repeated(const std::string& name, std::vector<std::string>& values, const std::string& help) {
  bind_option(*app_, name, values, help)->allow_extra_args(false);
}

void Command::list(const std::string& name, std::vector<std::string>& values, const std::string& help) {
  bind_list(*app_, name, values, help);
}

void Command::list(const std::string& name, std::vector<double>& values, const std::string& help) {
  bind_list(*app_, name, values, help);
}

void Command::list(const std::string& name, std::vector<int>& values, const std::string& help) {
  bind_list(*app_, name, values, help);
}

void Command::action(Action action) {
  owner_->parts_->actions[app_] = std::move(action);
}

void Command::footer(const std::string& text) {
  app_->footer(text);
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

bool peek_flag(int argc, const char* const* argv, std::string_view name) {
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--") break;
    if (argv[i] == name) return true;
  }
  return false;
}

}  // namespace mneme::app
