#include "rag/text/languages/unspaced_words.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

using Place = UnspacedWords::Place;

Place place_of(std::string_view question, std::string_view characters) {
  const size_t at = question.find(characters);
  return UnspacedWords(question).place_of(at, at + characters.size());
}

TEST(UnspacedWords, PairsLieWithinWordsAcrossThemOrInGrammar) {
  EXPECT_EQ(place_of("停车位租金多少", "租金"), Place::kWithin);
  EXPECT_EQ(place_of("停车位租金多少", "位租"), Place::kAcross);
  EXPECT_EQ(place_of("停车位租金多少", "金多"), Place::kGrammar) << "what asks says nothing";
  EXPECT_EQ(place_of("家賃はいくら", "家賃"), Place::kWithin);
  EXPECT_EQ(place_of("家賃はいくら", "はい"), Place::kGrammar) << "no \"yes\"";
  EXPECT_EQ(place_of("インターネットの料金", "ター"), Place::kWithin);
}

TEST(UnspacedWords, WhatTheDictionaryDoesNotHaveIsNoWordThatIsMissed) {
  EXPECT_NE(place_of("可以养猫吗", "养猫"), Place::kWithin);
}

TEST(UnspacedWords, AnyBytesAreTaken) {
  const UnspacedWords words("\xE5\xFF 租\xE9");
  EXPECT_NE(words.place_of(0, 1), Place::kWithin);
  EXPECT_EQ(UnspacedWords("").place_of(0, 3), Place::kGrammar);
}

}  // namespace
}  // namespace mneme::rag
