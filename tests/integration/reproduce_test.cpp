// scripts/reproduce and the experiments declared for it: every table and figure is there, their commands exist, quick
// runs give numbers, a plot and a section of Markdown, and docs/results.md is what is kept.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/integration/program.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::integration {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

struct Script {
  int exit_status = -1;
  std::string output;
};

// `scripts/reproduce ARGUMENTS` on the tiny model; both streams are taken.
Script reproduce(const Program& program, const std::string& arguments) {
  const std::string source = checkout::path("");
  const std::string command = "/usr/bin/env python3 -B '" + source + "/scripts/reproduce' " + arguments + " --mneme '" +
                              checkout::program() + "' --model '" + source +
                              "/tests/data/tiny.gguf' --threads 2 --out '" + program.folder() + "/out' 2>&1";
  Script script;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return script;
  std::array<char, 4096> buffer{};
  for (size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) script.output.append(buffer.data(), n);
  const int status = pclose(pipe);
  script.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return script;
}

class ReproduceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::system("/usr/bin/env python3 -c 'import tomllib' 2>/dev/null") != 0) {
      GTEST_SKIP() << "Python 3.11 or newer is not installed";
    }
  }
  Program program_;
};

TEST_F(ReproduceTest, UnitTestsOfTheScriptPass) {
  const std::string log = program_.folder() + "/unit.log";
  const std::string command = "cd '" + checkout::path("tests/eval") +
                              "' && /usr/bin/env python3 -B -m unittest reproduce.tests > '" + log + "' 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << read_file(log);
}

TEST_F(ReproduceTest, EveryTableAndFigureIsDeclared) {
  const Script list = reproduce(program_, "--list");
  ASSERT_EQ(list.exit_status, 0) << list.output;
  std::vector<std::string> names;
  for (const int figure : {6, 7, 8, 12, 13, 14, 15, 16, 17}) {
    names.push_back("CacheBlend, Figure " + std::to_string(figure) + " ");
  }
  for (const int figure : {3, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 19}) {
    names.push_back("CacheGen, Figure " + std::to_string(figure) + " ");
  }
  for (const char* name : {"Table 2", "Table 3", "Figure 5", "Figure 7", "Figure 8", "Figure 9", "Figure 10"}) {
    names.push_back(std::string("PQCache, ") + name + " ");
  }
  for (const std::string& name : names) EXPECT_NE(list.output.find(name), std::string::npos) << name;
}

TEST_F(ReproduceTest, OptionsOfTheExperimentsExist) {
  for (const char* mode : {"--commands", "--commands --quick"}) {
    const Script commands = reproduce(program_, std::string(mode) + " --peer llama-bench --gguf model-{type}.gguf");
    ASSERT_EQ(commands.exit_status, 0) << commands.output;
    std::map<std::string, std::string> help;
    std::istringstream lines(commands.output);
    int n = 0;
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string word;
      words >> word;
      if (word != "mneme") continue;
      std::string command;
      words >> command;
      std::string& known = help[command];
      if (known.empty()) known = program_.run({command, "--help"}).output + program_.run({"--help"}).output;
      for (++n; words >> word;) {
        if (word.rfind("--", 0) != 0) continue;
        EXPECT_NE(known.find(word), std::string::npos) << line << ": " << word;
      }
    }
    EXPECT_GT(n, 40);
  }
}

// Each kind of source: statistics of a model, times by mode with a derived column, perplexity by codec.
TEST_F(ReproduceTest, QuickRunsGiveNumbersPlotAndSection) {
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"cachegen-05", "| part | none | token | channel | layer | layer and channel |"},
      {"cacheblend-17", "| bytes/s | mode | share | first token, ms | share of full |"},
      {"cachegen-15", "| codec | bits | times smaller than fp16 | perplexity, % more |"}};
  for (const auto& [name, head] : expected) {
    const Script run = reproduce(program_, name + " --quick");
    ASSERT_EQ(run.exit_status, 0) << run.output;
    const fs::path folder = fs::path(program_.folder()) / "out" / name;
    const auto result = nlohmann::json::parse(read_file(folder / "result.json"), nullptr, false);
    ASSERT_TRUE(result.is_object()) << name;
    EXPECT_TRUE(result["quick"].get<bool>());
    EXPECT_FALSE(result["machine"]["cpu"].get<std::string>().empty());
    ASSERT_FALSE(result["runs"].empty());
    for (const auto& one : result["runs"]) EXPECT_FALSE(one["rows"].empty()) << one["command"];
    const std::string section = read_file(folder / "fragment.md");
    EXPECT_NE(section.find(head), std::string::npos) << section;
    EXPECT_NE(section.find("quick run"), std::string::npos) << section;
    const std::string svg = read_file(folder / (name + ".svg"));
    EXPECT_EQ(svg.rfind("<svg", 0), 0u) << name;
    EXPECT_NE(svg.find("</svg>"), std::string::npos);
    // Nothing of where it ran is told.
    EXPECT_EQ(section.find(program_.folder()), std::string::npos) << section;
  }
}

TEST_F(ReproduceTest, FinishedCommandsAreNotRunAgain) {
  ASSERT_EQ(reproduce(program_, "cachegen-05 --quick").exit_status, 0);
  const fs::path kept = fs::path(program_.folder()) / "out/cachegen-05/entropy.json";
  auto done = nlohmann::json::parse(read_file(kept));
  done["output"]["results"][0]["bits"] = 1234.5;
  std::ofstream(kept) << done.dump();
  const Script again = reproduce(program_, "cachegen-05 --quick");
  EXPECT_NE(again.output.find("1234"), std::string::npos) << again.output;
  const Script anew = reproduce(program_, "cachegen-05 --quick --again");
  EXPECT_EQ(anew.output.find("1234"), std::string::npos) << anew.output;
}

TEST_F(ReproduceTest, SaysWhatIsWrong) {
  const Script unknown = reproduce(program_, "cacheblend-99");
  EXPECT_EQ(unknown.exit_status, 4);
  EXPECT_NE(unknown.output.find("--list"), std::string::npos);
  const Script run = reproduce(program_, "cacheblend-16:nothing");
  EXPECT_EQ(run.exit_status, 4);
  EXPECT_NE(run.output.find("quality-512"), std::string::npos) << run.output;
  EXPECT_EQ(reproduce(program_, "").exit_status, 2);
  const Script reason = reproduce(program_, "cachegen-16");
  EXPECT_EQ(reason.exit_status, 0);
  EXPECT_NE(reason.output.find("not run"), std::string::npos);
}

TEST_F(ReproduceTest, ResultsDocumentIsWhatIsKept) {
  const fs::path docs = checkout::path("docs");
  const fs::path copy = fs::path(program_.folder()) / "docs";
  fs::create_directories(copy);
  fs::copy(docs / "results", copy / "results", fs::copy_options::recursive);
  const Script collected = reproduce(program_, "--collect --docs '" + copy.string() + "'");
  ASSERT_EQ(collected.exit_status, 0) << collected.output;
  for (const char* page :
       {"results.md", "results/cacheblend.md", "results/cachegen.md", "results/pqcache.md", "results/mneme.md"}) {
    EXPECT_EQ(read_file(copy / page), read_file(docs / page)) << page << ": write it anew: scripts/reproduce --collect";
  }
}

}  // namespace
}  // namespace mneme::integration
