// Folders as they come: unreadable, empty, binary and enormous files, links in circles, odd names, full disks. Each is
// reported per file, the rest goes on, and nothing indexed before is lost.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "tests/integration/program.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::integration {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kGood = "The harbour committee buys a crane of twelve tonnes.\n";

bool failed_list_names(const json& done, const std::string& part) {
  for (const json& failure : done["failed"]) {
    if (failure["path"].get<std::string>().find(part) != std::string::npos) {
      return !failure["error"].get<std::string>().empty();
    }
  }
  return false;
}

class BadInputTest : public testing::Test {
 protected:
  void SetUp() override {
    program.write("docs/good.txt", kGood);
    docs = program.folder() + "/docs";
  }
  json index(int expected_status = 0) {
    const Outcome outcome = program.run({"--json", "index", docs});
    EXPECT_EQ(outcome.signal, 0);
    EXPECT_EQ(outcome.exit_status, expected_status) << outcome.diagnostics << outcome.output;
    return outcome.last_json();
  }
  void expect_good_is_found() {
    const Outcome outcome = program.run({"--json", "search", "harbour crane"});
    EXPECT_EQ(outcome.exit_status, 0) << outcome.diagnostics;
    const json results = outcome.last_json()["results"];
    ASSERT_FALSE(results.empty());
    EXPECT_NE(results[0]["text"].get<std::string>().find("twelve tonnes"), std::string::npos);
  }
  Program program;
  std::string docs;
};

TEST_F(BadInputTest, EachBadFileIsReportedAndTheRestGoesOn) {
  program.write("docs/empty.txt", "");
  program.write("docs/binary.txt", std::string("\x7f"
                                               "ELF\0\0\1\2\3",
                                               9) +
                                       std::string(4000, '\0'));
  program.write("docs/damaged.pdf", "%PDF-1.7\nnot really");
  program.write("docs/damaged.docx", "PK\x03\x04 nothing");
  fs::create_symlink(docs + "/nowhere.txt", docs + "/broken-link.txt");
  fs::create_directory(docs + "/deep");
  fs::create_directory_symlink(docs, docs + "/deep/loop");
  ASSERT_EQ(mkfifo((docs + "/pipe.txt").c_str(), 0600), 0);
  const json done = index();
  EXPECT_EQ(done["documents"], 1) << done.dump();
  EXPECT_TRUE(failed_list_names(done, "damaged.pdf")) << done.dump();
  EXPECT_TRUE(failed_list_names(done, "damaged.docx")) << done.dump();
  expect_good_is_found();
}

TEST_F(BadInputTest, UnreadableFiles) {
  if (geteuid() == 0) GTEST_SKIP() << "root reads everything";
  fs::permissions(program.write("docs/secret.txt", "secret"), fs::perms::none);
  const json done = index();
  EXPECT_TRUE(failed_list_names(done, "secret.txt"));
  expect_good_is_found();
}

TEST_F(BadInputTest, EnormousSparseFilesAreRefusedNotRead) {
  const std::string path = program.write("docs/enormous.txt", "x");
  fs::resize_file(path, uint64_t{1} << 40);
  const json done = index();
  EXPECT_TRUE(failed_list_names(done, "enormous.txt")) << done.dump();
  expect_good_is_found();
}

TEST_F(BadInputTest, NamesNeedNotBeText) {
  program.write("docs/caf\xe9 \xff.txt", "A latin-1 name over a page about lighthouse keepers.\n");
  program.write("docs/new\nline \x1b[31m.txt", "A page about the salt huts of the western shore.\n");
  const json done = index();
  EXPECT_EQ(done["documents"], 3) << done.dump();
  const Outcome people = program.run({"search", "salt huts"});
  EXPECT_EQ(people.exit_status, 0);
  EXPECT_EQ(people.output.find('\x1b'), std::string::npos);
  const Outcome machines = program.run({"--json", "search", "lighthouse keepers"});
  EXPECT_TRUE(machines.last_json().is_object()) << machines.output;
}

TEST_F(BadInputTest, HostileTextDoesNotReachTheTerminal) {
  program.write("docs/hostile.txt", "The parrot says \x1b]0;owned\x07 and \x1b[2J on Sundays only.\n");
  index();
  for (const Outcome& outcome : {program.run({"search", "parrot sundays"}),
                                 program.run({"ask", "What does the parrot say?", "--model", "none"})}) {
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_EQ(outcome.output.find('\x1b'), std::string::npos);
    EXPECT_EQ(outcome.output.find('\x07'), std::string::npos);
  }
}

TEST_F(BadInputTest, PathsThatDoNotExistAreFour) {
  EXPECT_EQ(program.run({"index", docs + "/nowhere"}).exit_status, 4);
}

