// Documents that are put into the catalogue several at a time.
#include "rag/indexing/document_group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"
#include "tests/unit/rag_indexing/plain_workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

storage::NewDocument document_at(storage::CollectionId collection, const std::string& path, const std::string& text) {
  storage::NewDocument document;
  document.record.collection = collection;
  document.record.path = path;
  document.record.title = path;
  storage::NewChunk chunk;
  chunk.byte_end = text.size();
  chunk.text = text;
  document.chunks.push_back(chunk);
  return document;
}

class PutTogether : public ::testing::Test {
 protected:
  std::vector<std::string> paths() {
    std::vector<std::string> found;
    const auto states = catalogue_.document_states(collection_);
    for (const storage::DocumentState& state : *states) found.push_back(state.path);
    return found;
  }

  const TemporaryFolder home_;
  const std::unique_ptr<Workspace> workspace_ = open_plain_workspace(home_.path());
  storage::Catalogue& catalogue_ = workspace_->catalogue();
  const storage::CollectionId collection_ = *catalogue_.ensure_collection("default");
};

// The next run would gather the same ones, and never come past it.
TEST_F(PutTogether, ADocumentThatCannotBePutTakesNoneOfThoseBeforeWithIt) {
  const storage::NewDocument first = document_at(collection_, "/a.md", "Ferries leave at noon.");
  storage::NewDocument broken = document_at(collection_, "/b.md", "Trains leave at one.");
  broken.embeddings = {"hashed-1", 4, {1.0f}};
  const storage::NewDocument last = document_at(collection_, "/c.md", "Buses leave at two.");
  const storage::NewDocument* const together[] = {&first, &broken, &last};
  const Status put = put_together(catalogue_, together).status();
  EXPECT_THAT(put.message(), HasSubstr("/b.md"));
  EXPECT_THAT(paths(), ElementsAre("/a.md"));
}

TEST_F(PutTogether, ACollectionThatIsGoneIsSaid) {
  ASSERT_TRUE(catalogue_.delete_collection(collection_).ok());
  const storage::NewDocument one = document_at(collection_, "/a.md", "Ferries leave at noon.");
  const storage::NewDocument other = document_at(collection_, "/b.md", "Trains leave at one.");
  const storage::NewDocument* const together[] = {&one, &other};
  EXPECT_EQ(put_together(catalogue_, together).status().code(), StatusCode::kNotFound);
}

LoadedBatch batch_of(size_t text_bytes) {
  LoadedBatch batch;
  batch.documents.push_back({document_at({}, "/a.md", std::string(text_bytes, 'a')), {}});
  return batch;
}

TEST(DocumentGroup, IsFullBySize) {
  const PlannedFile planned;
  DocumentGroup group;
  EXPECT_FALSE(group.is_full());
  group.add(planned, batch_of(1));
  EXPECT_FALSE(group.empty());
  group.add(planned, batch_of(size_t{8} << 20));
  EXPECT_TRUE(group.is_full());
  EXPECT_EQ(group.take().size(), 2u);
  EXPECT_TRUE(group.empty());
  EXPECT_FALSE(group.is_full());
}

TEST(DocumentGroup, IsFullByNumber) {
  const PlannedFile planned;
  DocumentGroup group;
  size_t n = 0;
  while (!group.is_full()) {
    group.add(planned, batch_of(1));
    ++n;
  }
  EXPECT_LE(n, 64u);
}

}  // namespace
}  // namespace mneme::rag
