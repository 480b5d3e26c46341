#include "rag/retrieval/rank_merge.h"

#include <gtest/gtest.h>

#include <vector>

namespace mneme::rag {
namespace {

using Keys = std::vector<int64_t>;

Keys keys_of(const std::vector<MergedRank>& merged) {
  Keys keys;
  for (const MergedRank& one : merged) keys.push_back(one.key);
  return keys;
}

TEST(RankMerge, WhatBothHaveComesBeforeWhatOneHas) {
  const Keys words = {1, 2, 3};
  const Keys vectors = {4, 3, 5};
  const Ranking rankings[] = {{words}, {vectors}};
  const std::vector<MergedRank> merged = merge_rankings(rankings);
  EXPECT_EQ(keys_of(merged), (Keys{3, 1, 4, 2, 5}));  // ties by key
  EXPECT_DOUBLE_EQ(merged[0].score, 1 / 63.0 + 1 / 62.0);
  EXPECT_DOUBLE_EQ(merged[1].score, 1 / 61.0);
}

TEST(RankMerge, WeightsCount) {
  const Keys words = {1, 2};
  const Keys vectors = {2, 1};
  const Ranking rankings[] = {{words, 1.0}, {vectors, 1.5}};
  const std::vector<MergedRank> merged = merge_rankings(rankings);
  EXPECT_EQ(keys_of(merged), (Keys{2, 1}));
  EXPECT_DOUBLE_EQ(merged[0].score, 1 / 62.0 + 1.5 / 61.0);
}

TEST(RankMerge, EqualScoresShareAPlace) {
  const Keys keys = {9, 7, 8, 6, 5};
  const std::vector<double> scores = {3, 2, 2, 2, 1};
  const Ranking ranking{keys, 1.0, scores};
  const std::vector<MergedRank> merged = merge_rankings({&ranking, 1});
  EXPECT_EQ(keys_of(merged), (Keys{9, 6, 7, 8, 5}));
  for (const size_t i : {1, 2, 3}) EXPECT_DOUBLE_EQ(merged[i].score, 1 / 62.0);
  EXPECT_DOUBLE_EQ(merged[4].score, 1 / 65.0) << "the places behind stay theirs";
}

TEST(RankMerge, OfNothingIsNothing) {
  EXPECT_TRUE(merge_rankings({}).empty());
  const Ranking rankings[] = {{}, {}};
  EXPECT_TRUE(merge_rankings(rankings).empty());
}

}  // namespace
}  // namespace mneme::rag
