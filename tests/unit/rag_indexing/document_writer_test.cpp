// What of a run reaches the catalogue, also when it is cut off.
#include "rag/indexing/document_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rag/indexing/indexer.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"
#include "storage/env/memory_env.h"
#include "tests/support/make_files.h"
#include "tests/unit/rag_indexing/plain_workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

using ::testing::HasSubstr;
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

// What is read once more because it only moved is read as the run was told to: with its limits, and OCR where it has
// it.
TEST(DocumentWriter, FilesThatMovedAreReadWithTheLimitsOfTheRun) {
  const TemporaryFolder home;
  const TemporaryFolder docs;
  const auto workspace = open_plain_workspace(home.path());
  ASSERT_NE(workspace, nullptr);
  const auto collection = workspace->catalogue().ensure_collection("default");
  ASSERT_TRUE(collection.ok());
  IndexReport report;
  const IndexCallbacks callbacks;
  IndexFailures failures(workspace->catalogue(), *collection, callbacks, report);
  readers::ReadLimits limits;
  limits.file_bytes = 4;
  const IndexWork work;
  const chunking::ChunkerOptions sizes;
  DocumentWriter writer({workspace->catalogue(), *collection, workspace->embedder(), sizes, limits}, work, failures,
                        report);
  PlannedFile planned;
  planned.file.path = docs.write("a.md", "Ferries leave at noon.\n");
  planned.file.size_bytes = 23;
  LoadedBatch loaded;
  loaded.file = planned.file;
  loaded.same_content = true;  // of a document that is gone from another place, and taken by another file since
  ASSERT_TRUE(writer.store(planned, std::move(loaded)).ok());
  ASSERT_THAT(report.failed, SizeIs(1));
  EXPECT_THAT(report.failed[0].error, HasSubstr("over the limit"));
}

}  // namespace
}  // namespace mneme::rag
