// The files of an encrypted home, as commands and the window open them.
#include "app/home_files.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "storage/home_conversion.h"
#include "tests/unit/storage/temporary_home.h"

namespace mneme::app {
namespace {

TEST(HomeFilesTest, NobodyLooksIntoTheMemoryOfAnOpenHome) {
  const storage::TemporaryHome folder;
  storage::FileEnv& disk = storage::FileEnv::posix();
  const auto home = storage::open_home(disk, folder.path() + "/home");
  ASSERT_TRUE(home.ok()) << home.status().message();
  const storage::ConvertedHome converted{.home = *home, .env = &disk};
  const storage::PassphraseCost cheap{.memory_kib = 8, .passes = 1, .lanes = 1};
  ASSERT_TRUE(storage::encrypt_home(converted, as_bytes("sesame"), cheap).ok());

  ASSERT_EQ(::prctl(PR_SET_DUMPABLE, 1), 0);
  EXPECT_FALSE(unlock_home(*home, {}, as_bytes("hurdy gurdy")).ok());
  const auto files = unlock_home(*home, {}, as_bytes("sesame"));
  ASSERT_TRUE(files.ok()) << files.status().message();
  EXPECT_EQ(::prctl(PR_GET_DUMPABLE), 0);
  EXPECT_EQ(::prctl(PR_SET_DUMPABLE, 1), 0);
}

// FAT, exFAT and NTFS keep no permissions: all that is made there may be read by everybody.
TEST(HomeFilesTest, ThatOthersMayReadTheHomeIsTold) {
  const storage::TemporaryHome folder;
  storage::FileEnv& disk = storage::FileEnv::posix();
  const auto home = storage::open_home(disk, folder.path() + "/home");
  ASSERT_TRUE(home.ok()) << home.status().message();
  EXPECT_EQ(who_else_reads(*home, false), "") << "there is nothing to read yet";
  ASSERT_TRUE(disk.create_if_missing(home->catalogue()).ok());
  EXPECT_EQ(who_else_reads(*home, false), "");
  ASSERT_EQ(::chmod(home->catalogue().c_str(), 0644), 0);
  EXPECT_EQ(who_else_reads(*home, false), "") << "nobody gets past the folder";
  ASSERT_EQ(::chmod(home->root.c_str(), 0755), 0);
  EXPECT_NE(who_else_reads(*home, false).find("encryption on"), std::string::npos);
  EXPECT_EQ(who_else_reads(*home, true), "");
}

}  // namespace
}  // namespace mneme::app
