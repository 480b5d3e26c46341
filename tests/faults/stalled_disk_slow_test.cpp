// A file or folder on a network that has stopped answering: indexing reports it, goes on with the rest, takes nothing
// for deleted, and finds everything when the network is back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>

#include "rag/indexing/indexer.h"
#include "rag/retrieval/retriever.h"
#include "rag/workspace.h"
#include "tests/faults/child.h"
#include "tests/faults/interpose.h"

namespace mneme::faults {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kPatience{5};  // what answers does so sooner, however busy the machine is
using ::testing::HasSubstr;
using ::testing::SizeIs;

class StalledDiskTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = scratch_folder("stall");
    write("a.txt", "The harbour crane lifts twelve tonnes.\n");
    write("b.txt", "The lantern of the pier is green.\n");
    write("far/c.txt", "The ferry to Tarnholm leaves at noon.\n");
    rag::WorkspaceOptions options;
    options.home = folder_ + "/home";
    options.embedder = "hashed";
    options.device = "cpu";
    options.n_threads = 1;
    auto opened = rag::Workspace::open(options);
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    workspace_ = std::move(*opened);
  }
  void TearDown() override {
    stall_on("");
    workspace_.reset();
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  std::string docs() const { return folder_ + "/docs"; }
  void write(const std::string& name, const std::string& text) {
    const fs::path path = fs::path(docs()) / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  rag::IndexReport index() {
    rag::IndexOptions options;
    options.paths = {docs()};
    options.n_threads = 1;
    options.limit_file_time = kPatience;
    auto report = rag::Indexer(*workspace_).run(options);
    EXPECT_TRUE(report.ok()) << report.status().message();
    return report.ok() ? *report : rag::IndexReport{};
  }
  bool finds(const std::string& words) {
    const auto found = rag::Retriever(*workspace_).search(words, {});
    return found.ok() && !found->hits.empty() && found->hits.front().text.find(words) != std::string::npos;
  }

  std::string folder_;
  std::unique_ptr<rag::Workspace> workspace_;
};

TEST_F(StalledDiskTest, AFileThatDoesNotAnswerCostsItselfAlone) {
  stall_on(docs() + "/b.txt");
  const rag::IndexReport report = index();
  EXPECT_EQ(report.documents, 2u);
  ASSERT_THAT(report.failed, SizeIs(1));
  EXPECT_EQ(report.failed[0].path, docs() + "/b.txt");
  EXPECT_THAT(report.failed[0].error, HasSubstr("network that does not answer"));
  EXPECT_TRUE(finds("twelve tonnes"));
  EXPECT_TRUE(finds("leaves at noon"));
  stall_on("");
  const rag::IndexReport again = index();
  EXPECT_EQ(again.documents, 1u);
  EXPECT_THAT(again.failed, SizeIs(0));
  EXPECT_TRUE(finds("is green"));
}

TEST_F(StalledDiskTest, AFolderThatDoesNotAnswerIsNotTakenForDeleted) {
  EXPECT_EQ(index().documents, 3u);
  write("b.txt", "The lantern of the pier is blue since May.\n");
  stall_on(docs() + "/far");
  const rag::IndexReport report = index();
  EXPECT_EQ(report.documents, 1u);
  EXPECT_EQ(report.removed, 0u);
  ASSERT_THAT(report.failed, SizeIs(1));
  EXPECT_EQ(report.failed[0].path, docs() + "/far");
  EXPECT_TRUE(finds("is blue"));
  EXPECT_TRUE(finds("leaves at noon"));
  stall_on("");
  const rag::IndexReport again = index();
  EXPECT_EQ(again.unchanged, 3u);
  EXPECT_EQ(again.removed, 0u);
  EXPECT_THAT(again.failed, SizeIs(0));
}

TEST_F(StalledDiskTest, AFolderNamedByTheUserThatDoesNotAnswerIsSaid) {
  stall_on(docs());
  rag::IndexOptions options;
  options.paths = {docs()};
  options.limit_file_time = kPatience;
  const auto report = rag::Indexer(*workspace_).run(options);
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_EQ(report->documents, 0u);
  ASSERT_THAT(report->failed, SizeIs(1));
  EXPECT_THAT(report->failed[0].error, HasSubstr("network that does not answer"));
}

}  // namespace
}  // namespace mneme::faults
