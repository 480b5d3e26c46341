// Files that are unmade: at no moment is one half overwritten under its own name, and what a kill leaves is ended
// later.
#include "storage/env/atomic_write.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "storage/env/faulty_env.h"
#include "storage/env/temporary_file.h"
#include "temporary_home.h"

namespace mneme::storage {
namespace {

namespace fs = std::filesystem;

// No process has this number: it is beyond the highest that Linux gives.
const std::string kDead = std::string(kTemporaryMark) + "2000000000-1";
const std::string kText = "what is to be forgotten";

class AtomicWriteTest : public testing::Test {
 protected:
  std::string write(const std::string& name) const {
    const std::string path = home_.path() + "/" + name;
    std::ofstream(path) << kText;
    return path;
  }
  static std::string content(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static bool is_overwritten(const std::string& path) {
    const std::string bytes = content(path);
    return !bytes.empty() && std::all_of(bytes.begin(), bytes.end(), [](char c) { return c == 0; });
  }
  TemporaryHome home_;
};

TEST_F(AtomicWriteTest, ErasedFilesAreOverwrittenAndGone) {
  const std::string one = write("one");
  const std::string dead = write("two" + kDead);
  const std::string kept = write("kept");
  // Second names show what is left on the disk.
  fs::create_hard_link(one, one + "-second");
  fs::create_hard_link(dead, home_.path() + "/dead-second");
  ASSERT_TRUE(erase_atomically(FileEnv::posix(), {one, dead, home_.path() + "/never-there"}).ok());
  EXPECT_FALSE(fs::exists(one));
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_TRUE(is_overwritten(one + "-second"));
  EXPECT_TRUE(is_overwritten(home_.path() + "/dead-second"));
  EXPECT_EQ(content(kept), kText);
  EXPECT_EQ(std::distance(fs::directory_iterator(home_.path()), {}), 3) << "no temporary name stays";
}

// Many share a sync; what they are, and that all are tried, does not change with it.
TEST_F(AtomicWriteTest, ManyErasedFilesAreOverwrittenAndGone) {
  std::vector<std::string> paths;
  for (int i = 0; i < 40; ++i) {
    fs::create_directories(home_.path() + "/" + std::to_string(i % 20));
    fs::create_directories(home_.path() + "/seconds");
    paths.push_back(write(std::to_string(i % 20) + "/" + std::to_string(i)));
    fs::create_hard_link(paths.back(), home_.path() + "/seconds/" + std::to_string(i));
  }
  const std::string kept = write("0/kept");
  fs::create_symlink(kept, home_.path() + "/1/link");
  paths.push_back(home_.path() + "/1/link");
  paths.insert(paths.begin() + 7, home_.path() + "/2/never-there");
  paths.insert(paths.begin() + 9, home_.path() + "/no-folder/never-there");
  EXPECT_FALSE(erase_atomically(FileEnv::posix(), paths).ok()) << "a link is not followed, which is told";
  for (const std::string& path : paths) EXPECT_FALSE(fs::exists(fs::symlink_status(path))) << path;
  for (int i = 0; i < 40; ++i) EXPECT_TRUE(is_overwritten(home_.path() + "/seconds/" + std::to_string(i))) << i;
  EXPECT_EQ(content(kept), kText);
  for (const auto& entry : fs::recursive_directory_iterator(home_.path())) {
    EXPECT_FALSE(is_temporary(entry.path().string())) << entry.path();
  }
}

TEST_F(AtomicWriteTest, NoneOfManyErasedFilesIsThere) {
  std::vector<std::string> paths;
  for (int i = 0; i < 40; ++i) paths.push_back(home_.path() + "/gone/" + std::to_string(i) + kDead);
  EXPECT_TRUE(erase_atomically(FileEnv::posix(), paths).ok());
}

// Wherever it is cut off: the name holds all of the file or is gone.
TEST_F(AtomicWriteTest, CutOffAtAnyMomentAFileIsWholeOrGone) {
  int64_t operations = 1;
  for (int64_t at = 0; at < operations; ++at) {
    const std::string one = write("one");
    const std::string two = write("two");
    FaultPlan plan;
    FaultyEnv env(FileEnv::posix(), plan);
    plan.arm(FaultKind::kCrash, at);
    EXPECT_FALSE(erase_atomically(env, {one, two}).ok()) << at;
    for (const std::string& path : {one, two}) {
      const bool whole_or_gone = !fs::exists(path) || content(path) == kText;
      EXPECT_TRUE(whole_or_gone) << path << " after " << at;
    }
    for (const auto& entry : fs::directory_iterator(home_.path())) fs::remove(entry.path());
    if (at > 0) continue;
    plan.clear();
    ASSERT_TRUE(erase_atomically(env, {write("one"), write("two")}).ok());
    operations = plan.operations();
    EXPECT_GE(operations, 5) << "two names, one folder, two files";
  }
}

TEST_F(AtomicWriteTest, AWriteThatFailsLeavesWhatWasThereAndNothingBesideIt) {
  const std::string path = write("one");
  const auto fill = [](WritableFile& file) { return file.append(as_bytes("something new")); };
  FaultPlan plan;
  FaultyEnv env(FileEnv::posix(), plan);
  ASSERT_TRUE(write_in_pieces(env, home_.path() + "/two", fill).ok());
  const int64_t operations = plan.operations();
  EXPECT_GE(operations, 4) << "created, written, synced, renamed";
  int n_failed = 0;
  for (int64_t at = 0; at < operations; ++at) {
    plan.arm(FaultKind::kIoError, at);
    const bool written = write_then_rename(env, path, fill).ok();
    n_failed += written ? 0 : 1;
    EXPECT_EQ(content(path), written ? "something new" : kText) << at;
    EXPECT_EQ(std::distance(fs::directory_iterator(home_.path()), {}), 2) << "no temporary name stays, " << at;
    write("one");
  }
  EXPECT_GE(n_failed, 4);
}

TEST_F(AtomicWriteTest, OneThatCannotBeErasedDoesNotSaveTheOthers) {
  const std::string one = write("one");
  const std::string two = write("two");
  FaultPlan plan;
  FaultyEnv env(FileEnv::posix(), plan);
  plan.arm(FaultKind::kIoError, 0);
  EXPECT_FALSE(erase_atomically(env, {one, two}).ok());
  EXPECT_EQ(content(one), kText);
  EXPECT_FALSE(fs::exists(two));
}

TEST(TemporaryFileTest, NamesTellWhoseTheyAre) {
  const std::string mine = temporary_name("/home.tmp-1/index/c.hnsw");
  EXPECT_NE(mine, temporary_name("/home.tmp-1/index/c.hnsw"));
  EXPECT_TRUE(is_temporary(mine));
  EXPECT_FALSE(is_left_by_the_dead(mine));
  EXPECT_TRUE(is_left_by_the_dead("c.hnsw" + kDead));
  EXPECT_FALSE(is_temporary("/home.tmp-2000000000-1/c.hnsw")) << "only the file's own name counts";
  for (const char* name :
       {"c.hnsw", "c.hnsw.tmp-", "c.hnsw.tmp-x", "c.hnsw.tmp--5", "c.hnsw.tmp-99999999999999999999"}) {
    EXPECT_FALSE(is_left_by_the_dead(name)) << name;
  }
}

TEST_F(AtomicWriteTest, WhatWasAbandonedIsErasedAfterAnHour) {
  const std::string old = write("c.hnsw" + kDead);
  const std::string young = write("d.hnsw" + kDead);
  const std::string kept = write("c.hnsw");
  for (const std::string& path : {old, kept}) {
    fs::last_write_time(path, fs::last_write_time(path) - std::chrono::hours(2));
  }
  fs::create_hard_link(old, home_.path() + "/second");
  ASSERT_TRUE(erase_abandoned(FileEnv::posix(), home_.path()).ok());
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(is_overwritten(home_.path() + "/second"));
  EXPECT_TRUE(fs::exists(young));
  EXPECT_EQ(content(kept), kText);
}

}  // namespace
}  // namespace mneme::storage
