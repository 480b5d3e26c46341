// Neighbour expansion: a passage's surroundings come along with it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rag/indexing/indexer.h"
#include "rag/retrieval/retriever.h"
#include "rag/workspace.h"
#include "tests/unit/rag_indexing/plain_workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

using ::testing::ElementsAre;

class NeighboursTest : public ::testing::Test {
 protected:
  void SetUp() override {
    workspace_ = open_plain_workspace(home_.path());
    ASSERT_NE(workspace_, nullptr);
    // Sections long enough to be passages of their own; one of them speaks of the heron.
    std::string text = "# Birds of the marsh\n\n";
    for (int section = 0; section < 5; ++section) {
      text += "## Section " + std::string(1, static_cast<char>('A' + section)) + "\n\n";
      for (int i = 0; i < 60; ++i) text += "Reeds and water lilies grow along the dike there. ";
      text += section == 2 ? "The heron breeds on the old pump house.\n\n" : "\n\n";
    }
    docs_.write("marsh.md", text);
    docs_.write("other.md", "# Pumps\n\nThe pump house was built for the heron society.\n");
    IndexOptions index;
    index.paths = {docs_.path()};
    index.kv = KvPolicy::kOff;
    ASSERT_TRUE(Indexer(*workspace_).run(index, {}).ok());
  }

  std::vector<Hit> search(SearchOptions options) {
    return Retriever(*workspace_).search("Where does the heron breed?", options)->hits;
  }

  TemporaryFolder home_;
  TemporaryFolder docs_;
  std::unique_ptr<Workspace> workspace_;
};

std::vector<int> ordinals(const std::vector<Hit>& hits) {
  std::vector<int> found;
  for (const Hit& hit : hits) found.push_back(hit.ordinal);
  return found;
}

TEST_F(NeighboursTest, ComeAlongInOrderWithinTopK) {
  const std::vector<Hit> plain = search({.top_k = 3});
  ASSERT_FALSE(plain.empty());
  const int best = plain.front().ordinal;
  ASSERT_GT(best, 0);
  const std::vector<Hit> hits = search({.top_k = 3, .neighbours = 1});
  EXPECT_THAT(ordinals(hits), ElementsAre(best - 1, best, best + 1));
  for (const Hit& hit : hits) EXPECT_EQ(hit.document, plain.front().document);
  EXPECT_THAT(std::vector<int>({hits[0].rank, hits[1].rank, hits[2].rank}), ElementsAre(1, 2, 3));
}

TEST_F(NeighboursTest, NeverTwiceAndNeverBeyondTheDocument) {
  const std::vector<Hit> hits = search({.top_k = 50, .neighbours = 50});
  std::vector<int64_t> rows;
  for (const Hit& hit : hits) rows.push_back(hit.chunk_row);
  std::sort(rows.begin(), rows.end());
  EXPECT_EQ(std::adjacent_find(rows.begin(), rows.end()), rows.end());
}

}  // namespace
}  // namespace mneme::rag
