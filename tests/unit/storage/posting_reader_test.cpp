#include "storage/catalogue/posting_reader.h"

#include <gtest/gtest.h>

#include <memory>

#include "storage/catalogue/catalogue.h"
#include "temporary_home.h"

namespace mneme::storage {
namespace {

constexpr int kChunks = 8000;

// "often" in every second chunk, "front" in the first half of them, "rare" in every hundredth, there twice.
class PostingReader : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = Catalogue::open({.path = home_.path() + "/catalog.db"});
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    catalogue_ = std::move(opened).value();
    collection_ = *catalogue_->ensure_collection("default");
    std::vector<std::string> texts;
    for (int i = 0; i < kChunks; ++i) {
      texts.push_back(std::string("x") + (i % 2 == 0 ? " often" : "") + (i < kChunks / 2 ? " front" : "") +
                      (i % 100 == 0 ? " rare rare" : ""));
    }
    put("/a.txt", texts);
    auto database = Database::open(home_.path() + "/catalog.db", {.create = false});
    ASSERT_TRUE(database.ok()) << database.status().message();
    database_ = std::move(database).value();
    ASSERT_TRUE(register_fts_extension(*database_).ok());
    rows_ = *chunk_rows(*database_);
  }
  void put(const std::string& path, const std::vector<std::string>& texts) {
    NewDocument document;
    document.record.collection = collection_;
    document.record.path = path;
    document.record.format = "text";
    for (const std::string& text : texts) {
      NewChunk& chunk = document.chunks.emplace_back();
      chunk.byte_end = text.size();
      chunk.text = text;
    }
    ASSERT_TRUE(catalogue_->put_document(document).ok());
  }
  static QueryTerm term(const std::string& word) { return {word, 1.0, false, false}; }
  PostingRequest::Found read(const std::string& word, size_t most_rows, const RowRange& rows) {
    const std::string name = fts_term(term(word));
    auto found = read_postings(*database_, {&name, 1}, most_rows, rows);
    EXPECT_TRUE(found.ok()) << found.status().message();
    return std::move(found->phrases.front());
  }

  TemporaryHome home_;
  std::unique_ptr<Catalogue> catalogue_;
  CollectionId collection_{};
  std::unique_ptr<Database> database_;
  RowRange rows_;
};

TEST_F(PostingReader, ReadsWholeLists) {
  EXPECT_EQ(rows_.last - rows_.first + 1, kChunks);
  const PostingRequest::Found often = read("often", kChunks, rows_);
  EXPECT_TRUE(often.whole);
  ASSERT_EQ(often.postings.size(), kChunks / 2u);
  for (size_t i = 0; i < often.postings.size(); ++i) {
    EXPECT_EQ(often.postings[i].chunk, static_cast<uint64_t>(rows_.first) + 2 * i);
    EXPECT_EQ(often.postings[i].frequency, 1u);
  }
  const PostingRequest::Found rare = read("rare", 2500, rows_);
  EXPECT_TRUE(rare.whole);
  ASSERT_EQ(rare.postings.size(), kChunks / 100u);
  EXPECT_EQ(rare.postings.front().frequency, 2u);
  EXPECT_TRUE(read("nowhere", 10, rows_).postings.empty());
}

TEST_F(PostingReader, EndsEarlyWhereThereWillBeTooMany) {
  const PostingRequest::Found to_the_brim = read("often", 2500, {});
  EXPECT_FALSE(to_the_brim.whole);
  EXPECT_EQ(to_the_brim.postings.size(), 2500u) << "nothing is known of the rows";
  const PostingRequest::Found early = read("often", 2500, rows_);
  EXPECT_FALSE(early.whole);
  EXPECT_EQ(early.postings.size(), 2048u) << "after half of the rows it has half of 4,000";
  const PostingRequest::Found enough = read("often", 4000, rows_);
  EXPECT_TRUE(enough.whole);
  EXPECT_EQ(enough.postings.size(), 4000u);
}

TEST_F(PostingReader, SamplesFrequencies) {
  EXPECT_NEAR(static_cast<double>(*sample_frequency(*database_, term("often"), rows_)), 4000, 100);
  EXPECT_NEAR(static_cast<double>(*sample_frequency(*database_, term("front"), rows_)), 4000, 200);
  EXPECT_EQ(*sample_frequency(*database_, term("nowhere"), rows_), 0);
  const RowRange few{rows_.first, rows_.first + 319};
  EXPECT_EQ(*sample_frequency(*database_, term("often"), few), 160) << "few rows are all looked at";
}

// Row numbers of a catalogue that somebody made by hand: nothing is reckoned beyond what numbers hold.
TEST_F(PostingReader, RowsFromOneEndOfTheNumbersToTheOther) {
  for (const char* change : {"UPDATE chunks SET id = -9223372036854775807 WHERE id = (SELECT min(id) FROM chunks)",
                             "UPDATE chunks SET id = 9223372036854775807 WHERE id = (SELECT max(id) FROM chunks)"}) {
    ASSERT_TRUE(database_->execute(change).ok());
  }
  const Result<RowRange> rows = chunk_rows(*database_);
  ASSERT_TRUE(rows.ok()) << rows.status().message();
  EXPECT_EQ(rows->first, 0);
  EXPECT_EQ(rows->last, static_cast<int64_t>(kLastChunk));
  EXPECT_FALSE(read("often", kChunks, *rows).postings.empty());
  EXPECT_GE(*sample_frequency(*database_, term("often"), *rows), 0);
}

TEST_F(PostingReader, LengthsAreReadOnceAndGrow) {
  ChunkLengths lengths;
  ASSERT_TRUE(read_lengths(*database_, lengths).ok());
  EXPECT_EQ(lengths.last(), ChunkId{rows_.last});
  for (int64_t row = rows_.first; row <= rows_.last; row += 7) {
    EXPECT_EQ(lengths.of(ChunkId{row}), *chunk_length(*database_, ChunkId{row})) << row;
  }
  EXPECT_EQ(lengths.of(ChunkId{rows_.first}), 5u) << "x often front rare rare";
  put("/b.txt", {"one two three"});
  ASSERT_TRUE(read_lengths(*database_, lengths).ok());
  EXPECT_EQ(lengths.of(lengths.last()), 3u);
  EXPECT_GT(lengths.last(), ChunkId{rows_.last});
  EXPECT_EQ(chunk_length(*database_, ChunkId{1'000'000}).status().code(), StatusCode::kCorruption);
}

}  // namespace
}  // namespace mneme::storage
