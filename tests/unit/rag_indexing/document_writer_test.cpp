// What of a run reaches the catalogue, also when it is cut off.
#include "rag/indexing/document_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rag/indexing/indexer.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"
#include "storage/env/memory_env.h"
#include "tests/support/make_files.h"
#include "tests/unit/rag_indexing/plain_workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// On a disk in memory; null where a planned fault came first.
std::unique_ptr<Workspace> open_on(storage::FileEnv& env) {
  WorkspaceOptions options;
  options.home = "/home";
  options.model = "none";
  options.embedder = "hashed";
  options.n_threads = 1;
  options.env = &env;
  auto opened = Workspace::open(options);
  return opened.ok() ? *std::move(opened) : nullptr;
}

Result<IndexReport> index(Workspace& workspace, const std::string& path) {
  IndexOptions options;
  options.paths = {path};
  return Indexer(workspace).run(options);
}

size_t n_documents(Workspace& workspace) {
  const auto collection = workspace.catalogue().find_collection("default");
  if (!collection.ok()) return 0;
  const auto states = workspace.catalogue().document_states(collection->id, "");
  return states.ok() ? states->size() : 0;
}

// A process that dies while it stores the members of an archive, at every so many changes of the disk.
void expect_read_to_its_end(int n_members, int64_t step) {
  readers::test::Members members;
  for (int i = 0; i < n_members; ++i) {
    members.emplace_back("part " + std::to_string(i) + ".md", "Part " + std::to_string(i) + " tells of ferries.\n");
  }
  const TemporaryFolder docs;
  docs.write("all.zip", readers::test::make_zip(members));
  bool fired = true;
  for (int64_t operation = 0; fired; operation += step) {
    storage::FaultPlan plan;
    storage::MemoryEnv env(&plan);
    {
      const auto workspace = open_on(env);
      ASSERT_NE(workspace, nullptr);
      plan.arm(storage::FaultKind::kCrash, operation);
      (void)index(*workspace, docs.path());
      fired = plan.fired();
    }
    plan.clear();
    const auto workspace = open_on(env);
    ASSERT_NE(workspace, nullptr) << operation;
    const auto report = index(*workspace, docs.path());
    ASSERT_TRUE(report.ok()) << report.status().message();
    ASSERT_EQ(n_documents(*workspace), members.size()) << "cut off before change " << operation;
    const auto again = index(*workspace, docs.path());
    ASSERT_TRUE(again.ok()) << again.status().message();
    ASSERT_EQ(again->unchanged, members.size());
  }
}

TEST(DocumentWriter, AnArchiveThatWasCutOffIsReadToItsEnd) {
  expect_read_to_its_end(5, 3);
}

TEST(DocumentWriter, AnArchiveOfSeveralBatchesThatWasCutOffIsReadToItsEnd) {
  expect_read_to_its_end(70, 97);
}

// A writer by itself, for what two programs on one home do to each other.
class WriterBed {
 public:
  explicit WriterBed(const readers::ReadLimits& limits = {})
      : limits_(limits),
        workspace_(open_plain_workspace(home_.path())),
        collection_(*workspace_->catalogue().ensure_collection("default")),
        failures_(workspace_->catalogue(), collection_, callbacks_, report_) {}