TEST_F(BadInputTest, ADeviceThatIsNamedIsReported) {
  const Outcome outcome = program.run({"index", "/dev/null"});
  EXPECT_EQ(outcome.exit_status, 3) << outcome.diagnostics;
  EXPECT_NE(outcome.diagnostics.find("/dev/null is neither a file nor a folder"), std::string::npos)
      << outcome.diagnostics;
}

TEST_F(BadInputTest, AVanishedFolderLosesNothingElse) {
  program.write("docs/sub/owl.txt", "The marsh owl hunts at dusk over the reeds.\n");
  index();
  fs::remove_all(docs + "/sub");
  const json done = index();
  EXPECT_EQ(done["removed"], 1);
  expect_good_is_found();
  fs::remove_all(docs);
  const Outcome gone = program.run({"index", docs});
  EXPECT_EQ(gone.exit_status, 4) << gone.output;
}

TEST_F(BadInputTest, AFullDiskStopsCleanlyAndKeepsWhatWasThere) {
  index();
  for (int i = 0; i < 300; ++i) {
    program.write("docs/more/" + std::to_string(i) + ".txt",
                  "Page " + std::to_string(i) + std::string(3000, 'a' + static_cast<char>(i % 26)) + "\n");
  }
  program.limit_file_bytes = 400'000;
  const Outcome full = program.run({"index", docs});
  EXPECT_EQ(full.signal, 0);
  EXPECT_EQ(full.exit_status, 1) << full.output << full.diagnostics;
  program.limit_file_bytes = 0;
  expect_good_is_found();
  EXPECT_EQ(program.run({"verify"}).exit_status, 0);
  EXPECT_EQ(index()["failed"], json::array());
}

// Compacting needs room; what is removed whole makes some, and goes first.
TEST_F(BadInputTest, GcOnAFullDiskReachesOldBackups) {
  index();
  const std::string catalogue = program.home() + "/catalog.db";
  const std::string backup = catalogue + ".v2.bak";
  std::ofstream(backup) << std::string(5000, 'b');
  fs::last_write_time(backup, fs::file_time_type::clock::now() - std::chrono::days(100));
  program.limit_file_bytes = fs::file_size(catalogue) / 2;
  const Outcome full = program.run({"--json", "gc"});
  program.limit_file_bytes = 0;
  EXPECT_EQ(full.exit_status, 1) << full.output << full.diagnostics;
  EXPECT_FALSE(fs::exists(backup));
  EXPECT_EQ(json::parse(full.output.substr(0, full.output.find('\n')))["backup_bytes_freed"], 5000);
  expect_good_is_found();
  EXPECT_EQ(program.run({"gc"}).exit_status, 0);
}

// What is printed must not end up in a file that took the number of a closed stream.
TEST_F(BadInputTest, StandardStreamsMayBeClosed) {
  program.write("docs/damaged.pdf", "%PDF-1.7\nnot really");
  program.close_streams = true;
  const Outcome indexed =
      program.run({"--verbose", "index", docs, "--kv", "now", "--model", checkout::test_data("tiny.gguf")});
  EXPECT_EQ(indexed.signal, 0);
  const Outcome found = program.run({"--json", "search", "crane"});
  EXPECT_EQ(found.exit_status, 1) << "nobody could read what was found";
  program.close_streams = false;
  expect_good_is_found();
  const Outcome verified = program.run({"verify"});
  EXPECT_EQ(verified.exit_status, 0) << verified.output;
}

TEST_F(BadInputTest, InterruptKeepsFinishedWorkAndResumes) {
  for (int i = 0; i < 3000; ++i) {
    program.write("docs/many/" + std::to_string(i) + ".txt",
                  "Page number " + std::to_string(i) + " of the log book.\n");
  }
  program.interrupt_after_ms = 300;
  const Outcome interrupted = program.run({"--json", "index", docs});
  program.interrupt_after_ms = 0;
  EXPECT_EQ(interrupted.signal, 0);
  // A fast machine may have been done before.
  EXPECT_TRUE(interrupted.exit_status == 130 || interrupted.exit_status == 0) << interrupted.exit_status;
  EXPECT_EQ(program.run({"verify"}).exit_status, 0);
  const json done = index();
  EXPECT_EQ(done["documents"].get<int>() + done["unchanged"].get<int>(), 3001);
}

TEST_F(BadInputTest, AHomeThatCannotBeMadeIsAnError) {
  const std::string file = program.write("not-a-folder", "x");
  const Outcome outcome = program.run({"--home", file + "/home", "status"});
  EXPECT_NE(outcome.exit_status, 0);
  EXPECT_EQ(outcome.signal, 0);
}

}  // namespace
}  // namespace mneme::integration
