#include "rag/indexing/folder_watcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "rag/indexing/own_places.h"
#include "rag/workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace {

std::atomic<int> watches_left{-1};  // that the system still gives; negative: as many as it likes

// Stands before the system's own.
extern "C" int inotify_add_watch(int descriptor, const char* path, uint32_t events) noexcept {
  if (watches_left == 0) {
    errno = ENOSPC;
    return -1;
  }
  if (watches_left > 0) --watches_left;
  return static_cast<int>(::syscall(SYS_inotify_add_watch, descriptor, path, events));
}

struct FewWatches {
  explicit FewWatches(int n) { watches_left = n; }
  ~FewWatches() { watches_left = -1; }
  FewWatches(const FewWatches&) = delete;
  FewWatches& operator=(const FewWatches&) = delete;
};

}  // namespace

namespace mneme::rag {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

// Runs `change` beside wait() and gives whether wait() noticed within `limit`, which is waited for only where it did
// not.
bool notices(FolderWatcher& watcher, const std::function<void()>& change, std::chrono::milliseconds limit = 60s) {
  CancelToken cancel;
  std::atomic<bool> returned{false};
  std::thread other([&] {
    std::this_thread::sleep_for(50ms);
    change();
    for (auto waited = 0ms; waited < limit && !returned; waited += 50ms) std::this_thread::sleep_for(50ms);
    cancel.cancel();
  });
  const Status status = watcher.wait(cancel);
  returned = true;
  other.join();
  return status.ok();
}

class FolderWatcherTest : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  WatchOptions quick_{.quiet = 60ms, .longest = 500ms, .poll = 100ms, .recheck = 100ms};
};

TEST_F(FolderWatcherTest, NoticesWritingRenamingAndDeleting) {
  folder_.write("sub/a.md", "one");
  FolderWatcher watcher({folder_.path()}, quick_);
  if (watcher.polls()) GTEST_SKIP() << "no inotify here";
  EXPECT_TRUE(notices(watcher, [&] { folder_.write("sub/a.md", "two"); }));
  EXPECT_TRUE(notices(watcher, [&] { std::filesystem::rename(folder_ / "sub/a.md", folder_ / "sub/b.md"); }));
  EXPECT_TRUE(notices(watcher, [&] { std::filesystem::remove(folder_ / "sub/b.md"); }));
}

TEST_F(FolderWatcherTest, TellsWhereSomethingChanged) {
  folder_.write("sub/a.md", "one");
  folder_.write("other/b.md", "one");
  FolderWatcher watcher({folder_.path()}, quick_);
  if (watcher.polls()) GTEST_SKIP() << "no inotify here";
  const auto places_of = [&](const std::function<void()>& change) {
    change();
    EXPECT_TRUE(watcher.wait(never_cancelled()).ok());
    const FolderChanges changes = watcher.take_changes();
    EXPECT_FALSE(changes.is_anywhere());
    return changes.places();
  };
  EXPECT_THAT(places_of([&] { folder_.write("sub/a.md", "two"); }), ElementsAre(folder_ / "sub/a.md"));
  EXPECT_THAT(places_of([&] { std::filesystem::rename(folder_ / "sub/a.md", folder_ / "other/c.md"); }),
              ElementsAre(folder_ / "other/c.md", folder_ / "sub/a.md"));
  EXPECT_THAT(places_of([&] { std::filesystem::remove(folder_ / "other/c.md"); }), ElementsAre(folder_ / "other/c.md"));
  EXPECT_THAT(places_of([&] { folder_.write("new/deep/d.md", "one"); }), ElementsAre(folder_ / "new"));
  EXPECT_THAT(places_of([&] { folder_.write("other/.gitignore", "*.txt"); }), ElementsAre(folder_ / "other"));
  EXPECT_THAT(places_of([&] { std::filesystem::rename(folder_ / "new", folder_ / "other/new"); }),
              ElementsAre(folder_ / "new", folder_ / "other/new"));
  EXPECT_THAT(places_of([&] { folder_.write("other/new/deep/d.md", "two"); }),
              ElementsAre(folder_ / "other/new/deep/d.md"))
      << "by the name that it has now";
}

