// Searching one home: which documents are looked at, and how many passages come of which.
#include "rag/retrieval/retriever.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rag/indexing/indexer.h"
#include "rag/workspace.h"
#include "tests/unit/rag_indexing/plain_workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class RetrieverTest : public ::testing::Test {
 protected:
  void SetUp() override {
    workspace_ = open_plain_workspace(home_.path());
    ASSERT_NE(workspace_, nullptr);
    gate_ = docs_.write("gate.md", "# Gate\n\nThe harbour master opens the gate of the old harbour at six o'clock.\n");
    night_ =
        docs_.write("night.md", "# Night\n\nThe harbour master shuts the gate of the old harbour at nine o'clock.\n");
    seals_ = docs_.write("seals.md", "# Seals\n\nSeals that come into the harbour eat herring from the crates.\n");
    docs_.write("bread.md", "# Bread\n\nMix flour and water, add salt and leave it alone for a night.\n");
    IndexOptions index;
    index.paths = {docs_.path()};
    index.kv = KvPolicy::kOff;
    ASSERT_TRUE(Indexer(*workspace_).run(index, {}).ok());
  }

  std::vector<std::string> found(const std::string& query, const SearchOptions& options) {
    const auto result = Retriever(*workspace_).search(query, options);
    EXPECT_TRUE(result.ok()) << result.status().message();
    std::vector<std::string> documents;
    if (!result.ok()) return documents;
    for (const Hit& hit : result->hits) documents.push_back(hit.document);
    return documents;
  }

  TemporaryFolder home_;
  TemporaryFolder docs_;
  std::unique_ptr<Workspace> workspace_;
  std::string gate_;
  std::string night_;
  std::string seals_;
};

TEST_F(RetrieverTest, OnlyDocumentsThatAreNamedAreLookedAt) {
  for (const SearchMethod method : {SearchMethod::kHybrid, SearchMethod::kDense, SearchMethod::kLexical}) {
    EXPECT_THAT(found("harbour", {.method = method, .within = {seals_}}), ElementsAre(seals_));
    EXPECT_THAT(found("harbour", {.method = method, .within = {seals_, docs_ / "absent.md", gate_}}),
                UnorderedElementsAre(seals_, gate_));
    EXPECT_THAT(found("harbour", {.method = method, .within = {docs_ / "absent.md"}}), IsEmpty());
  }
}

TEST_F(RetrieverTest, DocumentsThatAreLeftOutAreNotFound) {
  EXPECT_THAT(found("harbour", {.method = SearchMethod::kLexical, .without = {seals_}}),
              UnorderedElementsAre(gate_, night_));
  EXPECT_THAT(found("harbour", {.method = SearchMethod::kLexical, .without = {seals_, gate_, night_}}), IsEmpty());
}

TEST_F(RetrieverTest, DiversityBringsWhatIsUnlikeTheBest) {
  const std::string query = "when does the harbour master see to the gate of the harbour";
  EXPECT_THAT(found(query, {.top_k = 2}), UnorderedElementsAre(gate_, night_));
  const std::vector<std::string> diverse = found(query, {.top_k = 2, .diversity = 0.9});
  ASSERT_EQ(diverse.size(), 2u);
  EXPECT_NE(diverse[0], seals_) << "the best stays";
  EXPECT_TRUE(diverse[1] != gate_ && diverse[1] != night_) << diverse[1];
}

TEST_F(RetrieverTest, NoMoreComeThanAreWanted) {
  for (const int top_k : {0, 1, 2}) EXPECT_EQ(found("harbour", {.top_k = top_k}).size(), static_cast<size_t>(top_k));
}

TEST(SearchMethods, AreCalledByTheirNames) {
  for (const SearchMethod method : {SearchMethod::kHybrid, SearchMethod::kDense, SearchMethod::kLexical}) {
    EXPECT_EQ(*parse_search_method(search_method_name(method)), method);
  }
  EXPECT_EQ(search_method_name(*parse_search_method("dense")), "dense");
  EXPECT_EQ(parse_search_method("Dense").status().code(), StatusCode::kUsage);
  EXPECT_EQ(parse_search_method("").status().code(), StatusCode::kUsage);
}

}  // namespace
}  // namespace mneme::rag
