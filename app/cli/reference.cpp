#include "app/cli/reference.h"

#include <algorithm>
#include <map>
#include <vector>

namespace mneme::app {
namespace {

using CommandInfo = CommandLine::CommandInfo;
using OptionInfo = CommandLine::OptionInfo;

std::vector<OptionInfo> options_of(const CommandLine& line, const std::string& command) {
  std::vector<OptionInfo> mine;
  for (OptionInfo& option : line.options()) {
    if (option.command == command) mine.push_back(std::move(option));
  }
  return mine;
}

std::string replace_all(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::string with_placeholder(const OptionInfo& option) {
  return option.placeholder.empty() ? option.name : option.name + " " + option.placeholder;
}

// "ask QUESTION [OPTIONS]"
std::string synopsis(const CommandLine& line, const CommandInfo& command) {
  std::string text = "mneme";
  if (!command.path.empty()) text += " " + command.path;
  if (command.path.empty() || command.has_subcommands) text += " COMMAND";
  bool has_options = false;
  for (const OptionInfo& option : options_of(line, command.path)) {
    if (option.positional) {
      text += " " + option.name;
    } else if (option.name != "--help" && option.name != "--version") {
      has_options = true;
    }
  }
  return has_options ? text + " [OPTIONS]" : text;
}

// troff takes a leading dot or quote for a request and a backslash for an escape.
std::string roff(const std::string& text) {
  const std::string escaped = replace_all(replace_all(text, "\\", "\\e"), "-", "\\-");
  return !escaped.empty() && (escaped[0] == '.' || escaped[0] == '\'') ? "\\&" + escaped : escaped;
}

void append_roff_options(const CommandLine& line, const std::string& command, std::string& page) {
  for (const OptionInfo& option : options_of(line, command)) {
    page += ".TP\n.B " + roff(with_placeholder(option)) + "\n" + roff(option.help) + "\n";
  }
}

std::string in_cell(const std::string& text) {
  return replace_all(text, "|", "\\|");
}

void append_markdown_options(const CommandLine& line, const std::string& command, std::string& page) {
  std::string rows;
  for (const OptionInfo& option : options_of(line, command)) {
    if (option.name == "--help") continue;
    rows += "| `" + in_cell(with_placeholder(option)) + "` | " + in_cell(option.help) + " |\n";
  }
  if (!rows.empty()) page += "\n| option | meaning |\n|---|---|\n" + rows;
}

// The words of "a|b|c"; none where the placeholder is a name such as DIR.
std::vector<std::string> choices_of(const std::string& placeholder) {
  std::vector<std::string> words;
  if (placeholder.find('|') == std::string::npos) return words;
  size_t from = 0;
  while (from <= placeholder.size()) {
    const size_t bar = std::min(placeholder.find('|', from), placeholder.size());
    const std::string word = placeholder.substr(from, bar - from);
    const bool is_literal = !word.empty() && word.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos;
    if (is_literal) words.push_back(word);
    from = bar + 1;
  }
  return words;
}

std::string joined(const std::vector<std::string>& words, const std::string& separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

// Per command what may follow it: its subcommands, its options and the global ones.
std::map<std::string, std::string> words_after(const CommandLine& line) {
  std::map<std::string, std::vector<std::string>> words;
  for (const CommandInfo& command : line.commands()) {
    words[command.path];
    if (command.path.empty()) continue;
    const size_t space = command.path.rfind(' ');
    const std::string parent = space == std::string::npos ? "" : command.path.substr(0, space);
    words[parent].push_back(space == std::string::npos ? command.path : command.path.substr(space + 1));
  }
  for (const OptionInfo& option : line.options()) {
    if (option.positional) continue;
    for (auto& [path, list] : words) {
      if (path == option.command || (option.command.empty() && option.name != "--version")) list.push_back(option.name);
    }
  }
  std::map<std::string, std::string> out;
  for (const auto& [path, list] : words) out[path] = joined(list, " ");
  return out;
}

// "option) COMPREPLY=..." lines for options with fixed words.
std::string bash_value_cases(const CommandLine& line) {
  std::map<std::string, std::string> by_option;
  for (const OptionInfo& option : line.options()) {
    const std::vector<std::string> words = choices_of(option.placeholder);
    if (!option.positional && !words.empty()) by_option[option.name] = joined(words, " ");
  }
  std::string cases;
  for (const auto& [name, words] : by_option) {
    cases += "    " + name + ") COMPREPLY=($(compgen -W \"" + words + "\" -- \"$current\")); return ;;\n";
  }
  return cases;
}

struct Example {
  std::string_view command;
  std::string_view what;
};
constexpr Example kExamples[] = {
    {"mneme index ~/Documents", "Reads a folder; again later, only what changed."},
    {"mneme ask \"When does the contract end?\" --top-k 8", "Answers, with the passages that the answer stands on."},
    {"mneme search \"notice period\" --json", "The passages alone, for a script."},
    {"mneme status", "What is indexed, and what it takes."},
    {"mneme forget ~/Documents/private", "Removes every trace of a folder from what was indexed."},
};

// Where options come from beside the command line.
constexpr const char* kSettings =
    "Every option but --pause, --resume and --retry of index can be set in the environment and in config.toml: for one "
    "command as MNEME_<COMMAND>_<OPTION> (MNEME_ASK_TOP_K=8) or in its table ([ask], then top-k = 8), for every "
    "command "
    "that has it as MNEME_<OPTION> (MNEME_TOP_K=8) or above all tables. The command line comes before the environment, "
    "the environment before the file, and what is meant for one command before what is meant for all. A value for all "
    "is passed over by commands whose option of that name takes other values (MNEME_KV=lazy by bench), and one that "
    "says otherwise what the command line says (no-rerank in the file, --rerank given) by all.";

std::string single_quoted(const std::string& text) {
  return "'" + replace_all(text, "'", "'\\''") + "'";
}

}  // namespace

std::string manual_page(const CommandLine& line) {
  std::string page = ".TH MNEME 1\n.SH NAME\nmneme \\- " + roff(line.commands().front().about) +
                     "\n.SH SYNOPSIS\n.B mneme\n[GLOBAL OPTIONS] COMMAND [OPTIONS] [ARGUMENTS]\n.SH GLOBAL OPTIONS\n";
  append_roff_options(line, "", page);
  page += ".SH COMMANDS\n";
  for (const CommandInfo& command : line.commands()) {
    if (command.path.empty()) continue;
    page += ".SS " + roff(synopsis(line, command)) + "\n" + roff(command.about) + "\n";
    append_roff_options(line, command.path, page);
  }
  page += ".SH EXAMPLES\n";
  for (const Example& example : kExamples) {
    page += ".TP\n.B " + replace_all(roff(std::string(example.command)), "\"", "\\(dq") + "\n" +
            roff(std::string(example.what)) + "\n";
  }
  page +=
      ".SH ENVIRONMENT\n" + roff(kSettings) + "\n" +
      ".SH EXIT STATUS\n0 done; 1 it failed; 2 wrong usage; 3 the input is damaged or unsupported; 4 not found; 130 "
      "interrupted.\n"
      ".SH FILES\n~/.local/share/mneme (documents' text, vectors and KV caches), ~/.config/mneme/config.toml; all of "
      "it "
      "under one folder with \\-\\-home.\n";
  return page;
}

std::string markdown_reference(const CommandLine& line) {
  std::string page =
      "# Commands\n\nMade by `mneme reference markdown` from the program's own declarations; a test compares the two.\n"
      "\n## Global options\n";
  append_markdown_options(line, "", page);
  page += "\n" + replace_all(kSettings, "<", "\\<") + "\n";
  for (const CommandInfo& command : line.commands()) {
    if (command.path.empty()) continue;
    page += "\n## `" + in_cell(synopsis(line, command)) + "`\n\n" + command.about + ".\n";
    append_markdown_options(line, command.path, page);
  }
  return page;
}

std::string bash_completion(const CommandLine& line) {
  std::string script =
      "# Completion of mneme for bash: put it into /etc/bash_completion.d, or source it.\n_mneme() {\n"
      "  local current=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\" path=\"\" word words\n"
      "  COMPREPLY=()\n  case \"$previous\" in\n" +
      bash_value_cases(line) +
      "  esac\n  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n    case \"$path $word\" in\n";
  std::string tables;
  for (const auto& [path, words] : words_after(line)) {
    if (!path.empty()) {
      const size_t space = path.rfind(' ');
      const std::string step =
          space == std::string::npos ? " " + path : path.substr(0, space) + " " + path.substr(space + 1);
      script += "      " + single_quoted(step) + ") path=" + single_quoted(path) + " ;;\n";
    }
    tables += "    " + single_quoted(path) + ") words=" + single_quoted(words) + " ;;\n";
  }
  return script + "    esac\n  done\n  case \"$path\" in\n" + tables +
         "  esac\n  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n}\n"
         "complete -o default -F _mneme mneme\n";
}

std::string zsh_completion(const CommandLine& line) {
  return "#compdef mneme\n# Completion of mneme for zsh, by its bash script.\nautoload -U +X bashcompinit && "
         "bashcompinit\n" +
         bash_completion(line);
}

std::string fish_completion(const CommandLine& line) {
  std::string script = "# Completion of mneme for fish: put it into ~/.config/fish/completions/mneme.fish.\n";
  for (const CommandInfo& command : line.commands()) {
    if (command.path.empty()) continue;
    const size_t space = command.path.rfind(' ');
    const std::string condition = space == std::string::npos
                                      ? "__fish_use_subcommand"
                                      : "__fish_seen_subcommand_from " + command.path.substr(0, space);
    const std::string name = space == std::string::npos ? command.path : command.path.substr(space + 1);
    script += "complete -c mneme -n " + single_quoted(condition) + " -a " + name + " -d " +
              single_quoted(command.about) + "\n";
  }
  for (const OptionInfo& option : line.options()) {
    if (option.positional || option.name == "--help") continue;
    script += "complete -c mneme -l " + option.name.substr(2);
    if (!option.command.empty()) {
      script +=
          " -n " + single_quoted("__fish_seen_subcommand_from " + option.command.substr(option.command.rfind(' ') + 1));
    }
    if (!option.placeholder.empty()) script += " -r";
    const std::vector<std::string> words = choices_of(option.placeholder);
    if (!words.empty()) script += " -f -a " + single_quoted(joined(words, " "));
    script += " -d " + single_quoted(option.help) + "\n";
  }
  return script;
}

}  // namespace mneme::app
