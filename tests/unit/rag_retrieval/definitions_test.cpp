// A definition is found by its form where many passages hold the word more often.
#include <gtest/gtest.h>

#include "rag/indexing/indexer.h"
#include "rag/retrieval/document_names.h"
#include "rag/retrieval/retriever.h"
#include "rag/workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

TEST(Definitions, AreFoundByTheirForm) {
  TemporaryFolder home;
  TemporaryFolder docs;
  WorkspaceOptions options;
  options.home = home.path();
  options.model = "none";
  options.embedder = "hashed";
  options.n_threads = 1;
  const std::unique_ptr<Workspace> workspace = *Workspace::open(options);
  std::string filler;
  for (int i = 0; i < 40; ++i) filler += "Installers read many kinds of files from the disk before they begin. ";
  docs.write("format.txt", "About packages.\n\n" + filler + "A wheel is an archive with a name of its own. " + filler);
  for (int i = 0; i < 80; ++i) {
    const std::string n = std::to_string(i);
    docs.write("wheel-" + n + ".txt",
               "Wheel metadata " + n + "\n\nThe wheel tag of wheel " + n + " names the wheel version.");
  }
  IndexOptions index;
  index.paths = {docs.path()};
  index.kv = KvPolicy::kOff;
  ASSERT_TRUE(Indexer(*workspace).run(index, {}).ok());
  const auto found = Retriever(*workspace).search("What is a wheel?", {.top_k = 6});
  ASSERT_TRUE(found.ok());
  const bool there = std::any_of(found->hits.begin(), found->hits.end(), [](const Hit& hit) {
    return hit.text.find("A wheel is an archive") != std::string::npos;
  });
  EXPECT_TRUE(there);
}

TEST(Definitions, PathsNameFolderAndFile) {
  EXPECT_EQ(called_by_path("/home/me/rust-book/ch09-02-errors.md"), "rust-book ch09-02-errors");
  EXPECT_EQ(called_by_path("note.txt"), " note");
}

}  // namespace
}  // namespace mneme::rag
