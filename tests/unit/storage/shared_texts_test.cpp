// Passages with the same text keep it once, whoever of them comes and goes.
#include "storage/catalogue/shared_texts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/random.h"
#include "catalogue_bed.h"
#include "storage/catalogue/catalogue.h"

namespace mneme::storage {
namespace {

using ::testing::ElementsAre;

class SharedTextsTest : public CatalogueTest {
 protected:
  int64_t rows(const char* table) {
    const auto database = Database::open(database_path(), {.create = false, .read_only = true});
    if (!database.ok()) return -1;
    const std::string sql = "SELECT count(*) FROM " + std::string(table);
    const auto n = (*database)->query_integer(sql.c_str());
    return n.ok() ? *n : -1;
  }

  DocumentId put_below(const std::string& path, const std::string& heading, const std::vector<std::string>& texts,
                       const std::vector<float>& vectors) {
    NewDocument document = make_document(collection_, path, texts);
    for (NewChunk& chunk : document.chunks) chunk.heading_path = heading;
    document.embeddings.values = vectors;
    const auto id = catalogue_->put_document(document);
    EXPECT_TRUE(id.ok()) << id.status().message();
    return id.ok() ? *id : DocumentId{};
  }

  std::vector<std::string> texts_of(DocumentId document) {
    std::vector<std::string> texts;
    const auto chunks = catalogue_->document_chunks(document);
    for (const ChunkRecord& chunk : *chunks) texts.push_back(chunk.text);
    return texts;
  }

  std::vector<float> vectors_of(DocumentId document) {
    const auto chunks = catalogue_->document_chunks(document);
    std::vector<ChunkId> ids;
    for (const ChunkRecord& chunk : *chunks) ids.push_back(chunk.id);
    const auto vectors = catalogue_->embeddings("hashed-1", ids);
    std::vector<float> all;
    for (const auto& [chunk, vector] : *vectors) {
      all.insert(all.end(), vector.begin(), vector.end());
    }
    return all;
  }
};

TEST_F(SharedTextsTest, CopiesKeepTextsAndVectorsOnce) {
  put("/a.txt", {"zebras graze", "lions sleep"});
  const DocumentId copy = put("/b/a.txt", {"zebras graze", "lions sleep"});
  EXPECT_EQ(rows("chunks"), 4);
  EXPECT_EQ(rows("chunk_texts"), 2);
  EXPECT_EQ(rows("embeddings"), 2);
  EXPECT_THAT(texts_of(copy), ElementsAre("zebras graze", "lions sleep"));
  EXPECT_EQ(found("zebras").size(), 2u);
  EXPECT_EQ(vectors_of(copy), make_document(collection_, "", {"", ""}).embeddings.values);
  EXPECT_TRUE(catalogue_->chunks_without_embedding(collection_, "hashed-1", 10)->empty());
  EXPECT_EQ(catalogue_->check(false)->embeddings, 4);
  expect_clean();
}

TEST_F(SharedTextsTest, WhenTheFirstGoesTheOthersStay) {
  const DocumentId first = put("/a.txt", {"zebras graze"});
  const DocumentId second = put("/b.txt", {"zebras graze"});
  const DocumentId third = put("/c.txt", {"zebras graze"});
  ASSERT_TRUE(catalogue_->remove_document(first).ok());
  for (const DocumentId left : {second, third}) {
    EXPECT_THAT(texts_of(left), ElementsAre("zebras graze"));
    EXPECT_THAT(vectors_of(left), ElementsAre(0.f, .25f, .5f, .75f));
  }
  EXPECT_EQ(rows("chunk_texts"), 1);
  EXPECT_EQ(rows("embeddings"), 1);
  EXPECT_EQ(found("zebras").size(), 2u);
  expect_clean();
  ASSERT_TRUE(catalogue_->remove_document(second).ok());
  ASSERT_TRUE(catalogue_->remove_document(third).ok());
  EXPECT_EQ(rows("chunk_texts"), 0);
  EXPECT_EQ(rows("embeddings"), 0);
  expect_clean();
}

TEST_F(SharedTextsTest, UnderAnotherHeadingAPassageKeepsItsOwnVector) {
  const DocumentId first = put_below("/a.txt", "Animals", {"zebras graze"}, {1, 0, 0, 0});
  const DocumentId second = put_below("/b.txt", "Plains", {"zebras graze"}, {0, 1, 0, 0});
  const DocumentId third = put_below("/c.txt", "Animals", {"zebras graze"}, {1, 0, 0, 0});
  EXPECT_EQ(rows("chunk_texts"), 1);
  EXPECT_EQ(rows("embeddings"), 2);
  // The heir of the text has a vector of its own, and the third keeps what it had.
  ASSERT_TRUE(catalogue_->remove_document(first).ok());
  EXPECT_THAT(vectors_of(second), ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(vectors_of(third), ElementsAre(1, 0, 0, 0));
  expect_clean();
}

TEST_F(SharedTextsTest, AForgottenCopyLeavesTheOtherItsText) {
  put("/secret/a.txt", {"zebras graze", "only here"});
  const DocumentId kept = put("/b.txt", {"zebras graze"});
  const auto forgotten = catalogue_->forget("/secret");
  ASSERT_TRUE(forgotten.ok()) << forgotten.status().message();
  EXPECT_EQ(forgotten->text_hashes.size(), 1u);
  EXPECT_THAT(texts_of(kept), ElementsAre("zebras graze"));
  expect_clean();
  catalogue_.reset();
  EXPECT_EQ(file_content(database_path()).find("only here"), std::string::npos);
}

// Documents of few texts under few headings come, change and go; each has what it was given, and every text is there
// once.
TEST_F(SharedTextsTest, AnyOrderOfChangesKeepsEveryText) {
  struct Given {
    std::vector<std::string> texts;
    std::vector<float> vectors;
  };
  Random random(20);
  std::map<std::string, Given> given;
  std::map<std::string, DocumentId> ids;
  for (int round = 0; round < 300; ++round) {
    const std::string path = "/" + std::to_string(random.below(6));
    if (ids.contains(path) && random.below(3) == 0) {
      ASSERT_TRUE(catalogue_->remove_document(ids[path]).ok());
      given.erase(path);
      ids.erase(path);
    } else {
      Given document;
      const auto heading = random.below(2);
      for (uint64_t i = 0; i < random.below(5); ++i) {
        const auto text = random.below(4);
        document.texts.push_back("passage " + std::to_string(text));
        for (const auto value : {text, heading, uint64_t{1}, uint64_t{0}}) {
          document.vectors.push_back(static_cast<float>(value));
        }
      }
      ids[path] = put_below(path, "heading " + std::to_string(heading), document.texts, document.vectors);
      given[path] = document;
    }
    std::set<std::string> distinct;
    for (const auto& [name, document] : given) {
      ASSERT_EQ(texts_of(ids[name]), document.texts) << round << ": " << name;
      ASSERT_EQ(vectors_of(ids[name]), document.vectors) << round << ": " << name;
      distinct.insert(document.texts.begin(), document.texts.end());
    }
    ASSERT_EQ(rows("chunk_texts"), static_cast<int64_t>(distinct.size())) << round;
  }
  expect_clean();
}

}  // namespace
}  // namespace mneme::storage
