// What stands on one page of a document, whichever passages it lies in.
#include "rag/retrieval/page_passages.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "storage/catalogue/catalogue.h"
#include "tests/unit/rag_indexing/temporary_folder.h"

namespace mneme::rag {
namespace {

class PagePassages : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = storage::Catalogue::open({.path = home_ / "catalog.db"});
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    catalogue_ = *std::move(opened);
    storage::NewDocument made;
    made.record.collection = *catalogue_->ensure_collection("papers");
    made.record.path = "/papers/book.pdf";
    // Without a page, then on pages 1 to 3, 3, 3 to 5, and 8.
    add(made, 0, "", "cover");
    add(made, 1, "5:2 10:3", "one, two, three");
    add(made, 3, "", "all of three");
    add(made, 3, "3:5", "3, five");
    add(made, 8, "", "eight");
    ASSERT_TRUE(catalogue_->put_document(made).ok());
    document_ = **catalogue_->find_document(made.record.collection, made.record.path);
  }

  static void add(storage::NewDocument& made, int page, const std::string& marks, const std::string& text) {
    storage::NewChunk chunk;
    chunk.byte_begin = made.chunks.empty() ? 0 : made.chunks.back().byte_end + 2;
    chunk.byte_end = chunk.byte_begin + text.size();
    chunk.page = page;
    chunk.page_marks = marks;
    chunk.text = text;
    made.chunks.push_back(chunk);
  }

  std::string texts_on(int page) {
    const auto hits = passages_of_page(*catalogue_, document_, page);
    EXPECT_TRUE(hits.ok());
    std::string texts;
    int rank = 0;
    for (const Hit& hit : *hits) {
      EXPECT_EQ(hit.rank, ++rank);
      EXPECT_EQ(hit.page, page);
      EXPECT_EQ(hit.page_marks, "");
      EXPECT_EQ(hit.document, document_.path);
      EXPECT_EQ(hit.byte_end - hit.byte_begin, hit.text.size());
      texts += "[" + hit.text + "@" + std::to_string(hit.byte_begin) + "]";
    }
    return texts;
  }

  TemporaryFolder home_;
  std::unique_ptr<storage::Catalogue> catalogue_;
  storage::DocumentRecord document_;
};

TEST_F(PagePassages, AreCutWhereTheirPageBeginsAndEnds) {
  EXPECT_EQ(texts_on(1), "[one, @7]");
  EXPECT_EQ(texts_on(2), "[two, @12]");
  EXPECT_EQ(texts_on(3), "[three@17][all of three@24][3, @38]");
  EXPECT_EQ(texts_on(5), "[five@41]");
  EXPECT_EQ(texts_on(8), "[eight@47]");
}

TEST_F(PagePassages, ThereAreNoneOfAPageThatIsNot) {
  for (const int page : {-1, 4, 6, 7, 9}) EXPECT_EQ(texts_on(page), "") << page;
}

}  // namespace
}  // namespace mneme::rag
