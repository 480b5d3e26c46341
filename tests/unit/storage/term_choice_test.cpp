#include "storage/catalogue/term_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

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

TEST(TermChoice, RarestFirstAsLongAsTheBudgetLasts) {
  const std::vector<WeightedTerm> asked = {term("common", 9000), term("rare", 10), term("middling", 4000),
                                           term("everywhere", 80'000)};
  EXPECT_THAT(names(choose_terms(asked, kChunks, false)), ElementsAre("rare", "middling", "common"))
      << "what is in most chunks tells nothing";
  EXPECT_THAT(names(choose_terms(asked, kChunks, false, {.rows = 13'010})), ElementsAre("rare", "middling", "common"));
  EXPECT_THAT(names(choose_terms(asked, kChunks, false, {.rows = 13'009})), ElementsAre("rare", "middling"));
}

TEST(TermChoice, OneTermAtLeast) {
  const LexicalBudget nothing{.rows = 0};
  EXPECT_THAT(names(choose_terms({term("b", 12'000), term("a", 9000)}, kChunks, false, nothing)), ElementsAre("a"));
  EXPECT_THAT(choose_terms({}, kChunks, false), IsEmpty());
  EXPECT_THAT(names(choose_terms({term("everywhere", 90'000)}, kChunks, false)), ElementsAre("everywhere"));
  EXPECT_THAT(choose_terms({term("everywhere", 90'000)}, kChunks, true), IsEmpty())
      << "beside a phrase it is not needed";
}

TEST(TermChoice, RarerTermsWeighMore) {
  EXPECT_GT(term_idf(10, kChunks), term_idf(100, kChunks));
  EXPECT_GT(term_idf(kChunks, kChunks), 0.0);
  EXPECT_GT(term_idf(kChunks + 10, kChunks), 0.0) << "counted while the catalogue grew";
}

}  // namespace
}  // namespace mneme::storage
