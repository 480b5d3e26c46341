// The program itself, killed (SIGKILL) at random moments of all kinds of work: the home opens, verify is clean, work
// goes on, and it answers as a home that was never disturbed. MNEME_KILLS moments, others with another MNEME_SEED;
// MNEME_PROGRAM names another build of the program. A kill counts when it strikes before the work is done.
#include <gtest/gtest.h>
#include <signal.h>
#include <zstd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include "base/random.h"
#include "tests/integration/program.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::integration {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kKills = 50;
constexpr int kReported = 80;  // ten rounds over the kinds of work
constexpr int kMostTries = 6;  // until a kill strikes in time
const std::string kTiny = checkout::test_data("tiny.gguf");
const std::string kOldSchema = checkout::test_data("catalogues/schema-1.db.zst");

int amount(const char* variable, int standard) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::atoi(text) : standard;
}

std::string read_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string unpacked(const std::string& path) {
  const std::string packed = read_file(path);
  std::string bytes(ZSTD_getFrameContentSize(packed.data(), packed.size()), '\0');
  EXPECT_EQ(ZSTD_decompress(bytes.data(), bytes.size(), packed.data(), packed.size()), bytes.size()) << path;
  return bytes;
}

// A kind of work that is killed: what must be there before it, the command, and what only it must leave.
struct Work {
  std::string name;
  std::vector<std::string> command;
  std::string input;
  std::function<void()> prepare;
  std::function<void(const std::string& when)> check;
  std::function<void()> finish = nullptr;  // where what was killed has to be done again before the home is sound
  int64_t lasts_ms = 0;                    // undisturbed, the last time; 0: not yet measured
  int tries = 0;
  int kills = 0;  // before the work was done
};

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
    secret = docs + "/secret.txt";
    old_catalogue = unpacked(kOldSchema);
  }

  void run(const std::vector<std::string>& command) {
    const Outcome outcome = program.run(command);
    EXPECT_EQ(outcome.exit_status, 0) << command[0] << ": " << outcome.diagnostics;
  }
  void write_secret() { program.write("docs/secret.txt", "The quincunx lies below the verandah.\n"); }
  // Everything the home answers: passages with their texts, and a quoted answer.
  json answers() {
    json all = json::array();
    for (const char* query : {"last ferry winter", "marsh owl eggs page 7"}) {
      const json found = program.run({"--json", "search", query}).last_json();
      for (const json& result : found["results"]) all.push_back({result["document"], result["text"]});
    }
    all.push_back(
        program.run({"--json", "ask", "When does the last ferry leave?", "--model", "none"}).last_json()["answer"]);
    return all;
  }
  std::vector<Work> all_work();
  void check_chats(const std::string& when);
  void check_nothing_of_the_secret(const std::string& when);
  void check_old_catalogue(const std::string& when);
  Outcome run_timed(Work& work);
  bool try_to_kill(Work& work, Random& random);
  void expect_sound(bool foreign_vectors, const std::string& when);
  void expect_as_before(const std::string& when);
  static int report(const std::vector<Work>& work);

  Program program;
  std::string docs;
  std::string secret;
  std::string old_catalogue;
  json clean;
};

// Chats hold whole messages, a question before each answer.
void KillTest::check_chats(const std::string& when) {
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

// Whoever forgets again, because the first time was cut off, leaves nothing.
void KillTest::check_nothing_of_the_secret(const std::string& when) {
  const Outcome again = program.run({"forget", secret});
  EXPECT_TRUE(again.exit_status == 0 || again.exit_status == 4) << when << again.diagnostics;
  for (const auto& entry : fs::recursive_directory_iterator(program.home())) {
    if (!entry.is_regular_file()) continue;
    EXPECT_EQ(read_file(entry.path()).find("quincunx"), std::string::npos) << when << entry.path();
  }
}

void KillTest::check_old_catalogue(const std::string& when) {
  const json found = program.run({"--json", "search", "ferry winter", "--method", "lexical"}).last_json();
  EXPECT_EQ(found["results"].size(), 1u) << when << found.dump();
  const json chats = program.run({"--json", "chat", "list"}).last_json();
  ASSERT_EQ(chats["chats"].size(), 1u) << when;
  const json shown = program.run({"--json", "chat", "show", chats["chats"][0]["id"].dump()}).last_json();
  EXPECT_EQ(shown["messages"].size(), 2u) << when;
  const std::string backup_file = program.home() + "/catalog.db.v1.bak";
  EXPECT_EQ(fs::status(backup_file).permissions(), fs::perms::owner_read | fs::perms::owner_write) << when;
  const std::string backup = read_file(backup_file);
  ASSERT_GE(backup.size(), old_catalogue.size()) << when;
  EXPECT_EQ(backup[63], 1) << when << "the backup is not of the older schema";  // the last byte of user_version
}

std::vector<Work> KillTest::all_work() {
  const std::vector<std::string> index_kv = {"index", docs, "--kv", "now", "--model", kTiny};
  const std::string questions = "When does the last ferry leave?\nAnd the owls, how many eggs?\n";
  const auto chats = [this](const std::string& when) { check_chats(when); };
  const auto kv_gone = [this] { fs::remove_all(program.home() + "/kv"); };
  const auto migration = [this] {
    program.use_home(program.folder() + "/old");
    fs::remove_all(program.home());
    program.write("old/catalog.db", old_catalogue);
  };
  const auto damage = [this] {
    const std::string catalogue = program.home() + "/catalog.db";
    fs::remove(catalogue + ".damaged");
    std::string bytes = read_file(catalogue);
    bytes[bytes.size() / 2] ^= 4;
    std::ofstream(catalogue, std::ios::binary) << bytes;
  };
  return {
      {"index with KV", index_kv, "", kv_gone, nullptr},
      {"chat, quoting", {"chat", "--model", "none"}, questions, nullptr, chats},
      {"chat with KV", {"chat", "--model", kTiny, "--max-tokens", "4"}, questions, nullptr, chats},
      {"index", {"index", docs}, "", [this] { program.run({"forget", docs}); }, nullptr},
      {"forget",
       {"forget", secret},
       "",
       [this] { run({"index", docs}); },
       [this](const std::string& when) { check_nothing_of_the_secret(when); }},
      {"compaction", {"gc"}, "", nullptr, nullptr},
      {"eviction", {"--kv-quota", "0.00002", "gc"}, "", [this, index_kv] { run(index_kv); }, nullptr},
      {"repair", {"verify", "--repair"}, "", damage, nullptr, [this] { run({"verify", "--repair"}); }},
      {"migration", {"status"}, "", migration, [this](const std::string& when) { check_old_catalogue(when); }},
  };
}

// Learns how long the work lasts, unless it is killed: with caches and calibrations there it soon lasts shorter.
Outcome KillTest::run_timed(Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  Outcome outcome = program.run(work.command, work.input);
  const auto lasted = std::chrono::steady_clock::now() - begin;
  if (outcome.signal == SIGKILL) return outcome;
  EXPECT_EQ(outcome.exit_status, 0) << work.name << ": " << outcome.diagnostics;
  work.lasts_ms = std::max<int64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(lasted).count(), 20);
  return outcome;
}

