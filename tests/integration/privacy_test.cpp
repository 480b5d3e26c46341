// What the program keeps is the user's alone, and what is forgotten is gone.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "tests/integration/program.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::integration {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string kTiny = checkout::test_data("tiny.gguf");

class PrivacyTest : public testing::Test {
 protected:
  void run(std::vector<std::string> arguments, const std::string& input = "") {
    const Outcome outcome = program.run(arguments, input);
    EXPECT_EQ(outcome.exit_status, 0) << arguments[0] << ": " << outcome.diagnostics;
  }
  // A home that has seen all kinds of work.
  void live() {
    program.write("docs/owls.md", "# Owls\n\nThe marsh owl lays seven eggs in April.\n");
    program.write("docs/private/diary.txt", "The xylophonist hid the quincunx below the verandah.\n");
    program.write("docs/private/diary.html", "<p>The quincunx was dug up on the verandah later.</p>\n");
    run({"index", program.folder() + "/docs", "--kv", "now", "--model", kTiny});
    run({"ask", "Where is the quincunx?", "--model", kTiny, "--max-tokens", "4"});
    run({"chat", "--model", "none"}, "Where did the xylophonist hide it?\n");
    run({"chat", "--model", "none"}, "How many eggs does the marsh owl lay?\n");
    run({"search", "owl eggs"});
  }
  // Second names of every cache there is, which show what is left on the disk of those that go.
  std::vector<std::string> link_caches() {
    std::vector<std::string> names;
    for (const char* folder : {"/kv", "/index"}) {
      for (const auto& entry : fs::recursive_directory_iterator(program.home() + folder)) {
        if (!entry.is_regular_file() || entry.file_size() == 0) continue;
        names.push_back(program.folder() + "/second-name-" + std::to_string(names.size()));
        fs::create_hard_link(entry.path(), names.back());
      }
    }
    return names;
  }
  static bool holds_something(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return std::any_of(std::istreambuf_iterator<char>(stream), {}, [](char c) { return c != 0; });
  }
  int count_below(const std::string& folder) {
    int n = 0;
    for (const auto& entry : fs::recursive_directory_iterator(program.home() + "/" + folder)) {
      n += entry.is_regular_file() ? 1 : 0;
    }
    return n;
  }
  Program program;
};

TEST_F(PrivacyTest, FilesAreTheUsersAlone) {
  const mode_t before = ::umask(0);
  live();
  ::umask(before);
  int n_files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(program.home())) {
    struct stat info{};
    ASSERT_EQ(::stat(entry.path().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, entry.is_directory() ? 0700u : 0600u) << entry.path();
    ++n_files;
  }
  EXPECT_GT(n_files, 5);
}

TEST_F(PrivacyTest, ForgettingLeavesNoTraceInTheHome) {
  live();
  ASSERT_FALSE(program.files_that_hold("quincunx").empty());
  run({"forget", program.folder() + "/docs/private"});
  for (const char* word : {"quincunx", "verandah", "diary"}) {
    for (const std::string& file : program.files_that_hold(word)) ADD_FAILURE() << word << " is still in " << file;
  }
  // The rest stays, the other chat included.
  EXPECT_FALSE(program.files_that_hold("marsh owl").empty());
  const json chats = json::parse(program.run({"--json", "chat", "list"}).output);
  EXPECT_EQ(chats["chats"].size(), 2u);
  EXPECT_EQ(program.run({"verify"}).exit_status, 0);
  EXPECT_NE(program.run({"chat", "show", "2"}).output.find("seven eggs"), std::string::npos);
  // What the user asked is theirs; what the program answered from the file is gone.
  const std::string shown = program.run({"chat", "show", "1"}).output;
  EXPECT_NE(shown.find("xylophonist hide"), std::string::npos) << shown;
  EXPECT_NE(shown.find("forgotten"), std::string::npos) << shown;
}

// Vectors and KV caches tell of a text as well.
TEST_F(PrivacyTest, ForgettingTakesVectorsAndCaches) {
  live();
  const int kv_before = count_below("kv");
  ASSERT_GE(kv_before, 3);
  const std::vector<std::string> second_names = link_caches();
  run({"forget", program.folder() + "/docs/private"});
  EXPECT_EQ(count_below("index"), 0) << "a file of vectors stayed";
  EXPECT_EQ(count_below("kv"), 1) << "of " << kv_before << ": only the owls' passage is left";
  EXPECT_EQ(std::count_if(second_names.begin(), second_names.end(), holds_something), 1) << "they are overwritten";
  const json checked = program.run({"--json", "verify"}).last_json();
  EXPECT_EQ(checked["checked"]["chunks"], 1);
  EXPECT_EQ(checked["problems"], json::array());
  EXPECT_NE(program.run({"search", "owl eggs"}).output.find("seven eggs"), std::string::npos);
}

// A collection that was deleted leaves no vectors; what a version before this one left, or a killed process, goes with
// the next thing that is forgotten.
TEST_F(PrivacyTest, VectorsOfDeletedCollectionsGo) {
  live();
  run({"index", program.folder() + "/docs/private", "--collection", "secret"});
  run({"search", "quincunx", "--collection", "secret"});
  const fs::path index = program.home() + "/index";
  ASSERT_TRUE(fs::exists(index / "secret.hnsw"));
  fs::copy_file(index / "secret.hnsw", index / "orphan.hnsw");
  run({"collection", "delete", "secret"});
  EXPECT_FALSE(fs::exists(index / "secret.hnsw"));
  run({"gc"});
  EXPECT_FALSE(fs::exists(index / "orphan.hnsw"));
  EXPECT_EQ(count_below("index"), 1) << "those of the collection that is there stay";

  fs::copy_file(index / "default.hnsw", index / "orphan.hnsw");
  fs::copy_file(index / "default.hnsw", index / "default.hnsw.tmp-2000000000-1");
  const std::vector<std::string> second_names = link_caches();
  run({"forget", program.folder() + "/docs"});
  EXPECT_EQ(count_below("index"), 0);
  EXPECT_EQ(std::count_if(second_names.begin(), second_names.end(), holds_something), 0) << "they are overwritten";
}

