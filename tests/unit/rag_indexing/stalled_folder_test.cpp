// Files and folders that do not answer, as on a network that is gone: the calls below stand in for the C library's and
// hang where a test says so. The rest is indexed, and what hangs is reported.
#include <dirent.h>
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "rag/indexing/indexer.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"
#include "tests/unit/rag_indexing/plain_workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace {

std::atomic<ino_t> stalled{0};  // the file or folder that does not answer; 0: all do
std::atomic<int> hanging{0};

void hang_if_stalled(ino_t inode) {
  if (inode == 0 || inode != stalled.load()) return;
  ++hanging;
  while (stalled.load() == inode) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  --hanging;
}

ino_t inode_of(const char* path) {
  struct stat s;
  return ::stat(path, &s) == 0 ? s.st_ino : 0;
}

}  // namespace

extern "C" ssize_t read(int fd, void* bytes, size_t size) {
  if (stalled.load() != 0) {
    struct stat s;
    if (::fstat(fd, &s) == 0) hang_if_stalled(s.st_ino);
  }
  return ::syscall(SYS_read, fd, bytes, size);
}

extern "C" DIR* opendir(const char* path) {
  static const auto real = reinterpret_cast<DIR* (*)(const char*)>(::dlsym(RTLD_NEXT, "opendir"));
  if (stalled.load() != 0) hang_if_stalled(inode_of(path));
  return real(path);
}

namespace mneme::rag {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

class StalledFolderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    workspace_ = open_plain_workspace(home_.path(), 2);
    ASSERT_NE(workspace_, nullptr);
  }
  // What hung goes on and ends before the folders are removed.
  void TearDown() override { answer_again(); }
  static void answer_again() {
    stalled = 0;
    while (hanging > 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }

  IndexReport index() {
    IndexOptions options;
    options.paths = {docs_.path()};
    options.limit_file_time = std::chrono::seconds(5);  // what answers does so sooner, however busy the machine is
    auto report = Indexer(*workspace_).run(options);
    EXPECT_TRUE(report.ok()) << report.status().message();
    return report.ok() ? *std::move(report) : IndexReport{};
  }
  size_t n_documents() {
    const auto collection = workspace_->catalogue().find_collection("default");
    return workspace_->catalogue().list_documents(collection->id)->size();
  }

  TemporaryFolder home_;
  TemporaryFolder docs_;
  std::unique_ptr<Workspace> workspace_;
};

TEST_F(StalledFolderTest, AFileThatDoesNotAnswerIsReportedAndTheRestGoesOn) {
  docs_.write("a.md", "Ferries leave at noon.\n");
  docs_.write("b.md", "The lighthouse is white.\n");
  stalled = inode_of((docs_ / "a.md").c_str());
  const IndexReport report = index();
  EXPECT_EQ(report.documents, 1u);
  ASSERT_THAT(report.failed, SizeIs(1));
  EXPECT_EQ(report.failed[0].path, docs_ / "a.md");
  EXPECT_THAT(report.failed[0].error, HasSubstr("does not answer"));
  answer_again();
  docs_.write("a.md", "Ferries leave at noon and at six.\n");
  EXPECT_EQ(index().documents, 1u) << "once it answers it is read";
}

TEST_F(StalledFolderTest, AFolderThatDoesNotAnswerLosesNothing) {
  docs_.write("near/a.md", "Ferries leave at noon.\n");
  docs_.write("far/b.md", "The lighthouse is white.\n");
  EXPECT_EQ(index().documents, 2u);
  docs_.write("near/a.md", "Ferries leave at noon and at six.\n");
  stalled = inode_of((docs_ / "far").c_str());
  const IndexReport report = index();
  EXPECT_EQ(report.documents, 1u) << "the rest goes on";
  EXPECT_EQ(report.removed, 0u) << "what cannot be seen is not gone";
  ASSERT_THAT(report.failed, SizeIs(1));
  EXPECT_THAT(report.failed[0].error, HasSubstr("does not answer"));
  EXPECT_EQ(n_documents(), 2u);
}

TEST_F(StalledFolderTest, CancellingDoesNotWaitForIt) {
  docs_.write("a.md", "Ferries leave at noon.\n");
  stalled = inode_of((docs_ / "a.md").c_str());
  CancelToken cancel;
  IndexOptions options;
  options.paths = {docs_.path()};
  std::thread user([&] {
    while (hanging == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    cancel.cancel();
  });
  const auto report = Indexer(*workspace_).run(options, {}, cancel);
  user.join();
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_TRUE(report->interrupted);
}

}  // namespace
}  // namespace mneme::rag
