// What the documents name is there: files, headings, libraries with their licences, tests of promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "tests/integration/documentation.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::integration {
namespace {

namespace fs = std::filesystem;

// How viewers of Markdown name a heading: small letters, a hyphen for every blank, no other signs. Headings here are
// plain: a link in one would have to be reduced to its text first.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ') {
      anchor += '-';
    } else if (std::isalnum(byte) != 0 || c == '-' || c == '_' || byte >= 0x80) {
      anchor += static_cast<char>(std::tolower(byte));
    }
  }
  return anchor;
}

std::set<std::string> anchors_in(const fs::path& document) {
  std::set<std::string> anchors;
  std::istringstream lines(read_file(document));
  bool is_code = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("```", 0) == 0) is_code = !is_code;
    const size_t text = line.find_first_not_of('#');
    if (is_code || text == 0 || text == std::string::npos || line[text] != ' ') continue;
    anchors.insert(anchor_of(line.substr(text + 1)));
  }
  return anchors;
}

TEST(DocumentationTest, LinksResolve) {
  for (const fs::path& document : documents()) {
    const std::string text = read_file(document);
    for (size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
      const std::string target = text.substr(at + 2, text.find_first_of(") \n", at) - at - 2);
      if (target.empty() || target.find("://") != std::string::npos) continue;
      const size_t sign = target.find('#');
      const fs::path file = sign == 0 ? document : document.parent_path() / target.substr(0, sign);
      EXPECT_TRUE(fs::exists(file)) << document << ": " << target;
      if (sign == std::string::npos || file.extension() != ".md") continue;
      EXPECT_EQ(anchors_in(file).count(target.substr(sign + 1)), 1u) << document << " links to no heading: " << target;
    }
  }
}
// `engine/gguf/gguf_file.h`, `tests/fuzz/README.md`, `rag/indexing`: what begins like a folder of the checkout is in
// it, a source perhaps without its extension. Patterns and placeholders are nobody's name.
bool is_in_checkout(const std::string& name) {
  const fs::path path = checkout::path(name);
  if (fs::exists(path)) return true;
  if (!fs::exists(path.parent_path())) return false;
  for (const auto& entry : fs::directory_iterator(path.parent_path())) {
    if (entry.path().stem() == path.filename()) return true;
  }
  return false;
}

TEST(DocumentationTest, FilesNamedInTheDocumentsExist) {
  const std::regex span("`([^`\n]+)`");
  const std::regex name(
      R"((?:^|[ (])((?:\.ci|app|assets|base|cmake|docs|engine|rag|scripts|storage|tests|ui)/[\w./-]*\w)(?![\w*<{/]))");
  int n_names = 0;
  for (const fs::path& document : documents()) {
    const std::string text = read_file(document);
    for (std::sregex_iterator it(text.begin(), text.end(), span), end; it != end; ++it) {
      const std::string words = (*it)[1].str();
      for (std::sregex_iterator at(words.begin(), words.end(), name); at != end; ++at, ++n_names) {
        EXPECT_TRUE(is_in_checkout((*at)[1].str())) << document << " names " << (*at)[1].str();
      }
    }
  }
  EXPECT_GT(n_names, 150);
}

// Packages of the list between two of its headings, without version control and build tools.
std::vector<std::string> packages_under(const std::string& heading) {
  std::ifstream list(checkout::path("scripts/packages.txt"));
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
  const std::string notices = read_file(checkout::path("THIRD-PARTY.md"));
  for (const char* heading : {"libraries", "run time"}) {
    const std::vector<std::string> packages = packages_under(heading);
    EXPECT_FALSE(packages.empty()) << heading;
    for (const std::string& package : packages) {
      EXPECT_NE(notices.find("`" + package + "`"), std::string::npos) << package << " is not in THIRD-PARTY.md";
    }
  }
}
// Every test of the tree as "\nSuite.Name\n", one after the other.
std::string declared_tests() {
  static const std::regex declaration(R"(^TEST(?:_F|_P)?\(([A-Za-z0-9_]+), ([A-Za-z0-9_]+)\))");
  std::string names = "\n";
  for (const auto& entry : fs::recursive_directory_iterator(checkout::path("tests"))) {
    if (entry.path().extension() != ".cpp") continue;
    std::ifstream source(entry.path());
    std::smatch found;
    for (std::string line; std::getline(source, line);) {
      if (line.rfind("TEST", 0) != 0 || !std::regex_search(line, found, declaration)) continue;
      names += found[1].str() + "." + found[2].str() + "\n";
    }
  }
  return names;
}

