// The program itself, killed (SIGKILL) at random moments of indexing, KV writing, chat, forgetting and compaction: the
// home opens, verify is clean, work goes on, and it answers as a home that was never disturbed. MNEME_KILLS moments,
// others with another MNEME_SEED.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/random.h"
#include "tests/integration/program.h"

namespace mneme::integration {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kKills = 50;
const std::string kTiny = MNEME_TEST_DATA "/tiny.gguf";

int amount(const char* variable, int standard) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::atoi(text) : standard;
}

class KillTest : public testing::Test {
 protected:
  void SetUp() override {
    program.write("docs/ferry.txt", "Timetable.\n\nThe last ferry to Tarnholm leaves at 18:15 in winter.\n");
    program.write("docs/owls.md", "# Owls\n\nThe marsh owl nests on the ground.\n\nIt lays seven eggs in April.\n");
    for (int i = 0; i < 25; ++i) {
      program.write("docs/page" + std::to_string(i) + ".txt",
                    "Page " + std::to_string(i) + " of the log book of the harbour.\n");
    }
    docs = program.folder() + "/docs";
  }
  // Everything the home answers: passages with their texts, and a quoted answer.
  json answers() {
    json all = json::array();
    for (const char* query : {"last ferry winter", "marsh owl eggs", "log book page 7"}) {
      const json found = program.run({"--json", "search", query}).last_json();
      for (const json& result : found["results"]) all.push_back({result["document"], result["text"]});
    }
    all.push_back(
        program.run({"--json", "ask", "When does the last ferry leave?", "--model", "none"}).last_json()["answer"]);
    return all;
  }
  int64_t milliseconds(const std::vector<std::string>& command, const std::string& input) {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(program.run(command, input).exit_status, 0) << command[0];
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin).count();
  }
  Program program;
  std::string docs;
};

TEST_F(KillTest, NothingIsLostAtAnyMoment) {
  const std::string secret = docs + "/secret.txt";
  const std::vector<std::pair<std::vector<std::string>, std::string>> work = {
      {{"index", docs, "--kv", "now", "--model", kTiny}, ""},
      {{"chat", "--model", "none"}, "When does the last ferry leave?\nAnd the owls, how many eggs?\n"},
      {{"index", docs}, ""},
      {{"forget", secret}, ""},
      {{"gc"}, ""},
  };
  program.run({"index", docs});
  const json clean = answers();
  ASSERT_GT(clean.size(), 3u);
  Random random(static_cast<uint64_t>(77 + amount("MNEME_SEED", 0)));
  int killed = 0;
  std::vector<int64_t> lasts(work.size(), 0);
  const int kills = amount("MNEME_KILLS", kKills);
  for (int kill = 0; kill < kills; ++kill) {
    const size_t what = static_cast<size_t>(kill) % work.size();
    const auto& [command, input] = work[what];
    // Something to do: a file to forget, pages that changed and then change back.
    program.write("docs/secret.txt", "The quincunx lies below the verandah.\n");
    if (what == 3) program.run({"index", docs});
    if (what == 0) fs::remove_all(program.home() + "/kv");
    if (what == 2) program.run({"forget", docs});
    if (lasts[what] == 0) {
      lasts[what] = std::max<int64_t>(milliseconds(command, input), 20);
      if (what == 2) program.run({"forget", docs});
      if (what == 3) program.run({"index", docs});
    }
    program.kill_after_us = 1 + static_cast<int>(random.below(static_cast<uint64_t>(lasts[what]) * 1000));
    const Outcome outcome = program.run(command, input);
    program.kill_after_us = 0;
    killed += outcome.signal == SIGKILL ? 1 : 0;
    const std::string when = "kill " + std::to_string(kill) + " during " + command[0] + ": ";
    const Outcome verified = program.run({"verify"});
    ASSERT_EQ(verified.exit_status, 0) << when << verified.output << verified.diagnostics;
    fs::remove(secret);
    const Outcome indexed = program.run({"--json", "index", docs});
    ASSERT_EQ(indexed.exit_status, 0) << when << indexed.diagnostics;
    ASSERT_EQ(answers(), clean) << when;
    // Chats hold whole messages, a question before each answer.
    const json chats = program.run({"--json", "chat", "list"}).last_json();
    for (const json& chat : chats["chats"]) {
      const json shown = program.run({"--json", "chat", "show", chat["id"].dump()}).last_json();
      bool question = true;
      for (const json& message : shown["messages"]) {
        EXPECT_EQ(message["role"], question ? "user" : "assistant") << when;
        EXPECT_FALSE(message["text"].get<std::string>().empty()) << when;
        question = !question;
      }
      program.run({"chat", "delete", chat["id"].dump()});
    }
  }
  std::printf("%d kills, %d of them before the work was done\n", kills, killed);
  EXPECT_GT(killed, kills / 3);
  // Temporary files of the killed do not pile up beyond what the next hour's collection takes.
  int strays = 0;
  for (const auto& entry : fs::recursive_directory_iterator(program.home())) {
    strays += entry.path().filename().string().find(".tmp") != std::string::npos ? 1 : 0;
  }
  EXPECT_LE(strays, killed);
}

}  // namespace
}  // namespace mneme::integration
