// Locks between processes: they name their owner, and none outlives it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "storage/env/file_env.h"
#include "temporary_home.h"

namespace mneme::storage {
namespace {

TEST(LockTest, NamesItsOwnerAndDiesWithIt) {
  TemporaryHome home;
  const std::string path = home.path() + "/a.lock";
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto lock = FileEnv::posix().try_lock(path);
    const char told = lock.ok() ? 'y' : 'n';
    if (::write(ready[1], &told, 1) == 1) ::pause();
    ::_exit(1);
  }
  char told = 0;
  ASSERT_EQ(::read(ready[0], &told, 1), 1);
  ASSERT_EQ(told, 'y');
  const auto busy = FileEnv::posix().try_lock(path);
  ASSERT_FALSE(busy.ok());
  EXPECT_EQ(busy.status().code(), StatusCode::kBusy);
  EXPECT_THAT(busy.status().message(), ::testing::HasSubstr("process " + std::to_string(child)));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  // Its number still stands in the file; the lock is free.
  EXPECT_TRUE(FileEnv::posix().try_lock(path).ok());
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST(LockTest, WhoLooksIsInNobodysWay) {
  TemporaryHome home;
  const std::string path = home.path() + "/a.lock";
  EXPECT_FALSE(*FileEnv::posix().locked(path));
  EXPECT_FALSE(FileEnv::posix().stat(path).ok()) << "looking makes no file";
  auto lock = FileEnv::posix().try_lock(path);
  ASSERT_TRUE(lock.ok());
  EXPECT_TRUE(*FileEnv::posix().locked(path));
  EXPECT_TRUE(*FileEnv::posix().locked(path));
  lock->reset();
  EXPECT_FALSE(*FileEnv::posix().locked(path));
  EXPECT_TRUE(FileEnv::posix().try_lock(path).ok());
}

// It would be waited for until somebody writes into it.
TEST(LockTest, APipeInItsPlaceIsNotWaitedFor) {
  TemporaryHome home;
  const std::string path = home.path() + "/a.lock";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_FALSE(*FileEnv::posix().locked(path));
}

}  // namespace
}  // namespace mneme::storage
