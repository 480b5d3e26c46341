// The input that ends a fuzz target is kept, however the target ends.
#include "tests/fuzz/finding.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

namespace mneme::fuzz {
namespace {

class FindingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "/findingXXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Runs `target` on a good input and then on `bytes`, in a process of its own; the signal that ended it, 0: none.
  int run(const std::string& bytes, const std::function<void()>& target, unsigned limit_s = 200) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::close(STDERR_FILENO);
      keep_findings(folder_, "some_fuzz", limit_s);
      const rlimit stack{8 << 20, 8 << 20};
      ::setrlimit(RLIMIT_STACK, &stack);  // where it has none, using it up takes the machine's memory
      begin_input("harmless");
      begin_input(bytes);
      target();
      end_inputs();
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  }
  // What was kept; "absent" when nothing was.
  std::string kept() const {
    std::ifstream file(folder_ + "/finding-some_fuzz", std::ios::binary);
    return file ? std::string{std::istreambuf_iterator<char>(file), {}} : "absent";
  }

  std::string folder_;
};

const std::string kInput("broken \0 input", 14);

TEST_F(FindingTest, ABrokenPromiseIsKept) {
  EXPECT_EQ(run(kInput, [] { std::abort(); }), SIGABRT);
  EXPECT_EQ(kept(), kInput);
}

TEST_F(FindingTest, AnInputThatNeverEndsIsKept) {
  EXPECT_EQ(run(
                kInput,
                [] {
                  while (true) ::pause();
                },
                1),
            SIGALRM);
  EXPECT_EQ(kept(), kInput);
}

TEST_F(FindingTest, AnInputThatSendsTheProgramAstrayIsKept) {
  EXPECT_EQ(run(kInput, [] { ::raise(SIGSEGV); }), SIGSEGV);
  EXPECT_EQ(kept(), kInput);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Uses the stack up, in a way no compiler turns into a loop.
int deeper(int depth) {
  volatile char room[4096] = {};
  room[static_cast<size_t>(depth) % sizeof room] = 1;
  return depth < 0 ? room[0] : deeper(depth + 1) + room[1];
}

TEST_F(FindingTest, AnInputThatUsesTheStackUpIsKept) {
  EXPECT_EQ(run(kInput, [] { std::_Exit(deeper(0)); }), SIGSEGV);
  EXPECT_EQ(kept(), kInput);
}
#endif

TEST_F(FindingTest, WhatGoesWellLeavesNothing) {
  EXPECT_EQ(run(kInput, [] {}), 0);
  EXPECT_EQ(kept(), "absent");
}

}  // namespace
}  // namespace mneme::fuzz