// One file stands at several places, and a walk takes the first of them.
TEST_F(FolderWatcherTest, WhereLinksLeadOnlyAWholeWalkTells) {
  folder_.write("root/linked/a.md", "one");
  folder_.write("root/b.md", "one");
  folder_.write("root/alone/c.md", "one");
  std::filesystem::create_directory_symlink("linked", folder_ / "root/by-link");
  std::filesystem::create_symlink("b.md", folder_ / "root/also-b.md");
  FolderWatcher watcher({folder_ / "root"}, quick_);
  if (watcher.polls()) GTEST_SKIP() << "no inotify here";
  const auto is_anywhere = [&](const std::string& written) {
    folder_.write(written, "two");
    EXPECT_TRUE(watcher.wait(never_cancelled()).ok());
    return watcher.take_changes().is_anywhere();
  };
  EXPECT_TRUE(is_anywhere("root/linked/a.md"));
  EXPECT_TRUE(is_anywhere("root/b.md"));
  EXPECT_FALSE(is_anywhere("root/alone/c.md"));
  std::filesystem::create_symlink("../alone/c.md", folder_ / "root/linked/also-c.md");
  EXPECT_TRUE(is_anywhere("root/alone/c.md"));
  EXPECT_TRUE(is_anywhere("root/alone/c.md")) << "also later";
}

TEST_F(FolderWatcherTest, ABurstOfChangesIsOne) {
  WatchOptions patient = quick_;
  patient.quiet = 2s;
  patient.longest = 120s;
  FolderWatcher watcher({folder_.path()}, patient);
  if (watcher.polls()) GTEST_SKIP() << "no inotify here";
  constexpr int kWrites = 8;
  std::atomic<int> written{0};
  std::thread writer([&] {
    for (int i = 0; i < kWrites; ++i) {
      folder_.write("a.md", "version " + std::to_string(i));
      ++written;
      std::this_thread::sleep_for(30ms);
    }
  });
  EXPECT_TRUE(watcher.wait(never_cancelled()).ok());
  EXPECT_EQ(written, kWrites);
  writer.join();
}

TEST_F(FolderWatcherTest, FollowsNewFolders) {
  FolderWatcher watcher({folder_.path()}, quick_);
  if (watcher.polls()) GTEST_SKIP() << "no inotify here";
  EXPECT_TRUE(notices(watcher, [&] { std::filesystem::create_directories(folder_ / "new/deep"); }));
  EXPECT_TRUE(notices(watcher, [&] { folder_.write("new/deep/a.md", "text"); }));
}

