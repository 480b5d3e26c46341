#include "engine/fusion/fusion_rows.h"

#include <gtest/gtest.h>

#include <numeric>
#include <utility>
#include <vector>

namespace mneme::engine {
namespace {

PromptSegment computed(int n) {
  return {std::vector<TokenId>(static_cast<size_t>(n), 7), -1, false};
}

PromptSegment cached(int n, int chunk) {
  return {std::vector<TokenId>(static_cast<size_t>(n), 9), chunk, false};
}

std::vector<bool> in_place(const PromptPlan& plan, TokenPos first) {
  std::vector<bool> flags;
  for (const PlacedChunk& chunk : lay_out(plan, first).chunks) flags.push_back(chunk.in_place);
  return flags;
}

TEST(FusionRows, OnlyTheChunkBehindThePrefixAndALabelStandsInPlace) {
  PromptPlan plan;
  plan.segments = {computed(5), cached(4, 0), computed(5), cached(4, 1), computed(9)};
  plan.prefix_tokens = 7;
  EXPECT_EQ(in_place(plan, 7), (std::vector<bool>{true, false}));
  EXPECT_EQ(in_place(plan, 300), (std::vector<bool>{false, false})) << "behind what a chat has in place";
  plan.prefix_tokens = -1;
  EXPECT_EQ(in_place(plan, 7), (std::vector<bool>{false, false})) << "nobody knows";
}

TEST(FusionRows, AChunkBehindAComputedPassageDoesNot) {
  PromptPlan plan;
  plan.prefix_tokens = 7;
  plan.segments = {computed(5), computed(4), computed(5), cached(4, 0), computed(9)};
  EXPECT_EQ(in_place(plan, 7), std::vector<bool>{false});
  plan.segments = {computed(200), cached(4, 0), computed(9)};
  EXPECT_EQ(in_place(plan, 7), std::vector<bool>{false});
  plan.segments = {cached(4, 0), computed(9)};
  EXPECT_EQ(in_place(plan, 7), std::vector<bool>{true});
}

// A prefix may be as long as it likes, a label is short.
TEST(FusionRows, HowLongThePrefixIsMakesNoDifference) {
  for (const int n_prefix : {0, 1, 64, 500}) {
    PromptPlan plan;
    plan.prefix_tokens = n_prefix;
    for (const int n_label : {0, 1, 63, 64, 65}) {
      plan.segments = {computed(n_label), cached(4, 0), computed(9)};
      EXPECT_EQ(in_place(plan, n_prefix), std::vector<bool>{n_label <= 64}) << n_prefix << " " << n_label;
    }
  }
}

TEST(FusionRows, TheLastRowsOfTheQuestionLook) {
  PromptPlan plan;
  plan.segments = {computed(3), cached(2, 0), {std::vector<TokenId>(5, 7), -1, true}, computed(1)};
  const FusionRows layout = lay_out(plan, 0);
  std::vector<int> all(layout.rows.size());
  std::iota(all.begin(), all.end(), 0);
  Selector selector = default_selector();
  for (const auto& [most, rows] :
       {std::pair{0, std::vector<int>{5, 6, 7, 8, 9}}, std::pair{2, std::vector<int>{8, 9}},
        std::pair{5, std::vector<int>{5, 6, 7, 8, 9}}, std::pair{99, std::vector<int>{5, 6, 7, 8, 9}}}) {
    selector.look_rows = most;
    EXPECT_EQ(looking_rows(layout, all, selector), rows) << most;
  }
}

TEST(FusionRows, CandidatesAreTheRowsOfChunks) {
  PromptPlan plan;
  plan.prefix_tokens = 0;
  plan.segments = {computed(1), cached(2, 4), computed(1), cached(1, 4), computed(1)};
  const FusionRows layout = lay_out(plan, 0);
  ASSERT_EQ(layout.rows.size(), 6u);
  EXPECT_EQ(layout.n_chunk_rows, 3);
  const std::vector<int> current{0, 2, 4, 5};
  const std::vector<Candidate> candidates = candidates_of(layout, current);
  ASSERT_EQ(candidates.size(), 2u);
  EXPECT_EQ(candidates[0].row, 1);
  EXPECT_EQ(candidates[0].offset, 1);
  EXPECT_TRUE(candidates[0].in_place);
  EXPECT_EQ(candidates[1].row, 2);
  EXPECT_EQ(candidates[1].chunk, 1);
  EXPECT_FALSE(candidates[1].in_place);
}

}  // namespace
}  // namespace mneme::engine
