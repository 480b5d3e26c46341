// The documents are held to the program: commands in them run, their options exist, and docs/commands.md is what the
// program says of itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "tests/integration/documentation.h"
#include "tests/integration/program.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::integration {
namespace {

namespace fs = std::filesystem;

// Lines of fenced blocks that begin with `mneme `, comments cut off, those that go on with a backslash joined.
std::vector<std::string> commands_in(const std::string& markdown) {
  std::vector<std::string> commands;
  std::istringstream lines(markdown);
  bool is_code = false;
  bool goes_on = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("```", 0) == 0) is_code = !is_code;
    if (!is_code || (!goes_on && line.rfind("mneme ", 0) != 0)) continue;
    if (const size_t comment = line.find("  #"); comment != std::string::npos) line.resize(comment);
    if (const size_t comment = line.find(" # "); comment != std::string::npos) line.resize(comment);
    if (goes_on) {
      commands.back() += line;
    } else {
      commands.push_back(line);
    }
    goes_on = commands.back().ends_with("\\");
    if (goes_on) commands.back().pop_back();
  }
  return commands;
}

// Commands with options that stand in a sentence or a table: `mneme bench pq --kv synthetic`, or without the name.
std::vector<std::string> commands_in_sentences(const std::string& markdown) {
  static const std::regex span(
      "`(?:mneme )?((?:ask|bench|chat|eval|generate|index|perplexity|search|verify) [^`]*--[^`]*)`");
  std::vector<std::string> commands;
  for (std::sregex_iterator it(markdown.begin(), markdown.end(), span), end; it != end; ++it) {
    commands.push_back("mneme " + (*it)[1].str());
    std::replace(commands.back().begin(), commands.back().end(), '\n', ' ');
  }
  return commands;
}

// Words of a command as a shell sees them: double quotes group, ~ is `home`. The program's own name is left out.
std::vector<std::string> words_of(const std::string& command, const std::string& home) {
  std::vector<std::string> words;
  std::string word;
  bool is_quoted = false, has_word = false;
  for (const char c : command.substr(6) + " ") {
    if (c == '"') {
      is_quoted = !is_quoted;
      has_word = true;
    } else if (c == ' ' && !is_quoted) {
      if (has_word) words.push_back(word[0] == '~' ? home + word.substr(1) : word);
      word.clear();
      has_word = false;
    } else {
      word += c;
      has_word = true;
    }
  }
  return words;
}

bool is_quick(const std::vector<std::string>& words) {
  static const std::set<std::string> kSlow{"bench", "gui", "eval", "perplexity"};
  return kSlow.count(words[0]) == 0;
}

TEST(DocumentationTest, CommandReferenceIsWhatTheProgramSays) {
  Program program;
  const Outcome reference = program.run({"reference", "markdown"});
  ASSERT_EQ(reference.exit_status, 0) << reference.diagnostics;
  EXPECT_EQ(reference.output, read_file(checkout::path("docs/commands.md")))
      << "write it anew: mneme reference markdown > docs/commands.md";
}

TEST(DocumentationTest, OptionsInTheDocumentsExist) {
  Program program;
  const std::string global = program.run({"--help"}).output;
  std::map<std::vector<std::string>, Outcome> known;
  size_t n_in_sentences = 0;
  for (const fs::path& document : documents()) {
    const std::string text = read_file(document);
    std::vector<std::string> commands = commands_in(text);
    const std::vector<std::string> in_sentences = commands_in_sentences(text);
    commands.insert(commands.end(), in_sentences.begin(), in_sentences.end());
    n_in_sentences += in_sentences.size();
    for (const std::string& command : commands) {
      const std::vector<std::string> words = words_of(command, program.folder());
      std::vector<std::string> path;
      for (const std::string& word : words) {
        if (word.rfind("--", 0) == 0) break;
        path.push_back(word);
        if (words[0] != "model" && words[0] != "collection" && words[0] != "document" && words[0] != "chat") break;
        if (path.size() == 2) break;
      }
      path.push_back("--help");
      if (!known.contains(path)) known[path] = program.run(path);
      const Outcome& help = known[path];
      EXPECT_EQ(help.exit_status, 0) << document << ": " << command << "\n" << help.diagnostics;
      for (const std::string& word : words) {
        if (word.rfind("--", 0) != 0) continue;
        const std::string option = word.substr(0, word.find('='));
        EXPECT_TRUE(help.output.find(option) != std::string::npos || global.find(option) != std::string::npos)
            << document << ": " << command << " has no " << option;
      }
    }
  }
  EXPECT_GT(n_in_sentences, 40u);
}

TEST(DocumentationTest, CommandsOfTheReadmeRun) {
  Program program;
  program.environment = {"MNEME_MODEL=none"};
  program.write("Documents/crane.md", "# Crane\n\nWe agreed on a new crane with a reach of twelve metres.\n");
  program.write("Documents/private/note.txt", "A private note about the crane.\n");
  program.write("Papers/terms.txt", "The notice period is three months.\n");
  fs::create_directories(program.folder() + "/models");
  fs::copy_file(checkout::test_data("tiny.gguf"), program.folder() + "/models/qwen2.5-3b-instruct-q4_k_m.gguf");
  for (const std::string& command : commands_in(read_file(checkout::path("README.md")))) {
    std::vector<std::string> words = words_of(command, program.folder());
    if (words.empty() || !is_quick(words)) continue;
    std::replace(words.begin(), words.end(), std::string("trace.json"), program.folder() + "/trace.json");
    const Outcome outcome = program.run(words);
    EXPECT_EQ(outcome.exit_status, 0) << command << "\n" << outcome.diagnostics;
  }
}

