// Runs that wait, go on, and read first what is asked for.
#include "rag/indexing/index_control.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <thread>

#include "rag/indexing/indexer.h"
#include "rag/indexing/work_order.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"
#include "storage/env/file_env.h"
#include "tests/unit/rag_indexing/plain_workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class IndexControlTest : public ::testing::Test {
 protected:
  void SetUp() override {
    workspace_ = open_plain_workspace(home_.path(), 2);
    ASSERT_NE(workspace_, nullptr);
  }

  storage::Catalogue& catalogue() { return workspace_->catalogue(); }

  TemporaryFolder home_;
  TemporaryFolder docs_;
  std::unique_ptr<Workspace> workspace_;
};

void look_late(IndexGate& gate) {
  gate.look();
  std::this_thread::sleep_for(IndexGate::kLookEvery + std::chrono::milliseconds(5));
  gate.look();
}

TEST_F(IndexControlTest, ARunWaitsUntilItMayGoOn) {
  for (int i = 0; i < 5; ++i) docs_.write("f" + std::to_string(i) + ".txt", "Ferries leave at noon.\n");
  IndexControl control(*workspace_);
  ASSERT_TRUE(control.pause().ok());
  std::atomic<bool> waits{false};
  std::atomic<uint64_t> done_while_waiting{0};
  IndexCallbacks callbacks;
  callbacks.progress = [&](const IndexProgress& progress) {
    if (!progress.paused) return;
    waits = true;
    done_while_waiting = progress.documents_done;
  };
  Result<IndexReport> report = IndexReport{};
  std::thread run([&] {
    IndexOptions options;
    options.paths = {docs_.path()};
    options.respect_pause = true;
    report = Indexer(*workspace_).run(options, callbacks);
  });
  while (!waits) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(done_while_waiting, 0u);
  ASSERT_TRUE(control.resume().ok());
  run.join();
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_EQ(report->documents, 5u);
}

TEST_F(IndexControlTest, BeginningAnewLiftsAPause) {
  docs_.write("a.txt", "One.\n");
  IndexControl control(*workspace_);
  ASSERT_TRUE(control.pause().ok());
  IndexOptions options;
  options.paths = {docs_.path()};
  ASSERT_TRUE(Indexer(*workspace_).run(options).ok());
  EXPECT_FALSE(*control.paused());
}

TEST_F(IndexControlTest, ACancelledRunWaitsNoLonger) {
  ASSERT_TRUE(IndexControl(*workspace_).pause().ok());
  const IndexGate gate(*workspace_, true);
  EXPECT_TRUE(gate.paused());
  CancelToken cancel;
  cancel.cancel();
  gate.wait_while_paused(cancel);
}

TEST_F(IndexControlTest, TheGateHearsOfPausesAndQuestionsOfOthers) {
  IndexControl control(*workspace_);
  ASSERT_TRUE(control.want("Where is the kettle?").ok());
  EXPECT_FALSE(control.running());
  EXPECT_FALSE(catalogue().setting("indexing.wanted")->has_value()) << "nobody listens, so nothing is written";
  ASSERT_TRUE(catalogue().put_setting("indexing.wanted", R"(["lamp"])").ok());
  {
    IndexGate gate(*workspace_, false);
    look_late(gate);
    EXPECT_THAT(gate.take_wanted(), IsEmpty()) << "of before";
    EXPECT_TRUE(control.running());
    ASSERT_TRUE(control.want("Where are the kettles of Arnmouth?").ok());
    ASSERT_TRUE(control.pause().ok());
    look_late(gate);
    EXPECT_TRUE(gate.paused());
    EXPECT_THAT(gate.take_wanted(), ElementsAre("kettl", "arnmouth"));
    EXPECT_THAT(gate.take_wanted(), IsEmpty());
    ASSERT_TRUE(control.resume().ok());
    look_late(gate);
    EXPECT_FALSE(gate.paused());
    EXPECT_GE(gate.waited(), IndexGate::kLookEvery);
  }
  EXPECT_FALSE(control.running());
}

TEST_F(IndexControlTest, ARunIsKnownWhileItLastsWhateverTheClockSays) {
  const IndexControl control(*workspace_);
  const std::string lock = home_.path() + "/indexing.lock";
  // As a run of an older version, killed while the clock was ahead, left it.
  ASSERT_TRUE(catalogue().put_setting("indexing.active", "99999999999999").ok());
  EXPECT_FALSE(control.running());
  EXPECT_FALSE(std::filesystem::exists(lock)) << "asking leaves nothing behind";
  // Another process's; how it ends makes no difference to a lock (tests/unit/storage/lock_test.cpp).
  auto run = storage::FileEnv::posix().try_lock(lock);
  ASSERT_TRUE(run.ok());
  EXPECT_TRUE(control.running());
  EXPECT_TRUE(control.running()) << "who asks is not in the way of who asks next";
  run->reset();
  EXPECT_FALSE(control.running());
  EXPECT_TRUE(std::filesystem::exists(lock)) << "its file stays and says nothing";
}

TEST_F(IndexControlTest, ASecondRunIsKnownWhenTheFirstHasEnded) {
  const IndexControl control(*workspace_);
  auto first = std::make_unique<IndexGate>(*workspace_, false);
  look_late(*first);
  IndexGate second(*workspace_, false);
  look_late(second);
  EXPECT_TRUE(control.running());
  first.reset();
  EXPECT_FALSE(control.running());
  look_late(second);
  EXPECT_TRUE(control.running());
}

std::vector<PlannedFile> files(const std::vector<std::string>& paths) {
  std::vector<PlannedFile> work;
  for (const std::string& path : paths) {
    work.emplace_back();
    work.back().file.path = path;
  }
  return work;
}

std::vector<size_t> rest_of(WorkOrder& order) {
  std::vector<size_t> rest;
  while (const std::optional<size_t> item = order.next()) rest.push_back(*item);
  return rest;
}

TEST(WorkOrder, GivesEachFileOnceInOrder) {
  const auto work = files({"/a", "/b", "/c"});
  WorkOrder order(work);
  EXPECT_THAT(rest_of(order), ElementsAre(0, 1, 2));
  EXPECT_FALSE(order.next().has_value());
  const std::vector<PlannedFile> none;
  WorkOrder empty(none);
  EXPECT_FALSE(empty.next().has_value());
}

TEST(WorkOrder, WhatIsAskedForComesFirst) {
  const auto work = files({"/d/kettle.md", "/d/b.md", "/d/museum-opening.md", "/d/c.md", "/d/Kettles-of-museum.txt"});
  WorkOrder order(work);
  EXPECT_EQ(order.next(), 0u);
  const std::vector<std::string> stems = {"kettl", "museum"};
  EXPECT_EQ(order.prefer(stems), 2u) << "the first has been given out";
  EXPECT_THAT(rest_of(order), ElementsAre(4, 2, 1, 3));
  EXPECT_EQ(order.prefer(stems), 0u);
  EXPECT_EQ(order.prefer({}), 0u);
}

}  // namespace
}  // namespace mneme::rag
