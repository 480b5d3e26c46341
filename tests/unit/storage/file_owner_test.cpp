// Whose the files are that root makes: a home that was used once with the rights of root stays its owner's.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "storage/catalogue/catalogue.h"
#include "storage/env/file_env.h"
#include "temporary_home.h"

namespace mneme::storage {
namespace {

constexpr uid_t kOther = 65534;

struct ::stat info_of(const std::string& path) {
  struct ::stat info{};
  EXPECT_EQ(::lstat(path.c_str(), &info), 0) << path;
  return info;
}

class FileOwnerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "who is not root makes nothing for others";
    std::filesystem::create_directory(folder_);
    ASSERT_EQ(::chown(folder_.c_str(), kOther, kOther), 0);
  }

  TemporaryHome home_;
  const std::string folder_ = home_.path() + "/of_another";
  FileEnv& env_ = FileEnv::posix();
};

TEST_F(FileOwnerTest, WhatRootMakesInTheFolderOfAnotherIsThatOnes) {
  ASSERT_TRUE(env_.make_directories(folder_ + "/kv/12").ok());
  ASSERT_TRUE(env_.create(folder_ + "/kv/12/a.kv").ok());
  ASSERT_TRUE(env_.create_if_missing(folder_ + "/empty").ok());
  ASSERT_TRUE(env_.try_lock(folder_ + "/lock").ok());
  ASSERT_TRUE(env_.try_lock_number(folder_ + "/claims", 3).ok());
  ASSERT_TRUE(Catalogue::open({.path = folder_ + "/catalog.db"}).ok());
  for (const char* name : {"/kv", "/kv/12", "/kv/12/a.kv", "/empty", "/lock", "/claims", "/catalog.db"}) {
    const struct ::stat info = info_of(folder_ + name);
    EXPECT_EQ(info.st_uid, kOther) << name;
    EXPECT_EQ(info.st_gid, kOther) << name;
    EXPECT_EQ(info.st_mode & 077, 0u) << name;
  }
}

TEST_F(FileOwnerTest, WhatIsThereKeepsItsOwner) {
  {
    ASSERT_EQ(::close(::open((folder_ + "/mine").c_str(), O_CREAT | O_WRONLY, 0600)), 0);
  }
  ASSERT_TRUE(env_.create(folder_ + "/mine").ok());
  EXPECT_EQ(info_of(folder_ + "/mine").st_uid, 0u);
}

// Or whoever owns a folder could have root make him a file anywhere.
TEST_F(FileOwnerTest, NothingIsGivenAwayBehindALink) {
  const std::string own = home_.path() + "/of_root";
  std::filesystem::create_directory(own);
  std::filesystem::create_symlink(own, folder_ + "/link");
  std::filesystem::create_symlink(own + "/new", folder_ + "/file");
  ASSERT_TRUE(env_.create(folder_ + "/link/made").ok());
  ASSERT_TRUE(env_.make_directories(folder_ + "/link/folder").ok());
  ASSERT_TRUE(env_.create(folder_ + "/file").ok());
  for (const char* name : {"/made", "/folder", "/new"}) EXPECT_EQ(info_of(own + name).st_uid, 0u) << name;
}

}  // namespace
}  // namespace mneme::storage
