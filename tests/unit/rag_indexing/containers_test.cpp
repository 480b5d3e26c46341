// Archives and mailboxes on their way into the catalogue: document by document, cut off and gone on with, read again
// when something was added, and moved.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "rag/embedding/hashed_embedder.h"
#include "rag/indexing/document_writer.h"
#include "rag/indexing/file_loaders.h"
#include "rag/indexing/indexer.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"
#include "tests/support/make_files.h"
#include "tests/unit/rag_indexing/plain_workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::SizeIs;

constexpr size_t kMostDocumentsOfABatch = 32;

std::string message(const std::string& subject, const std::string& body) {
  return "From a@b.example Mon Jan  1 10:00:00 2024\nSubject: " + subject + "\n\n" + body + "\n\n";
}

// Letters from the first to the last number.
std::string mailbox(int first, int last) {
  std::string all;
  for (int i = first; i <= last; ++i) {
    all += message("Letter " + std::to_string(i), "The ferry number " + std::to_string(i) + " leaves at noon.");
  }
  return all;
}

FoundFile found(const std::string& path) {
  FoundFile file;
  file.path = path;
  file.state.size_bytes = fs::file_size(path);
  file.state.mtime_ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(fs::last_write_time(path).time_since_epoch()).count();
  return file;
}

class ContainersTest : public ::testing::Test {
 protected:
  void SetUp() override {
    workspace_ = open_plain_workspace(home_.path(), 2);
    ASSERT_NE(workspace_, nullptr);
  }

  storage::Catalogue& catalogue() { return workspace_->catalogue(); }

  IndexReport index(const IndexCallbacks& callbacks = {}) {
    IndexOptions options;
    options.paths = {docs_.path()};
    auto report = Indexer(*workspace_).run(options, callbacks);
    EXPECT_TRUE(report.ok()) << report.status().message();
    return report.ok() ? *std::move(report) : IndexReport{};
  }

  std::vector<storage::DocumentState> states() {
    const auto collection = catalogue().find_collection("default");
    if (!collection.ok()) return {};
    auto states = catalogue().document_states(collection->id);
    return states.ok() ? *std::move(states) : std::vector<storage::DocumentState>{};
  }
  std::vector<std::string> paths() {
    std::vector<std::string> all;
    for (const storage::DocumentState& state : states()) all.push_back(state.path);
    return all;
  }
  // The passages of each document, by path.
  std::map<std::string, std::vector<storage::ChunkId>> chunks() {
    std::map<std::string, std::vector<storage::ChunkId>> all;
    for (const storage::DocumentState& state : states()) {
      const auto chunks = catalogue().document_chunks(state.id);
      for (const storage::ChunkRecord& chunk : *chunks) all[state.path].push_back(chunk.id);
    }
    return all;
  }

  TemporaryFolder home_;
  TemporaryFolder docs_;
  std::unique_ptr<Workspace> workspace_;
};

std::vector<LoadedBatch> load(const FoundFile& file, const readers::ReadLimits& limits = {},
                              std::atomic<uint64_t>* bytes_read = nullptr,
                              const std::function<void(const LoadedBatch&)>& look = {}) {
  const HashedEmbedder embedder(64);
  const chunking::ChunkerOptions sizes;
  std::vector<LoadedBatch> batches;
  load_file({.file = file, .limits = limits, .embedder = embedder, .sizes = sizes, .bytes_read = bytes_read},
            [&](LoadedBatch batch) {
              if (look) look(batch);
              batches.push_back(std::move(batch));
              return Status();
            });
  return batches;
}

