#include "engine/pq/block_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace mneme::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<TokenPos> tokens_of(std::initializer_list<std::pair<int, int>> blocks_and_counts) {
  std::vector<TokenPos> positions;
  for (const auto& [block, count] : blocks_and_counts)
    for (int i = 0; i < count; ++i) positions.push_back(block * kCacheBlockTokens + i);
  return positions;
}

TEST(BlockCache, CountsHitsInResidentBlocks) {
  BlockCache cache(4 * kCacheBlockTokens, BlockEviction::kLru);
  EXPECT_THAT(cache.step(tokens_of({{0, 5}, {7, 10}})), ElementsAre(7, 0));
  EXPECT_EQ(cache.hits(), 0);
  EXPECT_THAT(cache.step(tokens_of({{0, 2}, {7, 3}, {9, 1}})), ElementsAre(9));
  EXPECT_EQ(cache.hits(), 5);
  EXPECT_EQ(cache.requests(), 21);
}

TEST(BlockCache, LruAndLfuReplaceDifferentBlocks) {
  for (const BlockEviction eviction : {BlockEviction::kLru, BlockEviction::kLfu}) {
    BlockCache cache(2 * kCacheBlockTokens, eviction);
    cache.step(tokens_of({{1, 100}}));
    cache.step(tokens_of({{2, 3}}));
    cache.step(tokens_of({{3, 4}}));
    EXPECT_TRUE(cache.resident(3));
    EXPECT_EQ(cache.resident(1), eviction == BlockEviction::kLfu);  // used most, but longest ago
    EXPECT_EQ(cache.resident(2), eviction == BlockEviction::kLru);
  }
}

TEST(BlockCache, OffersOnlyTheBlocksMostAskedFor) {
  BlockCache cache(8 * kCacheBlockTokens, BlockEviction::kLru, 2);
  EXPECT_THAT(cache.step(tokens_of({{1, 1}, {2, 9}, {3, 5}})), ElementsAre(2, 3));
  EXPECT_FALSE(cache.resident(1));
}

TEST(BlockCache, AStepDoesNotPushOutItsOwnBlocks) {
  BlockCache cache(2 * kCacheBlockTokens, BlockEviction::kLru);
  EXPECT_THAT(cache.step(tokens_of({{1, 3}, {2, 2}, {3, 1}})), ElementsAre(1, 2));
  EXPECT_THAT(cache.step(tokens_of({{1, 1}, {2, 1}, {3, 9}})), IsEmpty());
}

TEST(BlockCache, ForgetsBlocksOfTokensThatAreGone) {
  BlockCache cache(4 * kCacheBlockTokens, BlockEviction::kLfu);
  cache.step(tokens_of({{0, 1}, {1, 1}, {2, 1}}));
  cache.forget(2 * kCacheBlockTokens - 1);
  EXPECT_TRUE(cache.resident(0));
  EXPECT_FALSE(cache.resident(1));
  EXPECT_FALSE(cache.resident(2));
}

TEST(BlockCache, WithoutCapacityNothingIsResident) {
  BlockCache cache(kCacheBlockTokens - 1, BlockEviction::kLfu);
  EXPECT_THAT(cache.step(tokens_of({{0, 1}})), IsEmpty());
  EXPECT_THAT(cache.step({}), IsEmpty());
  EXPECT_EQ(cache.hits(), 0);
}

}  // namespace
}  // namespace mneme::engine