// A command that measures, at its smallest: a small shape and model, few passages, files of the test in place of those
// that stand for the reader's.
std::vector<std::string> made_small(const std::vector<std::string>& words, const Program& program) {
  static const std::map<std::string, std::string> kValues{{"--shape", "bench-tiny"},
                                                          {"--type", "F16"},
                                                          {"--chunks", "2"},
                                                          {"--samples", "1"},
                                                          {"--storage-bandwidth", "5e7,6e9"}};
  const std::string tiny = checkout::test_data("tiny.gguf");
  const std::map<std::string, std::string> files{
      {"SET", program.folder() + "/set.jsonl"},           {"questions.jsonl", program.folder() + "/set.jsonl"},
      {"TEXT", checkout::test_data("reference.txt")},     {"FOLDER_ON_THE_DISK", program.folder()},
      {"curve.jsonl", program.folder() + "/curve.jsonl"}, {"curve.svg", program.folder() + "/curve.svg"}};
  const auto has = [&](const char* word) { return std::find(words.begin(), words.end(), word) != words.end(); };
  std::vector<std::string> small;
  for (const std::string& word : words) {
    const auto value = small.empty() ? kValues.end() : kValues.find(small.back());
    const auto file = files.find(word);
    small.push_back(value != kValues.end() ? value->second : file != files.end() ? file->second : word);
  }
  const auto add = [&](const std::vector<std::string>& more) { small.insert(small.end(), more.begin(), more.end()); };
  if (words[0] == "bench") add({"--reps", "1"});
  if (has("ttft") || has("chat") || has("throughput")) add({"--chunk-tokens", "16"});
  if (has("ttft") && !has("--chunks")) add({"--chunks", "2"});
  if (has("codec") || has("fetch") || has("stream")) add({"--kv", "synthetic", "--tokens", "32", "--chunks", "2"});
  if (has("prefill")) add({"--tokens", "8"});
  if (!has("--shape")) add({"--model", tiny});
  return small;
}

TEST(DocumentationTest, MeasurementsInTheDocumentsRun) {
  int n = 0;
  for (const char* document : {"README.md", "docs/methods.md", "docs/measuring.md", "docs/quickstart.md"}) {
    for (const std::string& command : commands_in(read_file(checkout::path(document)))) {
      Program program;
      program.write(
          "set.jsonl",
          R"({"id":"a","question":"What is the code of box Brail?","contexts":[)"
          R"({"title":"t","text":"The code of box Brail is 44."},{"title":"u","text":"The code of box Orven is 17."}],)"
          R"("answers":["44"],"supporting":[0],"answerable":true})"
          "\n");
      const std::vector<std::string> words = words_of(command, program.folder());
      if (words.empty() || is_quick(words) || words[0] == "gui") continue;
      const Outcome outcome = program.run(made_small(words, program));
      EXPECT_EQ(outcome.exit_status, 0) << document << ": " << command << "\n" << outcome.diagnostics;
      ++n;
    }
  }
  EXPECT_GT(n, 10);
}

TEST(DocumentationTest, CompletionsAndManualAreWellFormed) {
  Program program;
  const std::string bash = program.run({"reference", "bash"}).output;
  EXPECT_NE(bash.find("complete -o default -F _mneme mneme"), std::string::npos);
  const std::string script =
      program.write("mneme.bash", bash +
                                      "COMP_WORDS=(mneme model ''); COMP_CWORD=2; _mneme\n"
                                      "printf '%s ' \"${COMPREPLY[@]}\"\n"
                                      "COMP_WORDS=(mneme ask x --mode bl); COMP_CWORD=4; _mneme\n"
                                      "printf '%s ' \"${COMPREPLY[@]}\"\n");
  const std::string result = program.folder() + "/completed";
  ASSERT_EQ(std::system(("bash '" + script + "' > '" + result + "'").c_str()), 0);
  const std::string completed = read_file(result);
  EXPECT_NE(completed.find("list "), std::string::npos) << completed;
  EXPECT_NE(completed.find("blend "), std::string::npos) << completed;
  const std::string manual = program.run({"reference", "man"}).output;
  EXPECT_EQ(manual.rfind(".TH MNEME 1", 0), 0u);
  EXPECT_NE(manual.find("\\-\\-top\\-k"), std::string::npos);
  for (const char* heading : {"NAME", "SYNOPSIS", "COMMANDS", "EXAMPLES", "ENVIRONMENT", "EXIT STATUS", "FILES"}) {
    EXPECT_NE(manual.find(".SH " + std::string(heading) + "\n"), std::string::npos) << heading;
  }
  EXPECT_NE(program.run({"reference", "fish"}).output.find("complete -c mneme"), std::string::npos);
}

}  // namespace
}  // namespace mneme::integration
