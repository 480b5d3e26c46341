#include "app/cli/argument_order.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mneme::app {
namespace {

using Arguments = std::vector<const char*>;

CLI::App* command_below(CLI::App& app, std::string_view name) {
  for (CLI::App* below : app.get_subcommands([](CLI::App*) { return true; })) {
    if (below->get_name() == name) return below;
  }
  return nullptr;
}

bool takes_value(const CLI::Option& option) {
  return option.get_items_expected_min() > 0;
}

// What stands before a command: options of the whole program, and options of the command.
struct Before {
  Arguments of_program;
  Arguments of_command;
};

const CLI::Option* option_of(const CLI::App* command, const CLI::App& root, const std::string& name) {
  for (; command != nullptr && command != &root; command = command->get_parent()) {
    if (const CLI::Option* option = command->get_option_no_throw(name)) return option;
  }
  return nullptr;
}

// Nothing where an argument is no option of either, or one's value would be the command itself.
std::optional<Before> sorted(const CLI::App& root, const CLI::App& command, std::span<const char* const> arguments) {
  Before before;
  for (size_t at = 0; at < arguments.size(); ++at) {
    const std::string_view argument = arguments[at];
    if (!argument.starts_with('-')) return std::nullopt;
    const bool has_value = argument.find('=') != std::string_view::npos;
    const std::string name(argument.substr(0, argument.find('=')));
    const CLI::Option* option = root.get_option_no_throw(name);
    Arguments& list = option != nullptr ? before.of_program : before.of_command;
    if (option == nullptr) option = option_of(&command, root, name);
    if (option == nullptr) return std::nullopt;
    list.push_back(arguments[at]);
    if (has_value || !takes_value(*option)) continue;
    if (++at == arguments.size()) return std::nullopt;
    list.push_back(arguments[at]);
  }
  return before;
}

// Where the first word stands that is neither an option of the whole program nor an option's value; the end: nowhere.
size_t first_word(const CLI::App& app, const Arguments& arguments) {
  size_t at = 1;
  while (at < arguments.size() && arguments[at][0] == '-') {
    const CLI::Option* option = app.get_option_no_throw(arguments[at]);  // none for "--name=value"
    at += option != nullptr && takes_value(*option) ? 2 : 1;
  }
  return std::min(at, arguments.size());
}

}  // namespace

std::vector<const char*> with_options_behind_commands(CLI::App& app, int argc, const char* const* argv) {
  Arguments arguments(argv, argv + argc);  // not const, so that what is given back is moved
  for (size_t at = 1; at < arguments.size() && std::string_view(arguments[at]) != "--"; ++at) {
    CLI::App* command = command_below(app, arguments[at]);
    if (command == nullptr) continue;
    size_t end = at + 1;
    while (end < arguments.size()) {
      CLI::App* deeper = command_below(*command, arguments[end]);
      if (deeper == nullptr) break;
      command = deeper;
      ++end;
    }
    const auto before = sorted(app, *command, std::span(arguments).subspan(1, at - 1));
    if (!before) continue;
    Arguments ordered{arguments.front()};
    const auto add = [&](auto begin, auto end_of) { ordered.insert(ordered.end(), begin, end_of); };
    const auto place = [&](size_t n) { return arguments.begin() + static_cast<std::ptrdiff_t>(n); };
    add(before->of_program.begin(), before->of_program.end());
    add(place(at), place(end));
    add(before->of_command.begin(), before->of_command.end());
    add(place(end), arguments.end());
    return ordered;
  }
  return arguments;
}

std::vector<const char*> with_help_as_option(CLI::App& app, std::vector<const char*> arguments, bool& was_word) {
  const size_t word = first_word(app, arguments);
  was_word = word < arguments.size() && std::string_view(arguments[word]) == "help";
  if (was_word) {
    arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(word));
    arguments.push_back("--help");
  }
  return arguments;
}

}  // namespace mneme::app