  PlannedFile file(const std::string& name, const std::string& text) {
    PlannedFile planned;
    planned.file.path = docs_.write(name, text);
    planned.file.state.size_bytes = text.size();
    return planned;
  }
  // A document that another program has taken out since.
  storage::DocumentState gone(const std::string& name) const {
    return {.id = storage::DocumentId{77}, .path = docs_ / name, .content_hash = kHash};
  }
  // What was read of the file before `meanwhile`.
  Status store_after(const PlannedFile& planned, const std::function<void()>& meanwhile) {
    DocumentWriter writer({workspace_->catalogue(), collection_, workspace_->embedder(), sizes_, limits_,
                           *workspace_->catalogue().times_forgotten()},
                          work_, failures_, report_);
    std::vector<LoadedBatch> batches;
    const FileLoad load{.file = planned.file, .limits = limits_, .embedder = workspace_->embedder(), .sizes = sizes_};
    load_file(load, [&](LoadedBatch batch) {
      batches.push_back(std::move(batch));
      return Status();
    });
    meanwhile();
    for (LoadedBatch& batch : batches) MNEME_RETURN_IF_ERROR(writer.store(planned, std::move(batch)));
    return writer.flush();
  }
  // The files in one go: `waiting` is called when all have been handed over and before the last of them are put.
  Status store_all(const std::vector<PlannedFile>& files, const std::function<void()>& waiting) {
    DocumentWriter writer({workspace_->catalogue(), collection_, workspace_->embedder(), sizes_, limits_,
                           *workspace_->catalogue().times_forgotten()},
                          work_, failures_, report_);
    for (const PlannedFile& planned : files) {
      const FileLoad load{.file = planned.file, .limits = limits_, .embedder = workspace_->embedder(), .sizes = sizes_};
      load_file(load, [&](LoadedBatch batch) { return writer.store(planned, std::move(batch)); });
    }
    EXPECT_TRUE(writer.keeps_some_waiting());
    waiting();
    return writer.flush();
  }
  // The content of the file is that of `gone`, or of what is known of it.
  Status store_known(const PlannedFile& planned) {
    DocumentWriter writer({workspace_->catalogue(), collection_, workspace_->embedder(), sizes_, limits_}, work_,
                          failures_, report_);
    LoadedBatch loaded;
    loaded.file = planned.file;
    loaded.same_content = true;
    loaded.content_hash = kHash;
    MNEME_RETURN_IF_ERROR(writer.store(planned, std::move(loaded)));
    return writer.remove_missing();
  }
  std::vector<std::string> paths() {
    std::vector<std::string> found;
    const auto states = workspace_->catalogue().document_states(collection_, "");
    for (const storage::DocumentState& state : *states) found.push_back(state.path);
    return found;
  }
  storage::Catalogue& catalogue() { return workspace_->catalogue(); }
  storage::CollectionId collection() const { return collection_; }

  static constexpr Hash128 kHash{1, 2};
  IndexWork work_;
  IndexReport report_;

 private:
  const readers::ReadLimits limits_;
  const TemporaryFolder home_;
  const TemporaryFolder docs_;
  const std::unique_ptr<Workspace> workspace_;
  const storage::CollectionId collection_;
  const IndexCallbacks callbacks_;
  const chunking::ChunkerOptions sizes_;
  IndexFailures failures_;
};

// What is read once more because it only moved is read as the run was told to: with its limits, and OCR where it has
// it.
TEST(DocumentWriter, FilesThatMovedAreReadWithTheLimitsOfTheRun) {
  readers::ReadLimits limits;
  limits.file_bytes = 4;
  WriterBed bed(limits);
  // Of a document that is gone from another place, and taken by another file since.
  ASSERT_TRUE(bed.store_known(bed.file("a.md", "Ferries leave at noon.\n")).ok());
  ASSERT_THAT(bed.report_.failed, SizeIs(1));
  EXPECT_THAT(bed.report_.failed[0].error, HasSubstr("over the limit"));
}

TEST(DocumentWriter, AnUnchangedFileWhoseDocumentAnotherProgramTookOutIsReadAnew) {
  WriterBed bed;
  PlannedFile planned = bed.file("a.md", "Ferries leave at noon.\n");
  planned.known = {bed.gone("a.md")};
  const Status stored = bed.store_known(planned);
  ASSERT_TRUE(stored.ok()) << stored.message();
  EXPECT_THAT(bed.paths(), ElementsAre(planned.file.path));
}

