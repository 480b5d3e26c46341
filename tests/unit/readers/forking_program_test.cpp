// A program that is started once and forks a child for each document. Here it is a shell, whose documents are commands:
// it stays where it opens /dev/stdin, and "$$" is the program's process in each of its children.
#include "rag/readers/process/forking_program.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <thread>

#include "rag/readers/process/sandbox.h"
#include "tests/support/make_files.h"
#include "tests/support/process_folder.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kShell = {
    "/bin/sh", "-c", "exec < /dev/stdin; while read -r command || [ -n \"$command\" ]; do eval \"$command\"; done"};

struct Outcome {
  Result<ChildResult> result = ChildResult();
  std::string output;
};

Outcome run(const std::string& document, const ChildLimits& limits = {}) {
  Outcome done;
  const FileDescriptor file = memory_file(document);
  done.result = run_forked_child(kShell, file.get(), limits, [&](std::string_view piece) {
    done.output += piece;
    return Status();
  });
  return done;
}

pid_t program() {
  return std::stoi(run("echo $$").output);
}

TEST(ForkingProgram, EachDocumentHasAChildOfItsOwn) {
  const pid_t started = program();
  const Outcome first = run("secret=key; echo first; echo oops >&2; exit 7");
  ASSERT_TRUE(first.result.ok());
  EXPECT_EQ(first.output, "first\n");
  EXPECT_EQ(first.result->errors, "oops\n");
  EXPECT_EQ(first.result->exit_code, 7);
  const Outcome second = run("echo \"[$secret]\"");
  EXPECT_EQ(second.output, "[]\n");
  EXPECT_EQ(second.result->exit_code, 0);
  EXPECT_EQ(second.result->errors, "");
  EXPECT_EQ(program(), started) << "it was started again";
}

TEST(ForkingProgram, ChildrenHaveTheirDocumentAndNothingElse) {
  // The fourth is the folder that is being listed.
  EXPECT_EQ(run("echo /proc/self/fd/*").output, "/proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 /proc/self/fd/3\n");
  const std::string victim = mneme::test::process_folder() + "/must_not_write";
  EXPECT_NE(run("echo x > " + victim).result->exit_code, 0);
  EXPECT_FALSE(fs::exists(victim));
  EXPECT_NE(run("(echo forked)").output, "forked\n");
  EXPECT_NE(run("exec /bin/echo started").output, "started\n");
}

TEST(ForkingProgram, LimitsAreThoseOfTheDocument) {
  ChildLimits limits;
  limits.memory_bytes = uint64_t{512} << 20;
  limits.time = std::chrono::seconds(20);
  EXPECT_EQ(run("ulimit -v; ulimit -t; ulimit -f; ulimit -n", limits).output, "524288\n21\n0\n64\n");
  limits.memory_bytes = uint64_t{1} << 30;
  limits.time = std::chrono::seconds(30);
  EXPECT_EQ(run("ulimit -v; ulimit -t", limits).output, "1048576\n31\n");
}

TEST(ForkingProgram, ADocumentThatTakesTooLongCostsItself) {
  ChildLimits limits;
  limits.time = std::chrono::milliseconds(300);
  const Outcome slow = run("echo begun; while :; do :; done", limits);
  ASSERT_TRUE(slow.result.ok());
  EXPECT_TRUE(slow.result->timed_out);
  EXPECT_EQ(slow.output, "begun\n");
  EXPECT_EQ(run("echo next").output, "next\n");
}

TEST(ForkingProgram, WhoTakesNoMoreEndsTheChild) {
  const FileDescriptor file = memory_file("while :; do echo on and on; done");
  const auto result = run_forked_child(kShell, file.get(), {}, [](std::string_view) { return cancelled(); });
  EXPECT_EQ(result.status().code(), StatusCode::kCancelled);
  EXPECT_EQ(run("echo next").output, "next\n");
}

TEST(ForkingProgram, AKilledChildCostsItsDocument) {
  const pid_t started = program();
  const FileDescriptor file = memory_file("read -r me rest < /proc/self/stat; echo $me; while :; do :; done");
  const auto killed = run_forked_child(kShell, file.get(), {}, [](std::string_view piece) {
    ::kill(std::stoi(std::string(piece)), SIGKILL);
    return Status();
  });
  ASSERT_TRUE(killed.ok());
  EXPECT_EQ(killed->exit_code, 128 + SIGKILL);
  EXPECT_EQ(run("echo next").output, "next\n");
  EXPECT_NE(program(), started) << "memory layouts could be tried out";
}

TEST(ForkingProgram, AProgramThatDiesIsStartedAgain) {
  const pid_t before = program();
  ASSERT_EQ(::kill(before, SIGKILL), 0);
  const pid_t after = program();
  EXPECT_NE(after, before);
  const FileDescriptor file = memory_file("echo half; while :; do :; done");
  const auto cut_off = run_forked_child(kShell, file.get(), {}, [&](std::string_view) {
    ::kill(after, SIGKILL);
    return Status();
  });
  ASSERT_TRUE(cut_off.ok());
  EXPECT_EQ(cut_off->exit_code, 128 + SIGKILL);
  EXPECT_EQ(run("echo next").output, "next\n");
}

