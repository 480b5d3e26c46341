#include "rag/indexing/file_walker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "rag/indexing/folder_changes.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class WalkPlacesTest : public ::testing::Test {
 protected:
  WalkPlacesTest() {
    folder_.write(".gitignore", "*.log\nbuild/\n/only-here.md\n");
    for (const char* name : {"a.md", "only-here.md", "a.log", "sub/only-here.md", "sub/b.md", "sub/build/c.md",
                             "sub/kept/d.log", "sub/kept/e.txt", "build/f.md", ".hidden/g.md", "sub/.h.md", "sub!/i.md",
                             "sub/deep/deeper/j.md", "sub/deep/deeper/k.log"}) {
      folder_.write(name, name);
    }
    folder_.write("sub/kept/.gitignore", "!d.log\ne.*\n");
    folder_.write("sub/deep/.mnemeignore", "deeper/*.md\n!*.log\n");
  }

  static std::vector<std::string> paths_of(const WalkResult& walk) {
    std::vector<std::string> paths;
    for (const FoundFile& file : walk.files) paths.push_back(file.path);
    return paths;
  }

  WalkResult whole(const WalkOptions& options = {}) const {
    Result<WalkResult> walk = walk_files({folder_.path()}, options, {}, never_cancelled());
    EXPECT_TRUE(walk.ok());
    return *std::move(walk);
  }

  std::optional<WalkResult> some(const std::vector<std::string>& places, const WalkOptions& options = {}) const {
    Result<std::optional<WalkResult>> walk = walk_places({folder_.path()}, places, options, never_cancelled());
    EXPECT_TRUE(walk.ok());
    return *std::move(walk);
  }

  TemporaryFolder folder_;
};

// Under the rules of the folders above, hidden or not.
TEST_F(WalkPlacesTest, FindsAtEachPlaceWhatAWholeWalkFindsThere) {
  std::vector<std::string> places = {folder_.path()};
  for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) places.push_back(entry.path());
  ASSERT_GT(places.size(), 20u);
  for (const bool hidden : {false, true}) {
    for (const bool rules : {false, true}) {
      const WalkOptions options{.include_hidden = hidden, .use_ignore_files = rules};
      const std::vector<std::string> all = paths_of(whole(options));
      for (const std::string& place : places) {
        std::vector<std::string> expected;
        for (const std::string& path : all) {
          if (is_at_or_below(path, place)) expected.push_back(path);
        }
        const std::optional<WalkResult> walk = some({place}, options);
        ASSERT_TRUE(walk.has_value()) << place;
        EXPECT_EQ(paths_of(*walk), expected) << place;
        EXPECT_THAT(walk->looked_at, ElementsAre(place));
      }
      const std::optional<WalkResult> walk = some(places, options);
      ASSERT_TRUE(walk.has_value());
      EXPECT_EQ(paths_of(*walk), all);
    }
  }
}

TEST_F(WalkPlacesTest, WhatIsGoneIsLookedAtAndWhatLiesElsewhereIsNot) {
  const std::optional<WalkResult> walk = some({folder_ / "gone.md", folder_ / "no/such/folder", "/elsewhere"});
  ASSERT_TRUE(walk.has_value());
  EXPECT_FALSE(walk->is_whole);
  EXPECT_THAT(walk->files, IsEmpty());
  EXPECT_THAT(walk->problems, IsEmpty());
  EXPECT_THAT(walk->looked_at, ElementsAre(folder_ / "gone.md", folder_ / "no/such/folder"));
}

TEST_F(WalkPlacesTest, BehindLinksOnlyAWholeWalkTells) {
  fs::create_directory_symlink("sub", folder_ / "link");
  EXPECT_FALSE(some({folder_ / "link"}).has_value());
  EXPECT_FALSE(some({folder_ / "link/b.md"}).has_value());
  EXPECT_TRUE(some({folder_ / "sub/b.md"}).has_value());
}

TEST(WalkTest, FoldersNestedTooDeeplyAreToldOf) {
  const TemporaryFolder folder;
  std::string deep = folder.path();
  for (int i = 0; i < 210; ++i) deep += "/d";
  fs::create_directories(deep);
  folder.write("a.md", "one");
  std::ofstream(deep + "/b.md") << "two";
  const Result<WalkResult> walk = walk_files({folder.path()}, {}, {}, never_cancelled());
  ASSERT_TRUE(walk.ok());
  ASSERT_THAT(walk->files, SizeIs(1));
  ASSERT_THAT(walk->problems, SizeIs(1));
  EXPECT_TRUE(walk->problems[0].hides_folder) << "what was indexed below it is not gone";
  EXPECT_THAT(walk->problems[0].error, HasSubstr("nested too deeply"));
  EXPECT_THAT(walk_files({deep}, {}, {}, never_cancelled())->files, SizeIs(1)) << "by its own name";
}

TEST(WalkTest, TwoLinksToAFileAreOneDocument) {
  const TemporaryFolder folder;
  folder.write("elsewhere/a.md", "one");
  folder.write("root/b.md", "two");
  for (const char* link : {"root/first.md", "root/second.md"}) fs::create_symlink("../elsewhere/a.md", folder / link);
  const Result<WalkResult> walk = walk_files({folder / "root"}, {}, {}, never_cancelled());
  ASSERT_TRUE(walk.ok());
  ASSERT_THAT(walk->files, SizeIs(2));
  EXPECT_EQ(walk->files[0].path, folder / "root/b.md");
  EXPECT_EQ(walk->files[1].path, folder / "root/first.md");
  EXPECT_EQ(walk->skipped, 1u);
}

TEST(FolderChangesTest, PlacesBelowOthersAreThoseOthers) {
  FolderChanges changes;
  EXPECT_TRUE(changes.empty());
  for (const char* path : {"/d/a/b.md", "/d/a", "/d/a!", "/d/ab", "/d/a/c/e", "/d/x/y"}) changes.add(path);
  EXPECT_THAT(changes.places(), ElementsAre("/d/a", "/d/a!", "/d/ab", "/d/x/y"));
  FolderChanges many;
  for (int i = 0; i < 10'000; ++i) many.add("/d/" + std::to_string(i));
  EXPECT_TRUE(many.is_anywhere());
  changes.add(many);
  EXPECT_TRUE(changes.is_anywhere());
}

TEST(FolderChangesTest, AnArchiveIsNoFolder) {
  const std::vector<std::string> folders = {"/d/a", "/e"};
  for (const char* path : {"/d/a", "/d/a/b", "/e/x/y"}) EXPECT_TRUE(is_at_or_below_any(path, folders)) << path;
  for (const char* path : {"/d", "/d/ab", "/d/a!/b", "/f"}) EXPECT_FALSE(is_at_or_below_any(path, folders)) << path;
  EXPECT_TRUE(is_at_or_below_any("/any", {"/"}));
  EXPECT_TRUE(is_at_or_below("/any", "/"));
  EXPECT_TRUE(is_at_or_below("/d/a", "/d/a"));
  EXPECT_TRUE(is_at_or_below("/d/a/b", "/d/a"));
  EXPECT_FALSE(is_at_or_below("/d/ab", "/d/a"));
}

}  // namespace
}  // namespace mneme::rag
