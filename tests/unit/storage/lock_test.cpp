// Locks between processes: they name their owner, and none outlives it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>

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

// As index runs claim files: one lock for each number, but for those that differ in the last two bits alone.
TEST(LockTest, NumbersOfOneFileAreLockedByThemselves) {
  TemporaryHome home;
  const std::string path = home.path() + "/claims.lock";
  FileEnv& env = FileEnv::posix();
  auto eight = env.try_lock_number(path, 8);
  ASSERT_TRUE(eight.ok()) << eight.status().message();
  EXPECT_EQ(env.try_lock_number(path, 8).status().code(), StatusCode::kBusy);
  for (const uint64_t other : {uint64_t{0}, uint64_t{4}, uint64_t{12}, UINT64_MAX}) {
    EXPECT_TRUE(env.try_lock_number(path, other).ok()) << other;
  }
  eight->reset();
  EXPECT_TRUE(env.try_lock_number(path, 8).ok());
}

TEST(FreeBytesTest, AreWhatTheSystemSays) {
  TemporaryHome home;
  const auto free = FileEnv::posix().free_bytes(home.path());
  ASSERT_TRUE(free.ok());
  const auto available = static_cast<double>(std::filesystem::space(home.path()).available);
  EXPECT_GT(static_cast<double>(*free), 0.5 * available) << "other programs write meanwhile";
  EXPECT_LT(static_cast<double>(*free), 2 * available + (1 << 30));
  EXPECT_FALSE(FileEnv::posix().free_bytes(home.path() + "/nothing").ok());
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
