#include "rag/indexing/drives.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "rag/indexing/drive_history.h"
#include "rag/indexing/indexer.h"
#include "rag/indexing/mounts.h"
#include "rag/retrieval/retriever.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"
#include "tests/unit/rag_indexing/plain_workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(MountsTest, HavePointSourceAndTheFolderOfTheSource) {
  const std::vector<Mount> mounts = parse_mounts(
      "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n"
      "40 22 8:17 / /media/anna/My\\040disk rw shared:5 - vfat /dev/sdb1 rw\n"
      "41 22 0:40 / /mnt/back\\134slash rw - nfs4 host:/x rw\n"
      "short line\n\n42 22 0:41 /sub /mnt/odd\\04 rw - tmpfs none rw\n"
      "43 22 8:33 / /mnt/back\\134slash rw - ext4 /dev/sdc1 rw");
  const auto is = [](const char* point, const char* source, const char* root) {
    return AllOf(Field(&Mount::point, point), Field(&Mount::source, source), Field(&Mount::inner_root, root));
  };
  EXPECT_THAT(mounts, ElementsAre(is("/media/anna/My disk", "/dev/sdb1", "/"), is("/mnt/back\\slash", "/dev/sdc1", "/"),
                                  is("/mnt/odd\\04", "none", "/sub")));
  EXPECT_THAT(parse_mounts(read_mountinfo()), Contains(Field(&Mount::point, "/proc")));
}

TEST(MountsTest, DrivesAreToldApartAndHoldNoName) {
  const Mount share{"/mnt/a", "host:/anna", "/"};
  EXPECT_EQ(drive_of(share), drive_of({"/mnt/b", "host:/anna", "/"})) << "wherever it is mounted";
  EXPECT_NE(drive_of(share), drive_of({"/mnt/a", "host:/ben", "/"}));
  EXPECT_NE(drive_of(share), drive_of({"/mnt/a", "host:/anna", "/sub"}));
  EXPECT_EQ(drive_of(share).find("anna"), std::string::npos);
}

TEST(DriveHistoryTest, TellsWhichDriveWasThereWhen) {
  DriveHistory history = DriveHistory::parse("true");
  EXPECT_TRUE(history.empty());
  EXPECT_EQ(history.at(5), "");
  history.add(0, "a");
  history.add(100, "b");
  history.add(200, "a");
  history.rename("b", "c");
  history = DriveHistory::parse(history.to_json());
  EXPECT_EQ(history.at(-1), "a");
  EXPECT_EQ(history.at(99), "a");
  EXPECT_EQ(history.at(100), "c");
  EXPECT_EQ(history.at(1000), "a");
  EXPECT_EQ(history.last(), "a");
  EXPECT_THAT(history.drives(), ElementsAre("a", "c"));
  for (int i = 0; i < 1000; ++i) history.add(300 + i, "d" + std::to_string(i));
  EXPECT_LE(history.drives().size(), 256u);
  for (const char* text : {"", "[", "{}", "[1]", R"([{"since_ms":"x","drive":"a"}])", R"([{"since_ms":1}])"}) {
    EXPECT_TRUE(DriveHistory::parse(text).empty()) << text;
  }
}

class DrivesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    workspace_ = open_plain_workspace(home_.path(), 2, "hashed");
    ASSERT_NE(workspace_, nullptr);
  }
  // As if a drive had been mounted there when it was indexed.
  void was_mounted_at(const std::string& folder) {
    ASSERT_TRUE(remember_drives(workspace_->catalogue(), {{folder, "a drive"}}, {docs_.path()}).ok());
  }
  // Drives that the tests' folders themselves lie on: many systems mount one at /tmp.
  size_t n_around() const { return drives_now({docs_.path()}).size(); }
  // What would be removed by a run that finds this drive mounted at the folder, by name, and where drives are missing.
  struct Lost {
    std::vector<std::string> removed;
    std::vector<AbsentDrive> absent;
  };
  Lost lost_with(const std::string& folder, const std::string& drive) {
    storage::Catalogue& catalogue = workspace_->catalogue();
    std::vector<DriveAt> here = drives_now({docs_.path()});
    here.push_back({folder, drive});
    EXPECT_TRUE(remember_drives(catalogue, here, {docs_.path()}).ok());
    std::vector<storage::DocumentState> missing =
        *catalogue.document_states(catalogue.find_collection("default")->id, docs_.path());
    std::erase_if(missing, [](const auto& state) { return fs::exists(state.path); });
    Lost lost;
    lost.absent = *take_out_absent_drives(catalogue, here, missing);
    for (const auto& state : missing) lost.removed.push_back(fs::path(state.path).filename().string());
    std::sort(lost.removed.begin(), lost.removed.end());
    return lost;
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
  ASSERT_TRUE(
      remember_drives(catalogue, {{docs_ / "usb", "a"}, {docs_ / "card", "b"}, {docs_.path(), "c"}}, {docs_.path()})
          .ok());
  const auto left_without = [&](const std::string& path) {
    EXPECT_TRUE(forget_drives(catalogue, path, storage::Catalogue::Members::kIncluded).ok());
    return catalogue.settings("drive.")->size();
  };
  EXPECT_EQ(left_without(docs_ / "elsewhere"), 3 + n_around());
  EXPECT_EQ(left_without(docs_ / "usb"), 2 + n_around()) << "the other, and the one that both lie on";
  EXPECT_EQ(left_without(docs_.path()), 0u);
}

