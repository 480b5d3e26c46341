#include "storage/catalogue/lexical_match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "storage/catalogue/catalogue.h"
#include "temporary_home.h"

namespace mneme::storage {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int64_t kChunks = 100'000;

WeightedTerm term(const std::string& text, int64_t frequency) {
  return {{text, 1.0, false, false}, frequency};
}

std::vector<std::string> names(const std::vector<WeightedTerm>& terms) {
  std::vector<std::string> texts;
  for (const WeightedTerm& t : terms) texts.push_back(t.term.term);
  return texts;
}

TEST(LexicalMatch, RareTermsChooseAndCommonOnesAdd) {
  const ChosenTerms chosen =
      choose_terms({term("common", 9000), term("rare", 10), term("middling", 4000), term("everywhere", 80'000)},
                   kChunks, false, {.chosen_rows = 5000, .passed_rows = 20'000});
  EXPECT_THAT(names(chosen.choosing), ElementsAre("rare", "middling"));
  EXPECT_THAT(names(chosen.adding), ElementsAre("common")) << "what is in most chunks tells nothing";
  EXPECT_FALSE(chosen.both);
  const MatchExpression match = build_match({}, chosen, kChunks);
  EXPECT_EQ(match.weights.size(), 5u);
  EXPECT_GT(match.weights[0], match.weights[1]) << "the rarer term weighs more";
  EXPECT_EQ(match.weights[2] + match.weights[3], 0.0) << "what is mentioned again scores nothing";
  EXPECT_GT(match.weights[4], 0.0);
}

TEST(LexicalMatch, WhereAllIsCommonARowMustHaveTwo) {
  const LexicalBudget budget{.chosen_rows = 5000, .passed_rows = 30'000};
  const ChosenTerms chosen =
      choose_terms({term("b", 12'000), term("a", 9000), term("c", 20'000)}, kChunks, false, budget);
  EXPECT_THAT(names(chosen.choosing), ElementsAre("a"));
  EXPECT_THAT(names(chosen.adding), ElementsAre("b")) << "c would cost more than may be walked past";
  EXPECT_TRUE(chosen.both);
  EXPECT_EQ(build_match({}, chosen, kChunks).weights.size(), 2u);
  const ChosenTerms alone = choose_terms({term("a", 9000)}, kChunks, false, budget);
  EXPECT_FALSE(alone.both);
}

TEST(LexicalMatch, NothingToLookForIsNoExpression) {
  EXPECT_EQ(build_match({}, choose_terms({}, kChunks, false), kChunks).text, "");
  const ChosenTerms only = choose_terms({term("everywhere", 90'000)}, kChunks, false);
  EXPECT_THAT(names(only.choosing), ElementsAre("everywhere"));
  EXPECT_THAT(names(choose_terms({term("everywhere", 90'000)}, kChunks, true).choosing), IsEmpty())
      << "beside a phrase it is not needed";
}

// More chunks have one of the words than the budget chooses, so that one of them can only add.
TEST(LexicalMatch, AddingTermsScoreButChooseNothing) {
  TemporaryHome home;
  auto catalogue = Catalogue::open({.path = home.path() + "/catalog.db"});
  ASSERT_TRUE(catalogue.ok()) << catalogue.status().message();
  const auto collection = (*catalogue)->ensure_collection("default");
  ASSERT_TRUE(collection.ok());
  NewDocument document;
  document.record.collection = *collection;
  document.record.path = "/a.txt";
  document.record.format = "text";
  constexpr int kMany = 16'500;
  const std::string words[] = {"reed", "moss", "clay", "kelp", "fern"};
  for (int i = 0; i < kMany; ++i) {
    NewChunk& chunk = document.chunks.emplace_back();
    chunk.byte_begin = static_cast<uint64_t>(i) * 10;
    chunk.byte_end = chunk.byte_begin + 10;
    chunk.line_begin = chunk.line_end = i + 1;
    chunk.text = words[i % 5] + (i % 500 < 5 ? " sand" : "");
  }
  ASSERT_TRUE((*catalogue)->put_document(document).ok());
  for (const std::string& word : words) {
    const auto hits = (*catalogue)->search_lexical(word + " sand reed moss clay kelp fern", {}, 40);
    ASSERT_TRUE(hits.ok()) << hits.status().message();
    ASSERT_EQ(hits->size(), 40u);
    const auto best = (*catalogue)->chunk(hits->front().chunk);
    ASSERT_TRUE(best.ok());
    EXPECT_EQ(best->text, word + " sand") << "asked for twice, it counts twice, whether it chose the row or not";
  }
}

}  // namespace
}  // namespace mneme::storage