// While a long run is under way nobody takes the events, and the kernel keeps so many of them.
TEST_F(FolderWatcherTest, FoldersMadeWhileTooMuchHappenedAreWatched) {
  int kept = 0;
  std::ifstream("/proc/sys/fs/inotify/max_queued_events") >> kept;
  if (kept <= 0 || kept > 50'000) GTEST_SKIP() << "this system keeps too many";
  FolderWatcher watcher({folder_.path()}, quick_);
  if (watcher.polls()) GTEST_SKIP() << "no inotify here";
  for (int i = 0; i <= kept / 2; ++i) folder_.write(std::to_string(i), "");
  folder_.write("late/a.md", "one");
  ASSERT_TRUE(watcher.wait(never_cancelled()).ok());
  EXPECT_TRUE(watcher.take_changes().is_anywhere());
  EXPECT_TRUE(notices(watcher, [&] { folder_.write("late/a.md", "two"); }));
}

// As the walk does; also where they lead back.
TEST_F(FolderWatcherTest, FollowsLinksToFolders) {
  folder_.write("elsewhere/deep/a.md", "one");
  folder_.write("root/b.md", "one");
  std::filesystem::create_directory_symlink("../elsewhere", folder_ / "root/link");
  for (const char* name : {"deep/loop", "deep/again"}) {
    std::filesystem::create_directory_symlink("../../root", folder_ / (std::string("elsewhere/") + name));
  }
  FolderWatcher watcher({folder_ / "root"}, quick_);
  if (watcher.polls()) GTEST_SKIP() << "no inotify here";
  EXPECT_TRUE(notices(watcher, [&] { folder_.write("elsewhere/deep/a.md", "two"); }));
}

// Nobody writes to them and closes them.
TEST_F(FolderWatcherTest, NoticesNewLinks) {
  folder_.write("elsewhere/a.md", "one");
  folder_.write("root/b.md", "one");
  FolderWatcher watcher({folder_ / "root"}, quick_);
  if (watcher.polls()) GTEST_SKIP() << "no inotify here";
  EXPECT_TRUE(notices(
      watcher, [&] { std::filesystem::create_hard_link(folder_ / "elsewhere/a.md", folder_ / "root/hard.md"); }));
  EXPECT_TRUE(
      notices(watcher, [&] { std::filesystem::create_symlink("../elsewhere/a.md", folder_ / "root/soft.md"); }));
  EXPECT_TRUE(
      notices(watcher, [&] { std::filesystem::create_directory_symlink("../elsewhere", folder_ / "root/folder"); }));
  EXPECT_TRUE(notices(watcher, [&] { folder_.write("elsewhere/a.md", "two"); }));
}

// A folder that is removed and made anew, or whose disk is mounted again, goes on being watched.
TEST_F(FolderWatcherTest, FollowsAFolderThatGoesAndComesAgain) {
  const std::string root = folder_ / "root";
  folder_.write("root/a.md", "one");
  FolderWatcher watcher({root}, quick_);
  if (watcher.polls()) GTEST_SKIP() << "no inotify here";
  EXPECT_TRUE(notices(watcher, [&] { std::filesystem::remove_all(root); }));
  ASSERT_TRUE(watcher.wait(never_cancelled(), 600ms).ok()) << "the rest of what removing tells";
  EXPECT_TRUE(notices(watcher, [&] { folder_.write("root/sub/a.md", "two"); }));
  EXPECT_TRUE(notices(watcher, [&] { folder_.write("root/sub/a.md", "three"); }));
  // Another folder takes its name.
  folder_.write("other/b.md", "one");
  EXPECT_TRUE(notices(watcher, [&] {
    std::filesystem::rename(root, folder_ / "old");
    std::filesystem::rename(folder_ / "other", root);
  }));
  EXPECT_TRUE(notices(watcher, [&] { folder_.write("root/c.md", "two"); }));
}

// As when a disk is unmounted: what it held must not be taken for deleted.
TEST_F(FolderWatcherTest, AnEmptyFolderInItsPlaceIsNoChange) {
  folder_.write("root/a.md", "one");
  std::filesystem::create_directory(folder_ / "empty");
  std::filesystem::create_directory_symlink("root", folder_ / "link");
  FolderWatcher watcher({folder_ / "link"}, quick_);
  if (watcher.polls()) GTEST_SKIP() << "no inotify here";
  const auto lead_to = [&](const std::string& target) {
    std::filesystem::create_directory_symlink(target, folder_ / "new");
    std::filesystem::rename(folder_ / "new", folder_ / "link");
  };
  EXPECT_FALSE(notices(watcher, [&] { lead_to("empty"); }, 1s));
  EXPECT_TRUE(notices(watcher, [&] { lead_to("root"); }));
}

TEST_F(FolderWatcherTest, AHiddenFileThatTheUserNamedIsWatched) {
  const std::string named = folder_.write(".notes.txt", "one");
  FolderWatcher watcher({named}, quick_);
  if (watcher.polls()) GTEST_SKIP() << "no inotify here";
  EXPECT_TRUE(notices(watcher, [&] { folder_.write(".notes.txt", "two"); }));
  EXPECT_FALSE(notices(watcher, [&] { folder_.write(".other.txt", "three"); }, 700ms));
}

TEST_F(FolderWatcherTest, FollowsAFileWhoseFolderGoesAndComesAgain) {
  const std::string named = folder_.write("sub/a.md", "one");
  FolderWatcher watcher({named}, quick_);
  if (watcher.polls()) GTEST_SKIP() << "no inotify here";
  EXPECT_TRUE(notices(watcher, [&] { std::filesystem::remove_all(folder_ / "sub"); }));
  EXPECT_TRUE(notices(watcher, [&] { folder_.write("sub/a.md", "two"); })) << "made anew";
  EXPECT_TRUE(notices(watcher, [&] { folder_.write("sub/a.md", "three"); })) << "and watched";
}

// Each run writes there: it would be the change that brings the next.
TEST_F(FolderWatcherTest, WhatHappensInAHomeThatLiesThereIsNoChange) {
  WorkspaceOptions options;
  options.home = folder_ / "home";
  options.kv.roots = {folder_ / "caches"};
  for (const char* name : {"home/catalog.db", "home/index/default.hnsw", "caches/ab/1.kv", "home/letter.md"}) {
    folder_.write(name, "one");
  }
  const OwnPlaces own(options);
  quick_.own = &own;
  FolderWatcher watcher({folder_.path()}, quick_);
  if (watcher.polls()) GTEST_SKIP() << "no inotify here";
  const auto write_own = [&] {
    for (const char* name :
         {"home/catalog.db-wal", "home/indexing.lock", "home/index/default.hnsw", "caches/ab/2.kv"}) {
      folder_.write(name, "two");
    }
  };
  EXPECT_FALSE(notices(watcher, write_own, 700ms));
  EXPECT_TRUE(notices(watcher, [&] { folder_.write("home/letter.md", "two"); })) << "a home may hold files of others";
}

TEST_F(FolderWatcherTest, ReturnsInTimeWithoutAChange) {
  FolderWatcher watcher({folder_.path()}, quick_);
  EXPECT_TRUE(watcher.wait(never_cancelled(), 50ms).ok());
}

TEST_F(FolderWatcherTest, HiddenFilesAreNoChange) {
  FolderWatcher watcher({folder_.path()}, quick_);
  if (watcher.polls()) GTEST_SKIP() << "no inotify here";
  EXPECT_FALSE(notices(watcher, [&] { folder_.write(".swp", "x"); }, 1s));
}

// fs.inotify.max_user_watches: one for each folder, all programs of the user together.
TEST_F(FolderWatcherTest, PollsWhereThereAreMoreFoldersThanWatches) {
  for (const char* name : {"a/1.md", "b/1.md", "c/1.md"}) folder_.write(name, "one");
  const FewWatches few(2);
  FolderWatcher watcher({folder_.path()}, quick_);
  EXPECT_TRUE(watcher.polls());
  EXPECT_TRUE(watcher.wait(never_cancelled()).ok());
  EXPECT_TRUE(watcher.take_changes().is_anywhere());
}

TEST_F(FolderWatcherTest, PollsFromWhenTheWatchesRunOut) {
  FolderWatcher watcher({folder_.path()}, quick_);
  if (watcher.polls()) GTEST_SKIP() << "no inotify here";
  const FewWatches none(0);
  folder_.write("new/a.md", "one");
  EXPECT_TRUE(watcher.wait(never_cancelled()).ok());
  EXPECT_TRUE(watcher.polls());
  EXPECT_TRUE(watcher.take_changes().is_anywhere());
  EXPECT_TRUE(watcher.wait(never_cancelled()).ok()) << "and goes on";
  EXPECT_TRUE(watcher.take_changes().is_anywhere());
}

TEST_F(FolderWatcherTest, PollsWhereThereIsNoWatchForAFile) {
  const std::string named = folder_.write("a.md", "one");
  const FewWatches none(0);
  FolderWatcher watcher({named}, quick_);
  EXPECT_TRUE(watcher.polls());
}

TEST_F(FolderWatcherTest, PollsWhereNothingBetterIsThere) {
  WatchOptions options = quick_;
  options.use_inotify = false;
  FolderWatcher watcher({folder_.path()}, options);
  EXPECT_TRUE(watcher.polls());
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(watcher.wait(never_cancelled()).ok());
  EXPECT_GE(std::chrono::steady_clock::now() - begin, options.poll);
  EXPECT_TRUE(watcher.take_changes().is_anywhere());
}

}  // namespace
}  // namespace mneme::rag
