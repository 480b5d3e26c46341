#include "rag/indexing/drives.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "rag/indexing/indexer.h"
#include "rag/retrieval/retriever.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"
#include "tests/unit/rag_indexing/plain_workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(MountPoints, AreTheFifthFieldOfEachLine) {
  EXPECT_THAT(parse_mount_points("22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n"
                                 "40 22 8:17 / /media/anna/My\\040disk rw - vfat /dev/sdb1 rw\n"
                                 "41 22 0:40 / /mnt/back\\134slash rw - nfs4 host:/x rw\n"
                                 "short line\n\n42 22 0:41 / /mnt/odd\\04 rw - tmpfs none rw"),
              ElementsAre("/media/anna/My disk", "/mnt/back\\slash", "/mnt/odd\\04"));
  EXPECT_THAT(mount_points(), Contains("/proc"));
}

class DrivesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    workspace_ = open_plain_workspace(home_.path(), 2, "hashed");
    ASSERT_NE(workspace_, nullptr);
  }
  // As if a drive had been mounted there when it was indexed.
  void was_mounted_at(const std::string& folder) {
    ASSERT_TRUE(remember_drives(workspace_->catalogue(), {folder}, {docs_.path()}).ok());
  }
  IndexReport run() {
    IndexOptions options;
    options.paths = {docs_.path()};
    Result<IndexReport> report = Indexer(*workspace_).run(options);
    EXPECT_TRUE(report.ok()) << report.status().message();
    return report.ok() ? *std::move(report) : IndexReport();
  }
  size_t n_hits(const std::string& query) {
    const auto found = Retriever(*workspace_).search(query, {});
    return found.ok() ? found->hits.size() : 0;
  }

  TemporaryFolder home_;
  TemporaryFolder docs_;
  std::unique_ptr<Workspace> workspace_;
};

TEST_F(DrivesTest, WhatLiesOnADriveThatIsNotMountedIsKept) {
  docs_.write("usb/photos/a.md", "The kettle is red.\n");
  docs_.write("b.md", "Ferries leave at noon.\n");
  run();
  was_mounted_at(docs_ / "usb");
  fs::remove_all(docs_ / "usb/photos");
  for (const bool mount_point_stays : {true, false}) {
    if (!mount_point_stays) fs::remove(docs_ / "usb");
    const IndexReport report = run();
    EXPECT_EQ(report.removed, 0u);
    ASSERT_THAT(report.failed, SizeIs(1));
    EXPECT_EQ(report.failed[0].path, docs_ / "usb");
    EXPECT_THAT(report.failed[0].error, HasSubstr("mount it again"));
    EXPECT_GE(n_hits("kettle"), 1u);
  }
  docs_.write("usb/photos/a.md", "The kettle is red.\n");
  const IndexReport back = run();
  EXPECT_THAT(back.failed, IsEmpty());
  EXPECT_EQ(back.removed, 0u);
}

// Some program wrote to the mount point while the drive was away: that is in the index, too, from then on.
TEST_F(DrivesTest, AFileInThePlaceOfADriveIsNotTheDrive) {
  docs_.write("usb/a.md", "The kettle is red.\n");
  docs_.write("usb/c.md", "The stove is black.\n");
  docs_.write("usb/d.md", "The lamp is green.\n");
  run();
  was_mounted_at(docs_ / "usb");
  for (const char* name : {"usb/a.md", "usb/c.md", "usb/d.md"}) fs::remove(docs_ / name);
  docs_.write("usb/stray.md", "A note.\n");
  for (int i = 0; i < 2; ++i) {
    const IndexReport report = run();
    EXPECT_EQ(report.removed, 0u);
    ASSERT_THAT(report.failed, SizeIs(1));
    EXPECT_THAT(report.failed[0].error, HasSubstr("mount it again"));
    EXPECT_GE(n_hits("kettle"), 1u);
  }
}

TEST_F(DrivesTest, WhatIsDeletedElsewhereOrFromADriveThatIsThereGoes) {
  docs_.write("usb/a.md", "The kettle is red.\n");
  docs_.write("usb/c.md", "The stove is black.\n");
  docs_.write("plain/b.md", "Ferries leave at noon.\n");
  run();
  was_mounted_at(docs_ / "usb");
  fs::remove(docs_ / "usb/a.md");  // the other file says that something is there
  fs::remove_all(docs_ / "plain");
  const IndexReport report = run();
  EXPECT_EQ(report.removed, 2u);
  EXPECT_THAT(report.failed, IsEmpty());
}

TEST_F(DrivesTest, WhatServesNoDocumentAnyMoreIsForgotten) {
  docs_.write("usb/a.md", "The kettle is red.\n");
  docs_.write("card/b.md", "Ferries leave at noon.\n");
  run();
  storage::Catalogue& catalogue = workspace_->catalogue();
  ASSERT_TRUE(remember_drives(catalogue, {docs_ / "usb", docs_ / "card", docs_.path()}, {docs_.path()}).ok());
  const auto left_without = [&](const std::string& path) {
    EXPECT_TRUE(forget_drives(catalogue, path, storage::Catalogue::Members::kIncluded).ok());
    return catalogue.settings("drive.")->size();
  };
  EXPECT_EQ(left_without(docs_ / "elsewhere"), 3u);
  EXPECT_EQ(left_without(docs_ / "usb"), 2u) << "the other, and the one that both lie on";
  EXPECT_EQ(left_without(docs_.path()), 0u);
}

TEST_F(DrivesTest, OnlyThoseThatTheFoldersTouchAreRemembered) {
  docs_.write("a.md", "The kettle is red.\n");
  storage::Catalogue& catalogue = workspace_->catalogue();
  const auto count = [&] { return catalogue.settings("drive.")->size(); };
  ASSERT_EQ(count(), 0u);
  ASSERT_TRUE(remember_drives(catalogue,
                              {"/mnt/elsewhere", docs_ / "inside", fs::path(docs_.path()).parent_path().string()},
                              {docs_.path()})
                  .ok());
  EXPECT_EQ(count(), 2u) << "the one inside, and the one that it lies on";
  ASSERT_TRUE(remember_drives(catalogue, {docs_ / "inside"}, {docs_.path()}).ok());
  EXPECT_EQ(count(), 2u);
}

}  // namespace
}  // namespace mneme::rag
