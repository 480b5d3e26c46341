// A definition is found by its form where many passages hold the word more often.
#include <gtest/gtest.h>

#include "rag/indexing/indexer.h"
#include "rag/retrieval/retriever.h"
#include "rag/text/documents/document_names.h"
#include "rag/workspace.h"
#include "tests/unit/rag_indexing/plain_workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

class FoundDefinitions : public ::testing::Test {
 protected:
  void SetUp() override {
    workspace_ = open_plain_workspace(home_.path());
    ASSERT_NE(workspace_, nullptr);
  }

  // Whether the passage with this sentence is among the first hits.
  bool finds(const std::string& question, const std::string& sentence) {
    IndexOptions index;
    index.paths = {docs_.path()};
    index.kv = KvPolicy::kOff;
    EXPECT_TRUE(Indexer(*workspace_).run(index, {}).ok());
    const auto found = Retriever(*workspace_).search(question, {.top_k = 6});
    return found.ok() && std::any_of(found->hits.begin(), found->hits.end(),
                                     [&](const Hit& hit) { return hit.text.find(sentence) != std::string::npos; });
  }

  // Text that the sentence disappears in.
  static std::string amid_filler(const std::string& sentence) {
    std::string filler;
    for (int i = 0; i < 40; ++i) filler += "Installers read many kinds of files from the disk before they begin. ";
    return filler + sentence + " " + filler;
  }

  TemporaryFolder home_;
  TemporaryFolder docs_;
  std::unique_ptr<Workspace> workspace_;
};

TEST_F(FoundDefinitions, ByTheirForm) {
  docs_.write("format.txt", "About packages.\n\n" + amid_filler("A wheel is an archive with a name of its own."));
  for (int i = 0; i < 80; ++i) {
    const std::string n = std::to_string(i);
    docs_.write("wheel-" + n + ".txt",
                "Wheel metadata " + n + "\n\nThe wheel tag of wheel " + n + " names the wheel version.");
  }
  EXPECT_TRUE(finds("What is a wheel?", "A wheel is an archive"));
}

TEST_F(FoundDefinitions, ByWhatAShortFormStandsFor) {
  docs_.write("lock.txt",
              "About threads.\n\n" +
                  amid_filler("The global interpreter lock (\"GIL\") prevents threads from running at once."));
  docs_.write("passing.txt", "GIL GIL\n\nThe Global Interpreter Lock (GIL): GIL, GIL, GIL, GIL, GIL, GIL, GIL.");
  for (int i = 0; i < 80; ++i) {
    const std::string n = std::to_string(i);
    docs_.write("gil-" + n + ".txt",
                "GIL " + n + "\n\n" + amid_filler("The GIL of build " + n + " rests. The GIL wakes."));
  }
  EXPECT_TRUE(finds("What is the GIL?", "prevents threads"));
}

TEST(Definitions, PathsNameFolderAndFile) {
  EXPECT_EQ(called_by_path("/home/me/rust-book/ch09-02-errors.md"), "rust-book ch09-02-errors");
  EXPECT_EQ(called_by_path("note.txt"), " note");
  EXPECT_EQ(called_by_path("/home/me/Invoices/ACME/1.txt", "Invoices > ACME"), "Invoices > ACME 1");
}

}  // namespace
}  // namespace mneme::rag
