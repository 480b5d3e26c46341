#include "rag/readers/stall_guard.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <thread>

namespace mneme::readers {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLong{200'000};  // longer than anything here takes on any machine

TEST(StallGuard, PassesOnWhatTheWorkSays) {
  for (int i = 0; i < 100; ++i) {
    int value = 0;
    EXPECT_TRUE(run_guarded("a", kLong, nullptr, [&] {
                  value = i;
                  return Status();
                }).ok());
    EXPECT_EQ(value, i);
  }
  EXPECT_EQ(run_guarded("a", kLong, nullptr, [] { return not_found("x"); }).code(), StatusCode::kNotFound);
}

TEST(StallGuard, HangingWorkIsLeftBehind) {
  const auto release = std::make_shared<std::atomic<bool>>(false);
  const Status status = run_guarded("/mnt/dead/file", milliseconds(100), nullptr, [release] {
    while (!*release) std::this_thread::sleep_for(milliseconds(5));
    return Status();
  });
  EXPECT_EQ(status.code(), StatusCode::kResource);
  EXPECT_NE(status.message().find("/mnt/dead/file"), std::string::npos);
  // The next file is read as if nothing had been.
  EXPECT_TRUE(run_guarded("a", kLong, nullptr, [] { return Status(); }).ok());
  *release = true;
}

// Threads stay behind when a process forks; the helper that this thread used is not waited for.
TEST(StallGuard, AForkedProcessHasAHelperOfItsOwn) {
  EXPECT_TRUE(run_guarded("a", kLong, nullptr, [] { return Status(); }).ok());
  const pid_t child = ::fork();
  if (child == 0) {
    const bool done = run_guarded("a", kLong, nullptr, [] { return Status(); }).ok();
    ::_exit(done ? 7 : 1);
  }
  int state = 0;
  ASSERT_EQ(::waitpid(child, &state, 0), child);
  EXPECT_TRUE(WIFEXITED(state));
  EXPECT_EQ(WEXITSTATUS(state), 7);
  EXPECT_TRUE(run_guarded("a", kLong, nullptr, [] { return Status(); }).ok());
}

TEST(StallGuard, CancellingDoesNotWait) {
  const auto release = std::make_shared<std::atomic<bool>>(false);
  CancelToken token;
  token.cancel();
  const Status status = run_guarded("a", kLong, &token, [release] {
    while (!*release) std::this_thread::sleep_for(milliseconds(5));
    return Status();
  });
  EXPECT_EQ(status.code(), StatusCode::kCancelled);
  *release = true;
}

}  // namespace
}  // namespace mneme::readers
