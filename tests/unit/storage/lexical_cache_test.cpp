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
  cache.keep_length(kNow, ChunkId{70'000}, 12);
  cache.keep_average_length(kNow, 4.5);
  cache.keep_n_chunks(kNow, 9);
  ASSERT_TRUE(cache.term(kNow, "heron").has_value());
  EXPECT_EQ(cache.term(kNow, "heron")->postings->size(), 3u);
  EXPECT_EQ(cache.length(kNow, ChunkId{70'000}), 12u);
  EXPECT_EQ(cache.length(kNow, ChunkId{70'001}), 0u);
  EXPECT_EQ(cache.average_length(kNow), 4.5);
  EXPECT_EQ(cache.n_chunks(kNow), 9);
  EXPECT_FALSE(cache.term(kLater, "heron").has_value()) << "the catalogue has changed";
  EXPECT_EQ(cache.length(kLater, ChunkId{70'000}), 0u);
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
  EXPECT_FALSE(cache.term(kNow, "b").has_value());
  EXPECT_TRUE(cache.term(kNow, "a").has_value());
  EXPECT_EQ(cache.n_postings(), 80u);
  cache.keep_term(kNow, "a", {40, nullptr});
  EXPECT_EQ(cache.n_postings(), 40u) << "a term that is kept anew replaces itself";
  cache.keep_term(kNow, "huge", term_of(101));
  EXPECT_EQ(cache.n_postings(), 0u) << "what does not fit at all is not kept";
}

}  // namespace
}  // namespace mneme::storage
