#include "storage/catalogue/lexical_cache.h"

#include <gtest/gtest.h>

#include <string>

namespace mneme::storage {
namespace {

constexpr CatalogueState kNow{.revisions = 3, .collections = 1, .last_collection = 1};
constexpr CatalogueState kLater{.revisions = 4, .collections = 1, .last_collection = 1};

LexicalCache::Term term_of(size_t n_postings) {
  return {static_cast<int64_t>(n_postings), std::make_shared<const PostingList>(n_postings, Posting{1, 1})};
}

TEST(LexicalCache, KeepsWhatIsOfTheStateAskedAbout) {
  LexicalCache cache;
  EXPECT_FALSE(cache.term(kNow, "heron").has_value());
  cache.keep_term(kNow, "heron", term_of(3));
  auto lengths = std::make_shared<ChunkLengths>();
  lengths->add(ChunkId{70'000}, 12);
  EXPECT_FALSE(cache.lengths(kNow).complete);
  cache.keep_lengths(kNow, lengths);
  cache.keep_average_length(kNow, 4.5);
  cache.keep_n_chunks(kNow, 9);
  ASSERT_TRUE(cache.term(kNow, "heron").has_value());
  EXPECT_EQ(cache.term(kNow, "heron")->postings->size(), 3u);
  EXPECT_TRUE(cache.lengths(kNow).complete);
  EXPECT_EQ(cache.lengths(kNow).lengths->of(ChunkId{70'000}), 12u);
  EXPECT_EQ(cache.average_length(kNow), 4.5);
  EXPECT_EQ(cache.n_chunks(kNow), 9);
  EXPECT_FALSE(cache.term(kLater, "heron").has_value()) << "the catalogue has changed";
  EXPECT_FALSE(cache.lengths(kLater).complete) << "there may be new chunks";
  EXPECT_EQ(cache.lengths(kLater).lengths->of(ChunkId{70'000}), 12u) << "but the old ones are as long as they were";
  EXPECT_EQ(cache.average_length(kLater), 0.0);
  EXPECT_FALSE(cache.n_chunks(kLater).has_value());
  EXPECT_EQ(cache.n_postings(), 0u);
}

TEST(LexicalCache, TheLongestUnusedLeaveFirst) {
  LexicalCache cache(100);
  cache.keep_term(kNow, "a", term_of(40));
  cache.keep_term(kNow, "b", term_of(40));
  ASSERT_TRUE(cache.term(kNow, "a").has_value());  // used
  cache.keep_term(kNow, "c", term_of(40));
  ASSERT_TRUE(cache.term(kNow, "b").has_value());
  EXPECT_EQ(cache.term(kNow, "b")->postings, nullptr);
  EXPECT_EQ(cache.term(kNow, "b")->frequency, 40) << "how many there were is still known";
  EXPECT_TRUE(cache.term(kNow, "a").has_value());
  EXPECT_EQ(cache.n_postings(), 80u);
  cache.keep_term(kNow, "a", {40, nullptr});
  EXPECT_EQ(cache.n_postings(), 40u) << "a term that is kept anew replaces itself";
  cache.keep_term(kNow, "huge", term_of(101));
  EXPECT_EQ(cache.n_postings(), 0u) << "what does not fit at all is not kept";
  EXPECT_EQ(cache.term(kNow, "huge")->frequency, 101);
}

TEST(LexicalCache, NumbersOfTermsAreBounded) {
  LexicalCache cache(50);
  for (int i = 0; i < 100'100; ++i) cache.keep_term(kNow, std::to_string(i), term_of(i % 1000 == 0 ? 1 : 0));
  EXPECT_FALSE(cache.term(kNow, "1").has_value());
  EXPECT_TRUE(cache.term(kNow, "100099").has_value());
  EXPECT_LE(cache.n_postings(), 50u);
}

}  // namespace
}  // namespace mneme::storage