TEST_F(ContainersTest, DocumentsAreGivenOnAsTheyCome) {
  std::string box = mailbox(1, 100);
  for (int i = 101; i <= 130; ++i) box += message("Long letter", std::string(300'000, 'x'));
  const FoundFile file = found(docs_.write("all.mbox", box));
  std::atomic<uint64_t> bytes_read{0};
  std::vector<uint64_t> read_by_then;
  const std::vector<LoadedBatch> batches =
      load(file, {}, &bytes_read, [&](const LoadedBatch&) { read_by_then.push_back(bytes_read); });
  ASSERT_GT(batches.size(), 4u);
  size_t n_documents = 0;
  for (size_t i = 0; i < batches.size(); ++i) {
    EXPECT_EQ(batches[i].is_first, i == 0);
    EXPECT_EQ(batches[i].is_last, i + 1 == batches.size());
    EXPECT_LE(batches[i].documents.size(), kMostDocumentsOfABatch);
    EXPECT_EQ(batches[i].content_hash, batches[0].content_hash);
    n_documents += batches[i].documents.size();
  }
  EXPECT_EQ(n_documents, 130u);
  EXPECT_LT(read_by_then[0], box.size() / 2) << "the first come before the mailbox has been read to its end";
  EXPECT_EQ(bytes_read, box.size());
}

TEST_F(ContainersTest, AFileThatIsOneDocumentComesInOneBatchHoweverLong) {
  std::string text;
  while (text.size() < (6u << 20)) text += "The ferry number " + std::to_string(text.size()) + " leaves at noon.\n\n";
  const std::vector<LoadedBatch> batches = load(found(docs_.write("long.md", text)));
  ASSERT_THAT(batches, SizeIs(1));
  EXPECT_TRUE(batches[0].is_first && batches[0].is_last);
}

TEST_F(ContainersTest, NobodyWhoWantsNoMoreGetsMore) {
  const FoundFile file = found(docs_.write("all.mbox", mailbox(1, 200)));
  const HashedEmbedder embedder(64);
  const chunking::ChunkerOptions sizes;
  const readers::ReadLimits limits;
  std::vector<LoadedBatch> batches;
  load_file({.file = file, .limits = limits, .embedder = embedder, .sizes = sizes}, [&](LoadedBatch batch) {
    batches.push_back(std::move(batch));
    return cancelled();
  });
  ASSERT_THAT(batches, SizeIs(2));
  EXPECT_TRUE(batches[1].is_last);
  EXPECT_EQ(batches[1].status.code(), StatusCode::kCancelled);
  EXPECT_THAT(batches[1].documents, IsEmpty());
}

TEST_F(ContainersTest, LongTextsComeInPartsWithTheLinesOfTheFile) {
  std::string log;
  for (int i = 1; i <= 3000; ++i) log += "2024-01-01 host ferry: departure " + std::to_string(i) + "\n";
  readers::ReadLimits limits;
  limits.text_bytes = 80'000;
  const FoundFile file = found(docs_.write("ferry.log", log));
  int line = 0;
  std::vector<std::string> paths;
  for (const LoadedBatch& batch : load(file, limits)) {
    EXPECT_TRUE(batch.status.ok()) << batch.status.message();
    for (const LoadedDocument& loaded : batch.documents) {
      paths.push_back(loaded.document.record.path);
      for (const storage::NewChunk& chunk : loaded.document.chunks) {
        EXPECT_EQ(chunk.line_begin, line + 1);
        EXPECT_THAT(chunk.text, HasSubstr("departure " + std::to_string(chunk.line_begin) + "\n"));
        line = chunk.line_end;
      }
    }
  }
  EXPECT_EQ(line, 3000);
  EXPECT_THAT(paths, Contains(docs_ / "ferry.log!/part 2"));
}

// What a run leaves behind that ended, however, while the members of a container were stored.
TEST_F(ContainersTest, CutOffBetweenItsBatchesItIsReadAnewAndNothingVanishes) {
  docs_.write("all.mbox", mailbox(1, 100));
  EXPECT_EQ(index().documents, 100u);
  // Sixty other letters, of which the first batch is stored.
  const std::string path = docs_.write("all.mbox", mailbox(201, 260));
  std::vector<LoadedBatch> batches = load(found(path));
  ASSERT_GT(batches.size(), 1u);
  {
    const auto collection = catalogue().ensure_collection("default");
    IndexReport report;
    const IndexCallbacks callbacks;
    IndexFailures failures(catalogue(), *collection, callbacks, report);
    const readers::ReadLimits limits;
    const IndexWork work;
    const chunking::ChunkerOptions sizes;
    DocumentWriter writer({catalogue(), *collection, workspace_->embedder(), sizes, limits}, work, failures, report);
    PlannedFile planned;
    planned.file = batches[0].file;
    planned.known = states();
    ASSERT_TRUE(writer.store(planned, std::move(batches[0])).ok());
    EXPECT_EQ(report.documents, kMostDocumentsOfABatch);
    EXPECT_EQ(report.removed, 0u);
  }
  EXPECT_THAT(states(), SizeIs(100)) << "what has not come yet is not gone";
  const IndexReport report = index();
  EXPECT_EQ(report.documents + report.unchanged, 60u);
  EXPECT_EQ(report.removed, 40u);
  EXPECT_THAT(states(), SizeIs(60));
  const IndexReport again = index();
  EXPECT_EQ(again.documents, 0u);
  EXPECT_EQ(again.unchanged, 60u);
}

TEST_F(ContainersTest, OneThatCannotBeReadToItsEndKeepsWhatCameAndNeverCountsAsRead) {
  readers::test::Members members;
  for (int i = 0; i < 40; ++i)
    members.emplace_back(std::to_string(i) + ".md", "Note number " + std::to_string(i) + "\n");
  // A bomb behind them: over all that this file may unpack to.
  members.emplace_back("bomb.txt", std::string(size_t{1} << 20, '0'));
  readers::ReadLimits limits;
  limits.unpacked_bytes = 1 << 19;
  const FoundFile file = found(docs_.write("all.zip", readers::test::make_zip(members)));
  std::vector<LoadedBatch> batches = load(file, limits);
  EXPECT_EQ(batches.back().status.code(), StatusCode::kResource);
  const auto collection = catalogue().ensure_collection("default");
  IndexReport report;
  const IndexCallbacks callbacks;
  IndexFailures failures(catalogue(), *collection, callbacks, report);
  const IndexWork work;
  const chunking::ChunkerOptions sizes;
  DocumentWriter writer({catalogue(), *collection, workspace_->embedder(), sizes, limits}, work, failures, report);
  PlannedFile planned;
  planned.file = file;
  for (LoadedBatch& batch : batches) ASSERT_TRUE(writer.store(planned, std::move(batch)).ok());
  ASSERT_THAT(report.failed, SizeIs(1));
  EXPECT_EQ(report.failed[0].path, file.path);
  EXPECT_THAT(states(), SizeIs(40));
  EXPECT_EQ(index().documents + index().unchanged, 82u) << "read anew, by the usual limits";
}

TEST_F(ContainersTest, OfAMailboxWithNewMailTheOldIsNeitherEmbeddedNorStoredAgain) {
  docs_.write("all.mbox", mailbox(1, 100));
  EXPECT_EQ(index().documents, 100u);
  const auto before = chunks();
  docs_.write("all.mbox", mailbox(1, 103));
  const IndexReport report = index();
  EXPECT_EQ(report.documents, 3u);
  EXPECT_EQ(report.unchanged, 100u);
  EXPECT_EQ(report.removed, 0u);
  const auto after = chunks();
  ASSERT_EQ(after.size(), 103u);
  EXPECT_THAT(after, IsSupersetOf(before)) << "passages keep their ids, and so their vectors and KV";
  EXPECT_EQ(index().unchanged, 103u) << "and the file counts as read";
}

TEST_F(ContainersTest, WhatChangedInAContainerIsStoredAndWhatVanishedGoes) {
  docs_.write("all.zip", readers::test::make_zip(
                             {{"a.md", "# A\n\nOne.\n"}, {"b.md", "# B\n\nTwo.\n"}, {"c.md", "# C\n\nThree.\n"}}));
  EXPECT_EQ(index().documents, 3u);
  const auto before = chunks();
  docs_.write("all.zip", readers::test::make_zip({{"a.md", "# A\n\nOne.\n"}, {"b.md", "# B\n\nTwo and a half.\n"}}));
  const IndexReport report = index();
  EXPECT_EQ(report.documents, 1u);
  EXPECT_EQ(report.unchanged, 1u);
  EXPECT_EQ(report.removed, 1u);
  auto after = chunks();
  EXPECT_EQ(after[docs_ / "all.zip!/a.md"], before.at(docs_ / "all.zip!/a.md"));
  EXPECT_NE(after[docs_ / "all.zip!/b.md"], before.at(docs_ / "all.zip!/b.md"));
  EXPECT_THAT(after, SizeIs(2));
}

TEST_F(ContainersTest, AMovedOneIsReadWhereItCameTo) {
  docs_.write("mail/all.mbox", mailbox(1, 70));
  const std::string letter =
      "From: a@b\nSubject: Two\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=X\n\n"
      "--X\nContent-Type: text/plain\n\nSee below.\n--X\nContent-Type: text/plain\n"
      "Content-Disposition: attachment; filename=a.txt\n\nThe attachment.\n--X--\n";
  docs_.write("mail/letter.eml", letter);
  EXPECT_EQ(index().documents, 72u);
  fs::rename(docs_ / "mail", docs_ / "moved");
  const IndexReport report = index();
  EXPECT_EQ(report.removed, 72u);
  const std::vector<std::string> all = paths();
  EXPECT_THAT(all, SizeIs(72));
  for (const char* path : {"moved/all.mbox!/message 70", "moved/letter.eml", "moved/letter.eml!/a.txt"}) {
    EXPECT_THAT(all, Contains(docs_ / path));
  }
  EXPECT_EQ(index().unchanged, 72u);
}

TEST_F(ContainersTest, AMemberThatFailedIsForgottenWhenItFailsNoMore) {
  using readers::test::make_zip;
  docs_.write("all.zip", make_zip({{"a.md", "# A\n"}, {"b.docx", "no package"}, {"c.docx", "none either"}}));
  EXPECT_THAT(index().failed, SizeIs(2));
  docs_.write("all.zip", make_zip({{"a.md", "# A\n"}, {"c.docx", "none even now"}}));
  EXPECT_THAT(index().failed, SizeIs(1));
  const auto failures = catalogue().failures(catalogue().find_collection("default")->id);
  ASSERT_THAT(*failures, SizeIs(1));
  EXPECT_EQ((*failures)[0].path, docs_ / "all.zip!/c.docx");
}

TEST_F(ContainersTest, EachForgetsTheFailuresOfItsOwnMembers) {
  using readers::test::make_zip;
  const auto write_both = [&](const readers::test::Members& members) {
    docs_.write("all.zip", make_zip(members));
    docs_.write("all.zip2.zip", make_zip(members));
  };
  write_both({{"a.md", "# A\n"}, {"b.docx", "no package"}, {"c.docx", "none either"}});
  EXPECT_THAT(index().failed, SizeIs(4));
  docs_.write("all.zip", make_zip({{"a.md", "# A\n"}}));
  EXPECT_THAT(index().failed, IsEmpty());
  const auto failures = catalogue().failures(catalogue().find_collection("default")->id);
  ASSERT_THAT(*failures, SizeIs(2));
  EXPECT_EQ((*failures)[0].path, docs_ / "all.zip2.zip!/b.docx");
  write_both({{"a.md", "# A\n"}, {"c.docx", "none even now"}});
  EXPECT_THAT(index().failed, SizeIs(2));
  EXPECT_THAT(*catalogue().failures(catalogue().find_collection("default")->id), SizeIs(2));
}

TEST_F(ContainersTest, ProgressGoesOnWithinAFileAndEndsWithAllOfIt) {
  docs_.write("all.mbox", mailbox(1, 500));
  docs_.write("empty.md", "");
  docs_.write("a.md", "Ferries leave at noon.\n");
  IndexProgress last;
  IndexCallbacks callbacks;
  callbacks.progress = [&](const IndexProgress& progress) {
    EXPECT_GE(progress.bytes_done, last.bytes_done);
    last = progress;
  };
  EXPECT_EQ(index(callbacks).documents, 501u);
  EXPECT_EQ(last.bytes_done, last.bytes_total);
  EXPECT_EQ(last.documents_done, 3u);
}

// A run that is paused waits between the batches of a container, and goes on where it was.
TEST_F(ContainersTest, APausedRunWaitsWithinAContainer) {
  IndexGate gate(*workspace_, true);
  PlannedFile planned;
  planned.file = found(docs_.write("all.mbox", mailbox(1, 3000)));
  IndexWork work;
  work.plan.work = {planned};
  const chunking::ChunkerOptions sizes;
  const storage::CollectionId collection = *catalogue().ensure_collection("default");
  const FileClaims claims(workspace_->env(), home_.path() + "/indexing.claims", collection);
  FileLoaders loaders(
      {work, catalogue(), collection, claims, workspace_->embedder(), sizes, {}, gate, never_cancelled()}, 1);
  std::vector<LoadedBatch> batches;
  const auto take = [&](std::chrono::milliseconds patience) {
    auto loaded = loaders.next(patience);
    if (loaded) batches.push_back(std::move(loaded->second));
    return loaded.has_value();
  };
  ASSERT_TRUE(take(std::chrono::hours(1)));
  IndexControl control(*workspace_);
  ASSERT_TRUE(control.pause().ok());
  while (!gate.paused()) gate.look();
  // What the queue held, and what was on its way into it.
  while (take(std::chrono::milliseconds(100))) {
  }
  EXPECT_FALSE(batches.back().is_last) << "there is more to come";
  ASSERT_TRUE(control.resume().ok());
  while (gate.paused()) gate.look();
  while (take(std::chrono::hours(1))) {
  }
  EXPECT_TRUE(batches.back().is_last);
  size_t n_documents = 0;
  for (const LoadedBatch& batch : batches) n_documents += batch.documents.size();
  EXPECT_EQ(n_documents, 3000u);
}

}  // namespace
}  // namespace mneme::rag
