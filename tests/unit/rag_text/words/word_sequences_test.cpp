#include "rag/text/words/word_sequences.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(WordSequences, TheLongestThatStandsAtAnEndCounts) {
  const WordSequences sequences("most recent, most, la plus récente, recent", ", ");
  const std::vector<PlacedWord> words = placed_words("Most recent letter, la plus recente");
  EXPECT_EQ(sequences.at_front(words), 2U);
  EXPECT_EQ(sequences.at_back(words), 3U);
  EXPECT_EQ(sequences.at_front(std::span(words).subspan(1)), 1U) << "recent";
  EXPECT_EQ(sequences.at_front(std::span(words).subspan(2)), 0U);
  EXPECT_EQ(sequences.at_back({}), 0U);
  EXPECT_TRUE(sequences.is_whole(std::span(words).first(2)));
  EXPECT_FALSE(sequences.is_whole({}));
}

TEST(WordSequences, OneWordIsFoundByItself) {
  const WordSequences words("Über von l'", " ");
  EXPECT_TRUE(words.has("uber") && words.has("von") && words.has("l"));
  EXPECT_FALSE(words.has("vo") || words.has(""));
  EXPECT_TRUE(words.has_any(placed_words("Brief von der Bank")));
  EXPECT_FALSE(words.has_any(placed_words("Brief")));
  EXPECT_FALSE(WordSequences().has_any(placed_words("Brief")));
}

TEST(WordSequences, WhatTheyBeginAndEndWithIsTakenOff) {
  const WordSequences lead("show, show me, the, please", ", ");
  const std::vector<PlacedWord> words = placed_words("Please show me the letter please");
  const auto rest = without_back(without_front(words, lead), lead);
  ASSERT_EQ(rest.size(), 1U);
  EXPECT_EQ(rest[0].text, "letter");
}

}  // namespace
}  // namespace mneme::rag