// Every test that a document names for a promise (`SuiteTest.Name`) is in the tree.
TEST(DocumentationTest, TestsNamedForPromisesExist) {
  const std::string tests = declared_tests();
  const std::regex name("`([A-Z][A-Za-z0-9]*\\.[A-Z][A-Za-z0-9_]*)`");
  for (const char* path : {"docs/reliability.md", "docs/kv-store.md", "docs/engine.md", "docs/fusion.md",
                           "docs/long-contexts.md", "docs/retrieval.md", "docs/quoting.md", "docs/measuring.md"}) {
    const std::string document = read_file(checkout::path(path));
    int n_names = 0;
    for (std::sregex_iterator it(document.begin(), document.end(), name), end; it != end; ++it, ++n_names) {
      EXPECT_NE(tests.find("\n" + (*it)[1].str() + "\n"), std::string::npos)
          << path << " names a test that is not there: " << it->str();
    }
    EXPECT_GT(n_names, 20) << path;
  }
}

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream parts(row.substr(1));
  for (std::string cell; std::getline(parts, cell, '|');) {
    const size_t first = cell.find_first_not_of(' ');
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
  }
  return cells;
}

// The cells of every table's column that says by which tests a row is shown.
std::vector<std::string> cells_with_tests(const std::string& markdown) {
  std::vector<std::string> found;
  std::istringstream lines(markdown);
  size_t column = std::string::npos;
  bool is_table = false;
  for (std::string line; std::getline(lines, line); is_table = line.starts_with('|')) {
    if (!line.starts_with('|')) continue;
    const std::vector<std::string> cells = cells_of(line);
    if (!is_table) {
      const auto head = std::find_if(cells.begin(), cells.end(),
                                     [](const std::string& cell) { return cell == "test" || cell == "shown by"; });
      column = static_cast<size_t>(head - cells.begin());
    } else if (column < cells.size()) {
      found.push_back(cells[column]);
    }
  }
  return found;
}

// What a word of such a cell looks for among declared_tests(); "" for a word that is no test. Long names are cut off
// with an ellipsis on either side, and a suite stands for all its tests: "PausingHolds…", "TimelineTest.*",
// "Suite.Name", "Name".
std::string pattern_of(std::string word) {
  const std::string ellipsis = "…";
  const bool cut_before = word.rfind(ellipsis, 0) == 0;
  if (cut_before) word.erase(0, ellipsis.size());
  const bool cut_behind = word.size() >= ellipsis.size() && word.ends_with(ellipsis);
  if (cut_behind) word.resize(word.size() - ellipsis.size());
  const bool is_whole_suite = word.ends_with(".*") || word.ends_with("Test");
  if (word.ends_with(".*")) word.resize(word.size() - 2);
  static const std::regex name("[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*[A-Z][A-Za-z0-9.]*");
  if (!std::regex_match(word, name)) return "";
  if (cut_before) return word;
  if (is_whole_suite) return "\n" + word + ".";
  const bool has_suite = word.find('.') != std::string::npos;
  return (has_suite ? "\n" : ".") + word + (cut_behind ? "" : "\n");
}

// The window's tables list tests in short; each is in the tree.
TEST(DocumentationTest, TestsListedForTheWindowExist) {
  const std::string tests = declared_tests();
  int n_names = 0;
  for (std::string cell : cells_with_tests(read_file(checkout::path("docs/window.md")))) {
    std::replace_if(cell.begin(), cell.end(), [](char c) { return c == ',' || c == ';' || c == '(' || c == ')'; }, ' ');
    std::istringstream words(cell);
    for (std::string word; words >> word;) {
      const std::string pattern = pattern_of(word);
      if (pattern.empty()) continue;
      ++n_names;
      EXPECT_NE(tests.find(pattern), std::string::npos) << "docs/window.md lists a test that is not there: " << word;
    }
  }
  EXPECT_GT(n_names, 80);
}

}  // namespace
}  // namespace mneme::integration