// The catalogue of the older schema has vectors of an embedder that this program is not; that is no damage.
void KillTest::expect_sound(bool foreign_vectors, const std::string& when) {
  const Outcome verified = program.run({"--json", "verify"});
  const json result = verified.last_json();
  ASSERT_TRUE(result.is_object()) << when << verified.diagnostics;
  for (const json& problem : result["problems"]) {
    EXPECT_TRUE(foreign_vectors && problem["kind"] == "index") << when << problem.dump();
  }
}

void KillTest::expect_as_before(const std::string& when) {
  fs::remove(secret);
  const Outcome indexed = program.run({"--json", "index", docs});
  ASSERT_EQ(indexed.exit_status, 0) << when << indexed.diagnostics;
  ASSERT_EQ(answers(), clean) << when;
}

// Whether the kill struck before the work was done.
bool KillTest::try_to_kill(Work& work, Random& random) {
  const std::string when = "try " + std::to_string(work.tries) + " during " + work.name + ": ";
  const std::string home = program.home();
  for (const bool measuring : {true, false}) {
    if (measuring && work.lasts_ms > 0) continue;
    write_secret();
    if (work.prepare) work.prepare();
    if (measuring) run_timed(work);
  }
  program.kill_after_us = 1 + static_cast<int>(random.below(static_cast<uint64_t>(work.lasts_ms) * 1000));
  const bool killed = run_timed(work).signal == SIGKILL;
  program.kill_after_us = 0;
  ++work.tries;
  work.kills += killed ? 1 : 0;
  const bool elsewhere = program.home() != home;
  if (work.finish) work.finish();
  expect_sound(elsewhere, when);
  if (work.check) work.check(when);
  program.use_home(home);
  if (!elsewhere) expect_as_before(when);
  return killed;
}

// Prints the kills so far, for runs that are cut short; gives how many struck in time.
int KillTest::report(const std::vector<Work>& work) {
  int kills = 0;
  for (const Work& one : work) {
    std::printf("%s: %d kills, %d more came when the work was done\n", one.name.c_str(), one.kills,
                one.tries - one.kills);
    kills += one.kills;
  }
  std::printf("all: %d kills\n", kills);
  std::fflush(stdout);
  return kills;
}

TEST_F(KillTest, NothingIsLostAtAnyMoment) {
  run({"index", docs});
  clean = answers();
  ASSERT_GT(clean.size(), 3u);
  Random random(static_cast<uint64_t>(77 + amount("MNEME_SEED", 0)));
  std::vector<Work> work = all_work();
  const int wanted = amount("MNEME_KILLS", kKills);
  for (int turn = 0; turn < wanted; ++turn) {
    bool killed = false;
    for (int tries = 0; tries < kMostTries && !killed; ++tries) {
      killed = try_to_kill(work[static_cast<size_t>(turn) % work.size()], random);
      if (HasFatalFailure()) return;
    }
    if ((turn + 1) % kReported == 0 && turn + 1 < wanted) report(work);
  }
  const int kills = report(work);
  EXPECT_GT(kills, wanted * 3 / 4);
  // Temporary files of the killed do not pile up beyond what the next hour's collection takes.
  int strays = 0;
  for (const auto& entry : fs::recursive_directory_iterator(program.home())) {
    strays += entry.path().filename().string().find(".tmp") != std::string::npos ? 1 : 0;
  }
  EXPECT_LE(strays, kills);
}

}  // namespace
}  // namespace mneme::integration
