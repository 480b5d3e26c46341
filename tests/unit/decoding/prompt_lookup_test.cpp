#include "engine/decoding/prompt_lookup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"

namespace mneme::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

TEST(PromptLookup, GoesOnAsTheTextDidBefore) {
  const std::vector<TokenId> text = {1, 2, 3, 4, 5, 9, 2, 3};
  const PromptLookup lookup(text);
  EXPECT_EQ(lookup.guess().match, 2);
  EXPECT_THAT(lookup.guess().next, ElementsAre(4, 5, 9, 2, 3));
}

TEST(PromptLookup, TheLongestMatchWinsAndThenTheLatest) {
  const std::vector<TokenId> longest = {7, 1, 2, 3, 50, 1, 2, 60, 8, 2, 70, 7, 1, 2};
  EXPECT_EQ(PromptLookup(longest).guess().match, 3);
  EXPECT_EQ(PromptLookup(longest).guess().next.front(), 3);
  const std::vector<TokenId> latest = {1, 2, 50, 1, 2, 60, 1, 2};
  EXPECT_EQ(PromptLookup(latest).guess().next.front(), 60);
}

TEST(PromptLookup, OneTokenIsACoincidence) {
  EXPECT_THAT(PromptLookup(std::vector<TokenId>{1, 2, 3, 2}).guess().next, IsEmpty());
  EXPECT_THAT(PromptLookup(std::vector<TokenId>{1}).guess().next, IsEmpty());
  EXPECT_THAT(PromptLookup({}).guess().next, IsEmpty());
  // The end is no place of its own: nothing stands behind it.
  EXPECT_THAT(PromptLookup(std::vector<TokenId>{1, 2}).guess().next, IsEmpty());
}

TEST(PromptLookup, RepetitionIsFollowed) {
  const std::vector<TokenId> text(20, 4);
  EXPECT_THAT(PromptLookup(text).guess().next, ElementsAre(4));
  EXPECT_EQ(PromptLookup(text).guess().match, 16);
}

// What the header says, without an index.
PromptLookup::Guess plain_guess(std::span<const TokenId> text) {
  PromptLookup::Guess best;
  for (size_t end = text.size() - 1; end >= 2; --end) {
    size_t match = 0;
    while (match < end && match < 16 && text[end - 1 - match] == text[text.size() - 1 - match]) ++match;
    if (match >= 2 && static_cast<int>(match) > best.match) best = {static_cast<int>(match), text.subspan(end)};
  }
  return best;
}

TEST(PromptLookup, EqualsLookingEverywhere) {
  Random random(5);
  for (const uint64_t n_words : {3, 12, 60}) {
    std::vector<TokenId> text = {0, 1};
    PromptLookup lookup(text);
    for (int i = 0; i < 150; ++i) {
      text.push_back(static_cast<TokenId>(random.below(n_words)));
      lookup.add(text.back());
      // Of the commonest pairs only the latest 64 places are looked at.
      if (n_words == 3 && i > 60) break;
      const PromptLookup::Guess expected = plain_guess(text);
      ASSERT_EQ(lookup.guess().match, expected.match);
      ASSERT_THAT(lookup.guess().next, ElementsAreArray(expected.next));
    }
  }
}

}  // namespace
}  // namespace mneme::engine
