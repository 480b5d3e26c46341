#include "engine/fusion/selector.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace mneme::engine {
namespace {

// Three chunks of 40 tokens with scores that rise towards the end of each chunk.
std::vector<Candidate> three_chunks() {
  std::vector<Candidate> candidates;
  for (int chunk = 0; chunk < 3; ++chunk) {
    for (int t = 0; t < 40; ++t) candidates.push_back({chunk * 40 + t, chunk, t, 40, static_cast<float>(t)});
  }
  return candidates;
}

TEST(Selector, NamesAreUniqueAndFound) {
  std::set<std::string_view> names;
  for (const Selector& s : selectors()) {
    EXPECT_TRUE(names.insert(s.name).second);
    EXPECT_EQ(selector_by_name(s.name)->name, s.name);
  }
  EXPECT_FALSE(selector_by_name("nonsense"));
}

TEST(Selector, EverySelectorChoosesExactlyTheBudgetInAscendingOrder) {
  const std::vector<Candidate> candidates = three_chunks();
  for (const Selector& selector : selectors()) {
    for (int budget : {0, 1, 18, 119, 120, 500}) {
      const std::vector<int> rows = choose_rows(selector, candidates, budget, 0.15);
      EXPECT_EQ(static_cast<int>(rows.size()), std::min(budget, 120)) << selector.name;
      EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
      EXPECT_EQ(std::set<int>(rows.begin(), rows.end()).size(), rows.size());
    }
  }
}

TEST(Selector, BoundaryTakesTheFirstTokensOfEachChunk) {
  const std::vector<int> rows = choose_rows(*selector_by_name("boundary"), three_chunks(), 12, 0.1);
  EXPECT_EQ(rows, (std::vector<int>{0, 1, 2, 3, 40, 41, 42, 43, 80, 81, 82, 83}));
}

TEST(Selector, DeviationTakesTheHighestScores) {
  const std::vector<int> rows = choose_rows(*selector_by_name("hkvd-one-layer"), three_chunks(), 3, 0.1);
  EXPECT_EQ(rows, (std::vector<int>{39, 79, 119}));
}

TEST(Selector, CombinationsGuaranteeBoundaryTokensOfLaterChunks) {
  // ratio 0.15 of 40 tokens, half of it: ceil(3) first tokens of chunks 1 and 2; the rest by score.
  const std::vector<int> rows = choose_rows(*selector_by_name("boundary+hkvd"), three_chunks(), 9, 0.15);
  EXPECT_EQ(rows, (std::vector<int>{39, 40, 41, 42, 79, 80, 81, 82, 119}));
}

TEST(Selector, NanScoresGoLast) {
  std::vector<Candidate> candidates = three_chunks();
  candidates[39].score = NAN;
  const std::vector<int> rows = choose_rows(*selector_by_name("hkvd"), candidates, 119, 0.99);
  EXPECT_FALSE(std::set<int>(rows.begin(), rows.end()).contains(39));
}

TEST(Selector, SharesFallGraduallyToTheRatio) {
  const std::vector<double> shares = layer_shares(*selector_by_name("hkvd"), 8, 0.2);
  EXPECT_EQ(shares[0], 1.0);
  EXPECT_EQ(shares[1], 1.0);
  EXPECT_TRUE(std::is_sorted(shares.rbegin(), shares.rend()));
  EXPECT_GT(shares[2], 0.2);
  EXPECT_EQ(shares[7], 0.2);
  for (const double share : layer_shares(*selector_by_name("boundary"), 8, 0.2)) EXPECT_EQ(share, 0.2);
  for (const double share : layer_shares(*selector_by_name("hkvd"), 8, 1.0)) EXPECT_EQ(share, 1.0);
  for (const double share : layer_shares(*selector_by_name("hkvd"), 8, 0.0)) EXPECT_EQ(share, 0.0);
}

TEST(Selector, ChunksThatStandWhereTheyWereComputedComeLast) {
  std::vector<Candidate> candidates = three_chunks();
  for (int t = 0; t < 40; ++t) candidates[static_cast<size_t>(t)].in_place = true;
  const Selector focus = *selector_by_name("focus");
  EXPECT_EQ(choose_rows(focus, candidates, 2, 0.02), (std::vector<int>{79, 119}));
  EXPECT_EQ(choose_rows(focus, candidates, 81, 0.7).front(), 39);
  EXPECT_EQ(choose_rows(*selector_by_name("query"), candidates, 3, 0.02), (std::vector<int>{39, 79, 119}));
}

TEST(Selector, DepthPutsTheShareOnTheFirstLayers) {
  const Selector half{.name = "half", .rank = RankBy::kQuestion, .depth = 0.5};
  EXPECT_EQ(layer_shares(half, 4, 0.25), (std::vector<double>{0.5, 0.5, 0.0, 0.0}));
  // More than the first layers can take goes to the others.
  EXPECT_EQ(layer_shares(half, 4, 0.75), (std::vector<double>{1.0, 1.0, 0.5, 0.5}));
  EXPECT_EQ(layer_shares(half, 4, 1.0), std::vector<double>(4, 1.0));
  EXPECT_EQ(layer_shares(half, 1, 0.25), std::vector<double>{0.25});
  for (const Selector& selector : selectors()) {
    if (selector.rank == RankBy::kDeviation) continue;
    for (const double ratio : {0.0, 0.15, 0.4, 0.95}) {
      const std::vector<double> shares = layer_shares(selector, 24, ratio);
      double mean = 0.0;
      for (const double share : shares) mean += share / 24;
      EXPECT_NEAR(mean, ratio, 1e-9) << selector.name;
      EXPECT_TRUE(std::is_sorted(shares.rbegin(), shares.rend())) << selector.name;
    }
  }
}

TEST(Selector, TheQuestionLooksOnlyWhereThereIsAChoice) {
  const Selector query = *selector_by_name("query");
  EXPECT_TRUE(looks_first(query, 0.15));
  EXPECT_FALSE(looks_first(query, 0.0));
  EXPECT_FALSE(looks_first(query, 1.0));
  EXPECT_FALSE(looks_first(*selector_by_name("hkvd"), 0.15));
}

TEST(Selector, LooksAtTheLastOfTheLayersThatItRunsThrough) {
  const Selector some{.name = "some", .rank = RankBy::kQuestion, .look_depth = 0.5, .look_scored = 0.25};
  EXPECT_EQ(look_layers(some, 8).first_scored, 2);
  EXPECT_EQ(look_layers(some, 8).end, 4);
  EXPECT_EQ(look_layers(some, 1).first_scored, 0);
  EXPECT_EQ(look_layers(some, 1).end, 1);
  for (const Selector& selector : selectors()) {
    for (const int n_layers : {1, 2, 5, 8, 32}) {
      const LookLayers looked = look_layers(selector, n_layers);
      EXPECT_GE(looked.first_scored, 0);
      EXPECT_LT(looked.first_scored, looked.end);
      EXPECT_LE(looked.end, n_layers);
    }
  }
}

}  // namespace
}  // namespace mneme::engine
