#include "app/cli/usage_errors.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

#include "app/cli/command_tree.h"

namespace mneme::app {
namespace {

constexpr size_t kLeastPrefix = 3;

// How many letters must be left out, added, changed or swapped with their neighbour to make one word of the other.
size_t n_changes(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

constexpr std::string_view kTakes = ": takes ";

// CLI11 writes messages over several lines at times; ours are one sentence. Those that end with what was written for a
// value (takes() in command_line.cpp) keep the dots of it.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (text.find(kTakes) != std::string::npos) return text;
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text;
}

// "`mneme ask`"
std::string quoted(const CLI::App* command) {
  const std::string path = command_path(command);
  return "`mneme" + (path.empty() ? "" : " " + path) + "`";
}

std::string see_help(const CLI::App* command) {
  const std::string path = command_path(command);
  return "see `mneme " + (path.empty() ? "" : path + " ") + "--help`.";
}

std::vector<std::string> names_below(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* below : command.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(below->get_name());
  return names;
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

// "top-k" of every option that the command takes, the program's own included.
std::vector<std::string> option_names(const CLI::App* command) {
  std::vector<std::string> names;
  for (; command != nullptr; command = command->get_parent()) {
    for (const CLI::Option* option : command->get_options()) {
      names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
    }
  }
  return names;
}

std::string unknown_option(const CLI::App* command, const std::string& written) {
  const std::string name = written.substr(0, written.find('='));
  const std::string bare = name.substr(std::min(name.find_first_not_of('-'), name.size()));
  const std::vector<std::string> names = option_names(command);
  // Before its command, as one that would have been moved behind it if it had its value.
  if (std::find(names.begin(), names.end(), bare) != names.end())
    return name + " is an option of " + quoted(command) + "; write it, with its value, behind that.";
  const std::string meant = nearest_word(bare, names);
  return quoted(command) + " has no option " + name + (meant.empty() ? "; " : "; did you mean --" + meant + "? Else ") +
         see_help(command);
}

std::string unknown_command(const CLI::App* group, const std::string& word) {
  const std::vector<std::string> names = names_below(*group);
  const std::string path = command_path(group).empty() ? "" : command_path(group) + " ";
  const std::string none = "there is no command " + path + word + "; ";
  if (const std::string meant = nearest_word(word, names); !meant.empty())
    return none + "did you mean `mneme " + path + meant + "`? Else " + see_help(group);
  if (!path.empty()) return none + "there are " + listed(names) + "; " + see_help(group);
  // `mneme version`
  if (group->get_option_no_throw("--" + word) != nullptr) return none + "did you mean `mneme --" + word + "`?";
  return none + "questions are asked with `mneme ask QUESTION`, and `mneme --help` shows all commands.";
}

// Of the first argument that nothing took.
std::string unexpected(const CLI::App& root, const std::string& first) {
  const CLI::App* command = deepest_command(&root);
  if (first.starts_with('-') && first.find_first_not_of('-') != std::string::npos)
    return unknown_option(command, first);
  if (!names_below(*command).empty()) return unknown_command(command, first);
  return quoted(command) + " does not know what to do with the word " + first + "; " + see_help(command);
}

// What stands in front of `mark`, where it is there.
std::string before(const std::string& text, const std::string& mark) {
  const size_t at = text.find(mark);
  return at == std::string::npos ? "" : text.substr(0, at);
}

// Whether CLI11 complains of too many values; its versions write it in different cases.
bool says_too_many(const std::string& message) {
  return message.find("t most ") != std::string::npos || message.find("t Most ") != std::string::npos;
}

// Words were there, but for the dash that they begin with: `mneme ask -what?`.
std::string dashed_word(const CLI::App* command, const std::string& word) {
  return quoted(command) + " has no option " + word + "; words that begin with a dash stand behind --; " +
         see_help(command);
}

std::string missing_argument(const CLI::App& root, const std::string& message) {
  const CLI::App* command = deepest_command(&root);
  const std::vector<std::string> left = root.remaining(true);
  if (!left.empty() && left.front().starts_with("--")) return unknown_option(command, left.front());
  if (!left.empty() && left.front().starts_with('-')) return dashed_word(command, left.front());
  const std::string name = before(message, " is required");
  const CLI::Option* option = name.empty() ? nullptr : command->get_option_no_throw(name);
  if (option == nullptr) return message + "; " + see_help(command);
  std::string about = option->get_description();
  // "A file", "Files", but not "GGUF".
  if (about.size() > 1 && (about[1] == ' ' || std::islower(static_cast<unsigned char>(about[1])) != 0))
    about[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(about[0])));
  return quoted(command) + " needs " + name + (about.empty() ? "" : " (" + about + ")") + "; " + see_help(command);
}

}  // namespace

std::string explain(const CLI::App& root, const CLI::ParseError& error) {
  const CLI::App* command = deepest_command(&root);
  const std::string message = one_line(error.what());
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    std::optional<std::string> left = explain_left_over(root);
    return left ? *std::move(left) : message + "; " + see_help(command);
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) return missing_argument(root, message);
  const bool wrong_count = dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr;
  if (const std::string name = before(message, ": "); wrong_count && name.starts_with("--"))
    return name +
           (says_too_many(message) ? " stands there more than once; give it once; " : " needs a value behind it; ") +
           see_help(command);
  return explain_value(error) + "; " + see_help(command);
}

std::optional<std::string> explain_left_over(const CLI::App& root) {
  const std::vector<std::string> left = root.remaining(true);
  return left.empty() ? std::nullopt : std::optional(unexpected(root, left.front()));
}

std::string explain_value(const CLI::Error& error) {
  std::string message = one_line(error.what());
  constexpr std::string_view kNotConverted = "Could not convert: ";
  if (message.starts_with(kNotConverted)) {
    message.erase(0, kNotConverted.size());
    const size_t equals = message.find(" = ");
    // Numbers are looked at before (in_range() in command_line.cpp), so this is a flag.
    if (equals != std::string::npos) message.replace(equals, 3, " takes true or false, not ");
    return message;
  }
  // Ours read on behind the option's name (takes() in command_line.cpp).
  const size_t colon = message.find(kTakes);
  if (colon != std::string::npos) message.erase(colon, 1);
  return message;
}

std::string missing_value(const CLI::App& command, const std::string& option) {
  return option + " needs a value behind it; " + see_help(&command);
}

std::string mark_without_command() {
  return "-- stands behind a command, before words that begin with a dash; see `mneme --help`.";
}

std::string missing_subcommand(const CLI::App& command) {
  return quoted(&command) + " needs to know what to do: " + listed(names_below(command)) + "; " + see_help(&command);
}

std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates) {
  std::string nearest;
  // More changes make another word. Of several as near, one as long is a slip of the fingers.
  size_t least = 2 * (word.size() / 3 + 1);
  for (const std::string& candidate : candidates) {
    if (word.size() >= kLeastPrefix && candidate.starts_with(word)) return candidate;
    const size_t changes = n_changes(word, candidate);
    const size_t distance = 2 * changes + (word.size() == candidate.size() ? 0 : 1);
    if (distance >= least || changes >= candidate.size()) continue;
    least = distance;
    nearest = candidate;
  }
  return nearest;
}

}  // namespace mneme::app