TEST_F(DrivesTest, OnlyThoseThatTheFoldersTouchAreRemembered) {
  docs_.write("a.md", "The kettle is red.\n");
  storage::Catalogue& catalogue = workspace_->catalogue();
  const auto count = [&] { return catalogue.settings("drive.")->size(); };
  ASSERT_EQ(count(), 0u);
  ASSERT_TRUE(
      remember_drives(
          catalogue,
          {{"/mnt/elsewhere", "a"}, {docs_ / "inside", "b"}, {fs::path(docs_.path()).parent_path().string(), "c"}},
          {docs_.path()})
          .ok());
  EXPECT_EQ(count(), 2u) << "the one inside, and the one that it lies on";
  ASSERT_TRUE(remember_drives(catalogue, {{docs_ / "inside", "b"}}, {docs_.path()}).ok());
  EXPECT_EQ(count(), 2u);
}

// One stick is pulled, another is put in: it has the same mount point, and none of the files.
TEST_F(DrivesTest, WhatLiesOnADriveThatAnotherReplacesIsKept) {
  const std::string usb = docs_ / "usb";
  docs_.write("usb/a.md", "The kettle is red.\n");
  docs_.write("usb/b.md", "The stove is black.\n");
  run();
  EXPECT_THAT(lost_with(usb, "first").removed, IsEmpty());
  for (const char* name : {"usb/a.md", "usb/b.md"}) fs::remove(docs_ / name);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  docs_.write("usb/c.md", "The lamp is green.\n");
  docs_.write("usb/d.md", "The chair is blue.\n");
  docs_.write("usb/e.md", "The door is white.\n");
  const Lost replaced = lost_with(usb, "second");
  EXPECT_THAT(replaced.removed, IsEmpty());
  ASSERT_THAT(replaced.absent, SizeIs(1));
  EXPECT_EQ(replaced.absent[0].folder, usb);
  EXPECT_TRUE(replaced.absent[0].is_replaced);
}

TEST_F(DrivesTest, DrivesThatTakeTurnsKeepWhatIsTheirs) {
  const std::string usb = docs_ / "usb";
  storage::Catalogue& catalogue = workspace_->catalogue();
  const auto index_here = [&](const std::string& name) {
    docs_.write("usb/" + name, "The word is " + name + ".\n");
    IndexOptions options;
    options.paths = {docs_ / ("usb/" + name)};
    options.remember_roots = false;
    ASSERT_TRUE(Indexer(*workspace_).run(options).ok());
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  };
  for (const char* name : {"a1.md", "a2.md"}) index_here(name);
  EXPECT_THAT(lost_with(usb, "a").removed, IsEmpty());
  for (const char* name : {"a1.md", "a2.md"}) fs::remove(docs_ / (std::string("usb/") + name));
  EXPECT_THAT(lost_with(usb, "b").removed, IsEmpty());
  for (const char* name : {"b1.md", "b2.md", "b3.md"}) index_here(name);
  EXPECT_THAT(lost_with(usb, "b").removed, IsEmpty()) << "more of the second are there than of the first";
  fs::remove(docs_ / "usb/b3.md");
  EXPECT_THAT(lost_with(usb, "b").removed, ElementsAre("b3.md")) << "that was deleted";
  // The first again: of its own it lacks a2, which was deleted.
  for (const char* name : {"b1.md", "b2.md"}) fs::remove(docs_ / (std::string("usb/") + name));
  docs_.write("usb/a1.md", "The word is a1.md.\n");
  EXPECT_THAT(lost_with(usb, "a").removed, ElementsAre("a2.md"));
  EXPECT_EQ(catalogue.settings("drive.")->size(), 1 + n_around());
}

// FAT drives have no name that stays in every system: what is there says who it is.
TEST_F(DrivesTest, ADriveUnderAnotherNameIsKnownByItsFiles) {
  const std::string usb = docs_ / "usb";
  for (const char* name : {"usb/a.md", "usb/b.md", "usb/c.md"}) docs_.write(name, std::string("Of ") + name + ".\n");
  run();
  EXPECT_THAT(lost_with(usb, "first").removed, IsEmpty());
  fs::remove(docs_ / "usb/a.md");
  const Lost renamed = lost_with(usb, "the same by another name");
  EXPECT_THAT(renamed.removed, ElementsAre("a.md"));
  EXPECT_THAT(renamed.absent, IsEmpty());
}

// What a program of before remembers of a drive is that there was one.
TEST_F(DrivesTest, ADriveRememberedByAnOlderProgramIsTheOneThatIsThere) {
  const std::string usb = docs_ / "usb";
  docs_.write("usb/a.md", "The kettle is red.\n");
  run();
  storage::Catalogue& catalogue = workspace_->catalogue();
  const auto before = *catalogue.settings("drive.");
  was_mounted_at(usb);
  auto drives = *catalogue.settings("drive.");
  std::erase_if(drives, [&](const auto& drive) { return std::ranges::find(before, drive) != before.end(); });
  ASSERT_THAT(drives, SizeIs(1));
  ASSERT_TRUE(catalogue.put_setting(drives[0].first, "true").ok());
  fs::remove(docs_ / "usb/a.md");
  EXPECT_THAT(lost_with(usb, "first").removed, ElementsAre("a.md"));
}

// Another folder of the same place, which no file of the other drive is known of, says nothing about it.
TEST_F(DrivesTest, AnotherCollectionDoesNotTakeADriveForTheOneBefore) {
  const std::string usb = docs_ / "usb";
  docs_.write("usb/a.md", "The kettle is red.\n");
  run();
  EXPECT_THAT(lost_with(usb, "first").removed, IsEmpty());
  fs::remove(docs_ / "usb/a.md");
  ASSERT_TRUE(remember_drives(workspace_->catalogue(), {{usb, "second"}}, {docs_.path()}).ok());
  EXPECT_THAT(lost_with(usb, "second").removed, IsEmpty());
}

}  // namespace
}  // namespace mneme::rag
