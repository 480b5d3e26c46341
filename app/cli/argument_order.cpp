#include "app/cli/argument_order.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "app/cli/usage_errors.h"

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

// The arguments up to a "--", by what they are.
struct Walk {
  CLI::App* command = nullptr;  // the deepest that was named
  size_t end_of_command = 1;    // behind its name
  Arguments options;            // behind that, with their values
  Arguments words;
  size_t mark = 0;                             // where "--" stands; the end: nowhere
  std::optional<std::string> without_a_value;  // the option whose value would be another option
};

Walk walk(CLI::App& app, const Arguments& arguments) {
  Walk walked{.command = &app, .options = {}, .words = {}, .without_a_value = {}};
  const auto known = [&](std::string_view name) {
    const CLI::Option* option = app.get_option_no_throw(std::string(name));
    return option != nullptr ? option : option_of(walked.command, app, std::string(name));
  };
  size_t& at = walked.mark;
  for (at = 1; at < arguments.size() && std::string_view(arguments[at]) != "--"; ++at) {
    const std::string_view argument = arguments[at];
    CLI::App* below = walked.words.empty() ? command_below(*walked.command, argument) : nullptr;
    if (below != nullptr) {
      walked.command = below;
      walked.end_of_command = at + 1;
      continue;
    }
    const bool is_option = argument.size() > 1 && argument.front() == '-';
    const CLI::Option* option = is_option ? known(argument) : nullptr;
    Arguments& list = is_option ? walked.options : walked.words;
    if (walked.command != &app) list.push_back(arguments[at]);
    if (option == nullptr || !takes_value(*option) || at + 1 == arguments.size()) continue;
    const std::string_view value = arguments[++at];
    if (value.starts_with("--") && known(value) != nullptr) walked.without_a_value = argument;
    if (walked.command != &app) list.push_back(arguments[at]);
  }
  return walked;
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

std::optional<std::string> misplaced(CLI::App& app, const std::vector<const char*>& arguments) {
  const Walk walked = walk(app, arguments);
  if (walked.without_a_value) return missing_value(*walked.command, *walked.without_a_value);
  if (walked.command == &app && walked.mark < arguments.size()) return mark_without_command();
  return std::nullopt;
}

std::vector<const char*> with_words_behind_mark(CLI::App& app, std::vector<const char*> arguments) {
  const Walk walked = walk(app, arguments);
  if (walked.mark == arguments.size() || walked.words.empty()) return arguments;
  const auto place = [&](size_t n) { return arguments.begin() + static_cast<std::ptrdiff_t>(n); };
  Arguments ordered(arguments.begin(), place(walked.end_of_command));
  ordered.insert(ordered.end(), walked.options.begin(), walked.options.end());
  ordered.push_back(arguments[walked.mark]);
  ordered.insert(ordered.end(), walked.words.begin(), walked.words.end());
  ordered.insert(ordered.end(), place(walked.mark + 1), arguments.end());
  return ordered;
}

}  // namespace mneme::app
