// Folders that go with their makers, and those whose makers were killed.
#include "app/temporary_folder.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "tests/support/process_folder.h"

namespace mneme::app {
namespace {

namespace fs = std::filesystem;

class TemporaryFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const char* before = std::getenv("TMPDIR")) before_ = before;
    fs::create_directories(place_);
    ::setenv("TMPDIR", place_.c_str(), 1);
  }
  void TearDown() override {
    if (before_) {
      ::setenv("TMPDIR", before_->c_str(), 1);
    } else {
      ::unsetenv("TMPDIR");
    }
    fs::remove_all(place_);
  }

  // What a process leaves that ends without its destructors.
  std::string left_by_a_killed_process() {
    int pipe_ends[2];
    EXPECT_EQ(::pipe(pipe_ends), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      const auto folder = TemporaryFolder::make();
      if (!folder.ok()) ::_exit(1);
      std::ofstream(folder->path() + "/file") << "x";
      const std::string& path = folder->path();
      ::_exit(::write(pipe_ends[1], path.data(), path.size()) > 0 ? 0 : 1);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    char path[4096] = {};
    EXPECT_GT(::read(pipe_ends[0], path, sizeof path - 1), 0);
    ::close(pipe_ends[0]);
    ::close(pipe_ends[1]);
    return path;
  }

  const fs::path place_ = fs::path(test::process_folder()) / "temporary";
  std::optional<std::string> before_;
};

TEST_F(TemporaryFolderTest, GoesWithItsOwner) {
  std::string path;
  {
    auto folder = TemporaryFolder::make();
    ASSERT_TRUE(folder.ok()) << folder.status().message();
    path = folder->path();
    std::ofstream(path + "/file") << "x";
    const TemporaryFolder moved = *std::move(folder);
    EXPECT_TRUE(fs::exists(path + "/file"));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(TemporaryFolderTest, WhatAKilledProcessLeftIsRemovedByTheNext) {
  const std::string left = left_by_a_killed_process();
  ASSERT_TRUE(fs::exists(left + "/file"));
  const auto next = TemporaryFolder::make();
  ASSERT_TRUE(next.ok()) << next.status().message();
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(next->path()));
}

TEST_F(TemporaryFolderTest, WhatIsInUseAndWhatIsNotOursStays) {
  const auto used = TemporaryFolder::make();
  ASSERT_TRUE(used.ok());
  const fs::path pattern = fs::path(used->path()).filename();
  const fs::path others[] = {place_ / "mneme-abcdef", place_ / "other", place_ / (pattern.string() + "-and-more")};
  for (const fs::path& other : others) fs::create_directories(other);
  // A link of the right name to somebody's folder.
  const fs::path link = place_ / (pattern.string().substr(0, pattern.string().size() - 6) + "qwerty");
  fs::create_directory_symlink(others[1], link);
  ASSERT_TRUE(TemporaryFolder::make().ok());
  EXPECT_TRUE(fs::exists(used->path()));
  for (const fs::path& other : others) EXPECT_TRUE(fs::exists(other)) << other;
  EXPECT_TRUE(fs::is_symlink(link));
}

}  // namespace
}  // namespace mneme::app
