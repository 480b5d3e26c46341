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

}  // namespace
}  // namespace mneme::engine
