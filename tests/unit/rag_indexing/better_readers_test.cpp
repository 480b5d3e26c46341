// What was read by an earlier version of a reader is read again, once.
#include "rag/indexing/better_readers.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rag/indexing/indexer.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"
#include "tests/unit/rag_indexing/plain_workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

class BetterReadersTest : public ::testing::Test {
 protected:
  void SetUp() override {
    workspace_ = open_plain_workspace(home_.path(), 1);
    ASSERT_NE(workspace_, nullptr);
    docs_.write("ferry.md", "# Ferry\n\nIt leaves at noon.\n");
    docs_.write("prices.csv", "what,price\nferry,24\n");
    std::this_thread::sleep_for(std::chrono::milliseconds(60));  // what was just written is read once more anyway
    EXPECT_EQ(index().documents, 2U);
  }

  IndexReport index() {
    IndexOptions options;
    options.paths = {docs_.path()};
    options.kv = KvPolicy::kOff;
    auto report = Indexer(*workspace_).run(options, {});
    EXPECT_TRUE(report.ok()) << report.status().message();
    return report.ok() ? *std::move(report) : IndexReport{};
  }

  TemporaryFolder home_;
  TemporaryFolder docs_;
  std::unique_ptr<Workspace> workspace_;
};

TEST_F(BetterReadersTest, DocumentsOfTheirFormatsAreReadAgainOnce) {
  EXPECT_EQ(index().bytes, 0U) << "nothing has changed";
  const int next = better_readers().back().version + 1;
  const std::array<BetterReader, 1> better = {{{next, "markdown"}}};
  ASSERT_TRUE(mark_for_better_readers(workspace_->catalogue(), better).ok());
  const IndexReport again = index();
  EXPECT_EQ(again.bytes, std::string("# Ferry\n\nIt leaves at noon.\n").size()) << "the one that is read better";
  EXPECT_EQ(again.documents, 0U) << "it reads as before, so nothing is stored anew";
  EXPECT_EQ(again.unchanged, 2U);
  ASSERT_TRUE(mark_for_better_readers(workspace_->catalogue(), better).ok());
  EXPECT_EQ(index().bytes, 0U) << "once";
}

TEST_F(BetterReadersTest, WhatIsMarkedIsStillKnown) {
  const int next = better_readers().back().version + 1;
  const std::array<BetterReader, 1> better = {{{next, "markdown"}}};
  ASSERT_TRUE(mark_for_better_readers(workspace_->catalogue(), better).ok());
  const auto collection = workspace_->catalogue().find_collection("default");
  ASSERT_TRUE(collection.ok());
  const auto states = workspace_->catalogue().document_states(collection->id);
  ASSERT_TRUE(states.ok());
  EXPECT_EQ(states->size(), 2U);
}

}  // namespace
}  // namespace mneme::rag