TEST(DocumentWriter, AMovedFileWhoseDocumentAnotherProgramTookOutIsReadAnew) {
  WriterBed bed;
  const PlannedFile planned = bed.file("b.md", "Ferries leave at noon.\n");
  bed.work_.missing.emplace(WriterBed::kHash, bed.gone("a.md"));
  const Status stored = bed.store_known(planned);
  ASSERT_TRUE(stored.ok()) << stored.message();
  EXPECT_THAT(bed.paths(), ElementsAre(planned.file.path));
}

TEST(DocumentWriter, AMovedFileThatAnotherProgramPutFirstIsThereOnce) {
  WriterBed bed;
  const PlannedFile planned = bed.file("sub/a.md", "Ferries leave at noon.\n");
  storage::DocumentState old = bed.gone("a.md");
  for (const std::string& path : {old.path, planned.file.path}) {
    storage::NewDocument document;
    document.record.collection = bed.collection();
    document.record.path = path;
    document.record.title = "Ferries";
    const auto id = bed.catalogue().put_document(document);
    ASSERT_TRUE(id.ok()) << id.status().message();
    if (path == old.path) old.id = *id;
  }
  bed.work_.missing.emplace(WriterBed::kHash, old);
  bed.work_.plan.missing = {old};
  const Status stored = bed.store_known(planned);
  ASSERT_TRUE(stored.ok()) << stored.message();
  EXPECT_THAT(bed.paths(), ElementsAre(planned.file.path));
}

// Read before, put after: it would be there again.
TEST(DocumentWriter, WhatWasForgottenAndDeletedWhileItWasReadDoesNotComeBack) {
  WriterBed bed;
  const PlannedFile secret = bed.file("a.md", "Ferries leave at noon.\n");
  ASSERT_TRUE(bed.store_after(secret, [] {}).ok());
  EXPECT_THAT(bed.paths(), ElementsAre(secret.file.path));
  const auto forget = [&](const PlannedFile& planned) {
    EXPECT_EQ(bed.catalogue().forget(planned.file.path)->documents, 1);
  };
  // A file that is still there is as good as new.
  ASSERT_TRUE(bed.store_after(secret, [&] { forget(secret); }).ok());
  EXPECT_THAT(bed.paths(), ElementsAre(secret.file.path));
  const auto delete_and_forget = [&] {
    std::filesystem::remove(secret.file.path);
    forget(secret);
  };
  ASSERT_TRUE(bed.store_after(secret, delete_and_forget).ok());
  EXPECT_THAT(bed.paths(), IsEmpty());
}

TEST(DocumentWriter, SmallFilesAreWrittenTogether) {
  WriterBed bed;
  const std::vector<PlannedFile> files = {bed.file("a.md", "Ferries leave at noon.\n"),
                                          bed.file("b.md", "Trains leave at one.\n")};
  ASSERT_TRUE(bed.store_all(files, [&] { EXPECT_THAT(bed.paths(), IsEmpty()); }).ok());
  EXPECT_THAT(bed.paths(), ElementsAre(files[0].file.path, files[1].file.path));
  EXPECT_EQ(bed.report_.documents, 2u);
  EXPECT_EQ(bed.report_.chunks, 2u);
  EXPECT_GT(bed.report_.bytes, 0u);
}

TEST(DocumentWriter, WhatIsForgottenWhileItWaitsDoesNotComeBack) {
  WriterBed bed;
  const std::vector<PlannedFile> files = {bed.file("a.md", "Ferries leave at noon.\n"),
                                          bed.file("b.md", "Trains leave at one.\n")};
  ASSERT_TRUE(bed.store_after(files[0], [] {}).ok());
  const auto delete_and_forget = [&] {
    std::filesystem::remove(files[0].file.path);
    EXPECT_EQ(bed.catalogue().forget(files[0].file.path)->documents, 1);
  };
  ASSERT_TRUE(bed.store_all(files, delete_and_forget).ok());
  EXPECT_THAT(bed.paths(), ElementsAre(files[1].file.path));
}

}  // namespace
}  // namespace mneme::rag
