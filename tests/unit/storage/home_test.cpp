// Homes as they are made.
#include "storage/home.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "storage/env/fault_plan.h"
#include "storage/env/memory_env.h"
#include "temporary_home.h"

namespace mneme::storage {
namespace {

// How many changes of the disk opening a home makes, where `there` is a folder that was there before.
int64_t changes_of_opening(const std::string& root, const std::string& there) {
  FaultPlan plan;
  MemoryEnv env(&plan);
  const Status made = there.empty() ? Status() : env.make_directories(there);
  EXPECT_TRUE(made.ok()) << made.message();
  plan.clear();
  const auto home = open_home(env, root);
  EXPECT_TRUE(home.ok()) << home.status().message();
  return plan.operations();
}

// After a power cut a folder whose name was not synced is not there, and nothing that was synced in it.
TEST(HomeTest, TheNamesOfFoldersThatANewHomeNeedsAreSynced) {
  const int64_t of_an_old_one = changes_of_opening("/a/b/home", "/a/b/home");
  EXPECT_EQ(changes_of_opening("/a/b/home", "/a/b") - of_an_old_one, 1);
  EXPECT_EQ(changes_of_opening("/a/b/home", "") - of_an_old_one, 3);
}

// As of a home on a drive that is not mounted.
TEST(HomeTest, ALinkThatLeadsNowhereIsToldAsThat) {
  const TemporaryHome folder;
  const std::string link = folder.path() + "/link";
  std::filesystem::create_symlink(folder.path() + "/drive/mneme", link);
  for (const std::string& root : {link, link + "/home"}) {
    const Status opened = open_home(FileEnv::posix(), root).status();
    EXPECT_EQ(opened.code(), StatusCode::kNotFound) << root;
    EXPECT_NE(opened.message().find(link + " is a link to " + folder.path() + "/drive/mneme, which is not there"),
              std::string::npos)
        << opened.message();
  }
  std::filesystem::create_directories(folder.path() + "/drive/mneme");
  EXPECT_TRUE(open_home(FileEnv::posix(), link).ok());
}

}  // namespace
}  // namespace mneme::storage
