// The documents are held to the program: commands in them run, their options exist, links resolve, and docs/commands.md
// is what the program says of itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "tests/integration/program.h"

namespace mneme::integration {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<fs::path> documents() {
  const fs::path root(MNEME_SOURCE);
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(root)) {
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  }
  for (const char* folder : {"docs", "assets/models", "assets/train"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() == ".md") found.push_back(entry.path());
    }
  }
  return found;
}

// Lines of fenced blocks that begin with `mneme `, comments cut off.
std::vector<std::string> commands_in(const std::string& markdown) {
  std::vector<std::string> commands;
  std::istringstream lines(markdown);
  bool is_code = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("```", 0) == 0) is_code = !is_code;
    if (!is_code || line.rfind("mneme ", 0) != 0) continue;
    if (const size_t comment = line.find("  #"); comment != std::string::npos) line.resize(comment);
    if (const size_t comment = line.find(" # "); comment != std::string::npos) line.resize(comment);
    commands.push_back(line);
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
  EXPECT_EQ(reference.output, read_file(fs::path(MNEME_SOURCE) / "docs/commands.md"))
      << "write it anew: mneme reference markdown > docs/commands.md";
}

TEST(DocumentationTest, LinksResolve) {
  for (const fs::path& document : documents()) {
    const std::string text = read_file(document);
    for (size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
      const std::string target = text.substr(at + 2, text.find_first_of(") \n", at) - at - 2);
      if (target.empty() || target.find("://") != std::string::npos || target[0] == '#') continue;
      EXPECT_TRUE(fs::exists(document.parent_path() / target.substr(0, target.find('#'))))
          << document << ": " << target;
    }
  }
}

TEST(DocumentationTest, OptionsInTheDocumentsExist) {
  Program program;
  const std::string global = program.run({"--help"}).output;
  std::map<std::vector<std::string>, Outcome> known;
  for (const fs::path& document : documents()) {
    for (const std::string& command : commands_in(read_file(document))) {
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
}

// Packages of the list between two of its headings, without version control and build tools.
std::vector<std::string> packages_under(const std::string& heading) {
  std::ifstream list(fs::path(MNEME_SOURCE) / "scripts/packages.txt");
  std::vector<std::string> packages;
  bool is_wanted = false;
  for (std::string line; std::getline(list, line);) {
    if (line.rfind("# ", 0) == 0) {
      is_wanted = line == "# " + heading;
    } else if (is_wanted && !line.empty()) {
      packages.push_back(line);
    }
  }
  return packages;
}

TEST(DocumentationTest, EveryLibraryIsNamedWithItsLicence) {
  const std::string notices = read_file(fs::path(MNEME_SOURCE) / "THIRD-PARTY.md");
  for (const char* heading : {"libraries", "run time"}) {
    const std::vector<std::string> packages = packages_under(heading);
    EXPECT_FALSE(packages.empty()) << heading;
    for (const std::string& package : packages) {
      EXPECT_NE(notices.find("`" + package + "`"), std::string::npos) << package << " is not in THIRD-PARTY.md";
    }
  }
}

TEST(DocumentationTest, CommandsOfTheReadmeRun) {
  Program program;
  program.environment = {"MNEME_MODEL=none"};
  program.write("Documents/crane.md", "# Crane\n\nWe agreed on a new crane with a reach of twelve metres.\n");
  program.write("Documents/private/note.txt", "A private note about the crane.\n");
  program.write("Papers/terms.txt", "The notice period is three months.\n");
  fs::create_directories(program.folder() + "/models");
  fs::copy_file(fs::path(MNEME_SOURCE) / "tests/data/tiny.gguf",
                program.folder() + "/models/qwen2.5-3b-instruct-q4_k_m.gguf");
  for (const std::string& command : commands_in(read_file(fs::path(MNEME_SOURCE) / "README.md"))) {
    std::vector<std::string> words = words_of(command, program.folder());
    if (words.empty() || !is_quick(words)) continue;
    std::replace(words.begin(), words.end(), std::string("trace.json"), program.folder() + "/trace.json");
    const Outcome outcome = program.run(words);
    EXPECT_EQ(outcome.exit_status, 0) << command << "\n" << outcome.diagnostics;
  }
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
  EXPECT_NE(program.run({"reference", "fish"}).output.find("complete -c mneme"), std::string::npos);
}

// Every test that a document names for a promise (`SuiteTest.Name`) is in the tree.
TEST(DocumentationTest, TestsNamedForPromisesExist) {
  const fs::path root(MNEME_SOURCE);
  std::string sources;
  for (const auto& entry : fs::recursive_directory_iterator(root / "tests")) {
    if (entry.path().extension() == ".cpp") sources += read_file(entry.path());
  }
  const std::regex name("`([A-Z][A-Za-z0-9]*)\\.([A-Z][A-Za-z0-9_]*)`");
  for (const char* path :
       {"docs/reliability.md", "docs/kv-store.md", "docs/engine.md", "docs/fusion.md", "docs/long-contexts.md"}) {
    const std::string document = read_file(root / path);
    int n_names = 0;
    for (std::sregex_iterator it(document.begin(), document.end(), name), end; it != end; ++it, ++n_names) {
      const std::string declared = "(" + (*it)[1].str() + ", " + (*it)[2].str() + ")";
      EXPECT_NE(sources.find(declared), std::string::npos) << path << " names a test that is not there: " << it->str();
    }
    EXPECT_GT(n_names, 20) << path;
  }
}

}  // namespace
}  // namespace mneme::integration