TEST(ForkingProgram, IsStartedAnewNowAndThen) {
  std::set<std::string> programs;
  for (int i = 0; i < 150; ++i) {
    const std::string word = "document" + std::to_string(i);
    const Outcome one = run("echo " + word + "; echo $$");
    ASSERT_EQ(one.output.substr(0, word.size() + 1), word + "\n");
    programs.insert(one.output.substr(word.size()));
  }
  EXPECT_GE(programs.size(), 3u);
  EXPECT_LE(programs.size(), 5u);
}

TEST(ForkingProgram, OneThatDoesNotForkIsRunEachTime) {
  for (int i = 0; i < 2; ++i) {
    const FileDescriptor file = memory_file("hello");
    std::string output;
    const auto result = run_forked_child({"/bin/cat"}, file.get(), {}, [&](std::string_view piece) {
      output += piece;
      return Status();
    });
    ASSERT_TRUE(result.ok()) << result.status().message();
    EXPECT_EQ(output, "hello");
    EXPECT_EQ(result->exit_code, 0);
  }
  const FileDescriptor file = memory_file("");
  const auto ignore = [](std::string_view) { return Status(); };
  EXPECT_EQ(run_forked_child({"/nonexistent/program"}, file.get(), {}, ignore).status().code(), StatusCode::kIo);
}

// Where nobody may send descriptors, kill or connect. The thread has no program yet, whatever ran before.
bool in_sandbox(const std::function<bool()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    (void)enter_sandbox();
    bool well = false;
    std::thread([&] { well = work(); }).join();
    ::_exit(well ? 0 : 1);
  }
  int state = 0;
  ::waitpid(child, &state, 0);
  return WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

TEST(ForkingProgram, WorksInTheSandbox) {
  EXPECT_TRUE(in_sandbox([] {
    const Outcome one = run("echo $$");
    const Outcome two = run("echo $$");
    return two.result.ok() && two.result->exit_code == 0 && !two.output.empty() && one.output == two.output;
  }));
}

// Whether a process may still run code of its own: a zombie does not (who started it may never ask how it ended), nor
// one that SIGKILL waits for, which a busy machine may leave in its place for a while.
bool may_run(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/status");
  constexpr uint64_t kKilled = uint64_t{1} << (SIGKILL - 1);
  std::string line;
  bool is_there = false;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string key;
    std::string value;
    words >> key >> value;
    if (key == "State:" && (value == "Z" || value == "X")) return false;
    if ((key == "SigPnd:" || key == "ShdPnd:") && (std::stoull(value, nullptr, 16) & kKilled) != 0) return false;
    is_there = true;
  }
  return is_there;
}

TEST(ForkingProgram, InTheSandboxAHungChildIsGoneBeforeTheNextDocument) {
  const std::string fifo = mneme::test::process_folder() + "/nobody_writes";
  ::unlink(fifo.c_str());  // of a run before
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_TRUE(in_sandbox([&] {
    ChildLimits limits;
    limits.time = std::chrono::milliseconds(900);  // enough on a busy machine to say its number
    const Outcome hung = run("read -r me rest < /proc/self/stat; echo $me; : < " + fifo, limits);
    const Outcome next = run("echo next");
    EXPECT_TRUE(hung.result.ok() && hung.result->timed_out);
    EXPECT_EQ(next.output, "next\n");
    const std::string child = hung.output.substr(0, hung.output.find('\n'));
    EXPECT_FALSE(child.empty());
    EXPECT_FALSE(!child.empty() && may_run(child)) << child;
    return !::testing::Test::HasFailure();
  }));
}

// Threads have programs of their own, which end with them.
TEST(ForkingProgram, EndsWithItsThread) {
  pid_t other = 0;
  std::thread([&] { other = program(); }).join();
  EXPECT_NE(other, program());
  EXPECT_NE(::kill(other, 0), 0);
}

// Processes of this one that run pdftotext.
int n_pdftotexts() {
  int n = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "stat");
    std::string pid;
    std::string name;
    std::string state;
    pid_t parent = 0;
    if (file >> pid >> name >> state >> parent && parent == ::getpid() && name == "(pdftotext)") ++n;
  }
  return n;
}

TEST(ForkingProgram, PdftotextForks) {
  if (find_program("pdftotext").empty()) GTEST_SKIP() << "pdftotext (poppler-utils) is not installed";
  const auto pdf = [](const std::string& text) { return test::make_pdf({test::pdf_lines(72, 400, {text})}); };
  EXPECT_EQ(test::read_text("a.pdf", pdf("A green lamp stands here.")).text, "A green lamp stands here.");
  EXPECT_EQ(n_pdftotexts(), 1);
  EXPECT_FALSE(read_document("b.pdf", as_bytes("%PDF-1.7\nnothing that is one")).ok());
  EXPECT_EQ(test::read_text("c.pdf", pdf("A red chair stands there.")).text, "A red chair stands there.");
  EXPECT_EQ(n_pdftotexts(), 1);
}

}  // namespace
}  // namespace mneme::readers