// Files of the home with their bytes, but for the catalogue's own (a reader touches its log) and the program's log.
std::map<std::string, std::string> caches_of(const std::string& home) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(home)) {
    const std::string name = entry.path().filename();
    if (!entry.is_regular_file() || name.starts_with("catalog.db") || name.ends_with(".log")) continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    files[entry.path()] = {std::istreambuf_iterator<char>(stream), {}};
  }
  return files;
}

TEST_F(PrivacyTest, AMistypedPathCostsNothing) {
  live();
  const auto before = caches_of(program.home());
  ASSERT_GE(before.size(), 4u);
  const Outcome slip = program.run({"forget", program.folder() + "/docs/privat"});
  EXPECT_EQ(slip.exit_status, 4) << slip.diagnostics;
  EXPECT_NE(slip.diagnostics.find("nothing was touched"), std::string::npos) << slip.diagnostics;
  EXPECT_EQ(caches_of(program.home()), before);
  // Where files were removed since, what they left is overwritten; chats do not name the path and stay warm.
  fs::remove(program.folder() + "/docs/owls.md");
  run({"index", program.folder() + "/docs"});
  const Outcome again = program.run({"forget", program.folder() + "/docs/privat"});
  EXPECT_EQ(again.exit_status, 4) << again.diagnostics;
  EXPECT_NE(again.diagnostics.find("overwritten all the same"), std::string::npos) << again.diagnostics;
  const Outcome third = program.run({"forget", program.folder() + "/docs/privat"});
  EXPECT_NE(third.diagnostics.find("nothing was touched"), std::string::npos) << third.diagnostics;
}

// A file may be gone from the index when its owner thinks of forgetting it.
TEST_F(PrivacyTest, WhatWasRemovedBeforeCanStillBeForgotten) {
  live();
  fs::remove_all(program.folder() + "/docs/private");
  run({"index", program.folder() + "/docs"});
  const Outcome forgotten = program.run({"forget", program.folder() + "/docs/private"});
  EXPECT_TRUE(forgotten.exit_status == 0 || forgotten.exit_status == 4) << forgotten.diagnostics;
  for (const char* word : {"quincunx", "verandah", "diary"}) {
    for (const std::string& file : program.files_that_hold(word)) ADD_FAILURE() << word << " is still in " << file;
  }
  EXPECT_EQ(count_below("kv"), 1);
  EXPECT_EQ(program.run({"verify"}).exit_status, 0);
}

// The catalogue alone holds text: not the log's folder, not the index files, not the names or bytes of KV caches.
TEST_F(PrivacyTest, OnlyTheCatalogueHoldsText) {
  live();
  int n_others = 0;
  for (const auto& entry : fs::recursive_directory_iterator(program.home())) {
    const std::string name = entry.path().filename();
    if (!entry.is_regular_file() || name.starts_with("catalog.db")) continue;
    ++n_others;
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    for (const char* word : {"quincunx", "xylophonist", "marsh", "diary", "owls"}) {
      EXPECT_EQ(bytes.find(word), std::string::npos) << entry.path();
      EXPECT_EQ(name.find(word), std::string::npos) << entry.path();
    }
  }
  EXPECT_GE(n_others, 4) << "index and KV files were to be looked at";
}

// What is said on the way, however much of it is asked for, names files and figures, never what stands in them; the
// same of the trace that a user may send along with a report.
TEST_F(PrivacyTest, DiagnosticsAndTracesHoldNoTextOfDocuments) {
  live();
  program.write("docs/broken.json", R"({"a": "xylophonist", "b": quincunx })");
  program.write("docs/broken.xml", "<a><quincunx>the xylophonist</b></a>");
  program.write("docs/broken.docx", "PK\x03\x04 the xylophonist's quincunx");
  program.write("docs/broken.ipynb", R"({"cells": [{"quincunx": "xylophonist")");
  program.write("docs/broken.pdf", "%PDF-1.4 the xylophonist's quincunx");
  const std::string trace = program.folder() + "/trace.json";
  const std::vector<std::vector<std::string>> commands = {
      {"--verbose", "index", program.folder() + "/docs", "--kv", "now", "--model", kTiny},
      {"--verbose", "ask", "Who lays seven eggs?", "--model", kTiny, "--max-tokens", "2", "--trace", trace},
      {"--verbose", "verify"},
      {"--verbose", "gc"}};
  for (const std::vector<std::string>& command : commands) {
    const Outcome outcome = program.run(command);
    EXPECT_EQ(outcome.signal, 0) << command[1];
    for (const char* word : {"quincunx", "xylophonist", "verandah", "marsh"}) {
      EXPECT_EQ(outcome.diagnostics.find(word), std::string::npos) << command[1] << ": " << outcome.diagnostics;
    }
  }
  std::ifstream stream(trace, std::ios::binary);
  const std::string spans{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_NE(spans.find("traceEvents"), std::string::npos);
  for (const char* word : {"quincunx", "xylophonist", "marsh", "eggs"}) {
    EXPECT_EQ(spans.find(word), std::string::npos) << word;
  }
}

}  // namespace
}  // namespace mneme::integration
