// What is said where the filters of a query leave nothing.
#include "rag/retrieval/unmatched_filters.h"

#include <gtest/gtest.h>

#include "rag/indexing/indexer.h"
#include "rag/retrieval/retriever.h"
#include "rag/workspace.h"
#include "storage/catalogue/catalogue.h"
#include "tests/unit/rag_indexing/plain_workspace.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

TEST(UnmatchedFilters, AreNamed) {
  TemporaryFolder home;
  TemporaryFolder docs;
  const auto workspace = open_plain_workspace(home.path());
  ASSERT_NE(workspace, nullptr);
  docs.write("lease.md", "# Lease\n\nThe rent of the flat is 640 crowns.\n");
  docs.write("notes.txt", "The rent of the garage is 60 crowns.\n");
  IndexOptions index;
  index.paths = {docs.path()};
  index.kv = KvPolicy::kOff;
  ASSERT_TRUE(Indexer(*workspace).run(index, {}).ok());

  const auto collections = workspace->catalogue().list_collections();
  ASSERT_TRUE(collections.ok());
  const auto why = [&](std::string_view query) {
    const Result<std::string> told = why_filters_left_nothing(workspace->catalogue(), *collections, query);
    EXPECT_TRUE(told.ok());
    return told.ok() ? *told : std::string();
  };
  EXPECT_EQ(why("rent type:docx"), "no indexed document matches type:docx");
  EXPECT_EQ(why("rent path:\"No where\" type:md"), "no indexed document matches path:\"No where\"");
  EXPECT_EQ(why("rent after:2250-01-01 type:docx"), "no indexed document matches after:2250-01-01 or type:docx");
  EXPECT_EQ(why("rent path:lease type:txt"), "no indexed document matches all of path:lease type:txt");
  EXPECT_EQ(why("zebra type:md"), "no passage of the documents that match type:md goes with these words");
  EXPECT_EQ(why("rent"), "");

  const auto found = Retriever(*workspace).search("rent type:docx", {});
  ASSERT_TRUE(found.ok());
  EXPECT_TRUE(found->hits.empty());
  ASSERT_EQ(found->notes.size(), 1U);
  EXPECT_EQ(found->notes.front(), "no indexed document matches type:docx");
}

}  // namespace
}  // namespace mneme::rag
