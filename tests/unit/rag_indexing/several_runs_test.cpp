// Several runs over one home at the same time: each file is read by one of them, and each says what it did.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <thread>
#include <vector>

#include "rag/indexing/document_writer.h"
#include "rag/indexing/file_claims.h"
#include "rag/indexing/index_failures.h"
#include "rag/indexing/indexer.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"
#include "storage/home.h"
#include "tests/unit/rag_indexing/plain_workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

class SeveralRunsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    workspace_ = open_plain_workspace(home_.path(), 2);
    ASSERT_NE(workspace_, nullptr);
  }

  IndexReport index(Workspace& workspace, const IndexCallbacks& callbacks = {}) {
    IndexOptions options;
    options.paths = {docs_.path()};
    auto report = Indexer(workspace).run(options, callbacks);
    EXPECT_TRUE(report.ok()) << report.status().message();
    return report.ok() ? *std::move(report) : IndexReport{};
  }

  FileClaims claims() {
    const auto collection = workspace_->catalogue().ensure_collection("default");
    return {workspace_->env(), storage::Home{home_.path()}.indexing_claims(), *collection};
  }

  TemporaryFolder home_;
  TemporaryFolder docs_;
  std::unique_ptr<Workspace> workspace_;
};

TEST_F(SeveralRunsTest, EachFileIsReadOnce) {
  constexpr uint64_t kFiles = 150;
  constexpr int kRuns = 3;
  for (uint64_t i = 0; i < kFiles; ++i) {
    docs_.write("f" + std::to_string(i) + ".md", "# Ferry " + std::to_string(i) + "\n\nIt leaves at noon.\n");
  }
  // A file that may still change within the tick of the clock in which it was written is read once more.
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  std::vector<std::unique_ptr<Workspace>> workspaces;
  for (int i = 0; i < kRuns; ++i) workspaces.push_back(open_plain_workspace(home_.path(), 2));
  std::vector<IndexReport> reports(kRuns);
  std::vector<std::thread> runs;
  for (size_t i = 0; i < kRuns; ++i) {
    runs.emplace_back([&, i] { reports[i] = index(*workspaces[i]); });
  }
  for (std::thread& run : runs) run.join();
  uint64_t read = 0;
  for (const IndexReport& report : reports) {
    read += report.documents;
    EXPECT_EQ(report.documents + report.unchanged, kFiles);
    EXPECT_EQ(report.removed, 0u);
    EXPECT_TRUE(report.failed.empty());
  }
  EXPECT_EQ(read, kFiles);
}

TEST_F(SeveralRunsTest, WhatAnotherReadsComesLast) {
  const std::string claimed = docs_.write("a.md", "# Ferry\n\nIt leaves at noon.\n");
  docs_.write("b.md", "# Owl\n\nIt hunts at night.\n");
  auto claim = claims().try_claim(claimed);
  ASSERT_TRUE(claim.has_value());
  std::atomic<bool> has_read_the_rest{false};
  IndexCallbacks callbacks;
  callbacks.progress = [&](const IndexProgress& progress) {
    if (progress.current_file.ends_with("b.md")) has_read_the_rest = true;
  };
  IndexReport report;
  std::thread run([&] { report = index(*workspace_, callbacks); });
  while (!has_read_the_rest) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  claim->reset();  // its process died without having written anything
  run.join();
  EXPECT_EQ(report.documents, 2u);
}

// What is missing when the plan is made may be found elsewhere by the other run, which reads the same folder.
TEST_F(SeveralRunsTest, ADocumentThatAnotherHasMovedIsNotRemoved) {
  const std::string path = docs_.write("a.md", "# Ferry\n\nIt leaves at noon.\n");
  index(*workspace_);
  storage::Catalogue& catalogue = workspace_->catalogue();
  const storage::CollectionId collection = *catalogue.ensure_collection("default");
  const auto states = catalogue.document_states(collection);
  ASSERT_EQ(states->size(), 1u);
  IndexWork work;
  work.plan.missing = *states;
  const storage::DocumentState& old = states->front();
  ASSERT_TRUE(catalogue.move_document(old.id, docs_ / "b.md", "b", old.file).ok());
  IndexReport report;
  const IndexCallbacks callbacks;
  IndexFailures failures(catalogue, collection, callbacks, report, nullptr);
  const chunking::ChunkerOptions sizes;
  const readers::ReadLimits limits;
  DocumentWriter writer({catalogue, collection, workspace_->embedder(), sizes, limits}, work, failures, report);
  ASSERT_TRUE(writer.remove_missing().ok());
  EXPECT_EQ(report.removed, 0u);
  EXPECT_TRUE(catalogue.document(old.id).ok());
}

TEST_F(SeveralRunsTest, AClaimGoesWithWhoMadeIt) {
  EXPECT_TRUE(claims().try_claim("/a").has_value());
  auto first = claims().try_claim("/a");
  ASSERT_TRUE(first.has_value());
  EXPECT_FALSE(claims().try_claim("/a").has_value());
  EXPECT_TRUE(claims().try_claim("/b").has_value());
  first->reset();
  EXPECT_TRUE(claims().try_claim("/a").has_value());
}

}  // namespace
}  // namespace mneme::rag
