#include "rag/indexing/kernel_folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <filesystem>

#include "rag/indexing/file_walker.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

namespace fs = std::filesystem;
using ::testing::SizeIs;

struct stat on_device(unsigned int major, unsigned int minor) {
  struct stat s{};
  s.st_dev = ::makedev(major, minor);
  return s;
}

TEST(KernelFolders, AreKnownByTheKindOfTheirFileSystem) {
  const KernelFolders folders(
      "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n"
      "40 22 0:21 / /proc rw,nosuid shared:5 - proc proc rw\n"
      "41 22 0:22 / /sys rw shared:6 master:2 - sysfs sysfs rw\n"
      "42 22 0:40 / /mnt/proc rw - nfs4 host:/proc rw\n"
      "43 22 x:y / /odd rw - proc proc rw\n"
      "a line that is none\n44 22 0:23 / /run rw -");
  EXPECT_TRUE(folders.hold(on_device(0, 21)));
  EXPECT_TRUE(folders.hold(on_device(0, 22)));
  EXPECT_FALSE(folders.hold(on_device(8, 1)));
  EXPECT_FALSE(folders.hold(on_device(0, 40)));
  EXPECT_FALSE(folders.hold(on_device(0, 23)));
  EXPECT_FALSE(folders.hold(on_device(0, 0)));
}

TEST(KernelFolders, AreNotWalkedBelowAFolder) {
  const TemporaryFolder docs;
  const std::string note = docs.write("note.txt", "The ferry leaves at noon.");
  fs::create_directory_symlink("/proc/self", docs / "running");
  fs::create_symlink("/proc/cpuinfo", docs / "processor.txt");
  const Result<WalkResult> walk = walk_files({docs.path()}, {}, {}, CancelToken());
  ASSERT_TRUE(walk.ok()) << walk.status().message();
  ASSERT_THAT(walk->files, SizeIs(1));
  EXPECT_EQ(walk->files[0].path, note);
  EXPECT_THAT(walk->problems, SizeIs(0));
  EXPECT_EQ(walk->skipped, 2u);
}

TEST(KernelFolders, ThatAreNamedAreToldToBeNoDocuments) {
  for (const std::string path : {"/proc", "/proc/self/status"}) {
    const Result<WalkResult> walk = walk_files({path}, {}, {}, CancelToken());
    ASSERT_TRUE(walk.ok()) << walk.status().message();
    EXPECT_THAT(walk->files, SizeIs(0));
    ASSERT_THAT(walk->problems, SizeIs(1));
    EXPECT_EQ(walk->problems[0].path, path);
    EXPECT_EQ(walk->problems[0].error, path + " is no document but what the system shows of itself; it was left out.");
  }
}

}  // namespace
}  // namespace mneme::rag
