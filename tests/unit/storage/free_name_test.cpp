// Exports take a name that nothing has.
#include "storage/env/free_name.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "storage/env/memory_env.h"
#include "temporary_home.h"

namespace mneme::storage {
namespace {

class FreeNameTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(env_.make_directories("/home.d").ok()); }

  // The name that is given for `path`, which is then taken.
  std::string take(const std::string& path) {
    const Result<std::string> name = free_name(env_, path);
    EXPECT_TRUE(name.ok()) << name.status().message();
    if (!name.ok()) return "";
    EXPECT_TRUE(write_atomically(env_, *name, {}).ok());
    return *name;
  }

  MemoryEnv env_;
};

TEST_F(FreeNameTest, CopiesAreNumberedBeforeTheExtension) {
  EXPECT_EQ(take("/home.d/chat-1.md"), "/home.d/chat-1.md");
  EXPECT_EQ(take("/home.d/chat-1.md"), "/home.d/chat-1 (2).md");
  EXPECT_EQ(take("/home.d/chat-1.md"), "/home.d/chat-1 (3).md");
  EXPECT_EQ(take("/home.d/chat-1.json"), "/home.d/chat-1.json");
}

TEST_F(FreeNameTest, AGapIsUsedAgain) {
  for (int i = 0; i < 3; ++i) take("/home.d/a.md");
  ASSERT_TRUE(env_.remove("/home.d/a (2).md").ok());
  EXPECT_EQ(take("/home.d/a.md"), "/home.d/a (2).md");
}

TEST_F(FreeNameTest, NamesWithoutAnExtensionAreNumberedAtTheirEnd) {
  for (const std::string name : {"/home.d/notes", "/home.d/.profile"}) {
    EXPECT_EQ(take(name), name);
    EXPECT_EQ(take(name), name + " (2)");
  }
}

TEST_F(FreeNameTest, ALinkThatLeadsNowhereHasItsName) {
  TemporaryHome home;
  const std::string path = home.path() + "/a.md";
  ASSERT_EQ(::symlink("/nowhere/at/all", path.c_str()), 0);
  const Result<std::string> name = free_name(FileEnv::posix(), path);
  ASSERT_TRUE(name.ok()) << name.status().message();
  EXPECT_EQ(*name, home.path() + "/a (2).md");
}

TEST_F(FreeNameTest, WhatCannotBeLookedAtIsAnErrorAndNotFree) {
  TemporaryHome home;
  ASSERT_TRUE(write_atomically(FileEnv::posix(), home.path() + "/file", {}).ok());
  EXPECT_FALSE(free_name(FileEnv::posix(), home.path() + "/file/a.md").ok());
}

TEST_F(FreeNameTest, ThousandsOfCopiesAreRefusedWithWhatToDo) {
  ASSERT_TRUE(env_.create_if_missing("/home.d/a.md").ok());
  for (int copy = 2; copy <= 9999; ++copy) {
    ASSERT_TRUE(env_.create_if_missing("/home.d/a (" + std::to_string(copy) + ").md").ok());
  }
  const Result<std::string> name = free_name(env_, "/home.d/a.md");
  ASSERT_FALSE(name.ok());
  EXPECT_EQ(name.status().code(), StatusCode::kUsage);
  EXPECT_NE(name.status().message().find("remove some"), std::string::npos) << name.status().message();
}

}  // namespace
}  // namespace mneme::storage
