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

TEST(UnspacedWords, KoreanNounsLoseTheirParticles) {
  EXPECT_EQ(place_of("보증금은 얼마인가요", "보증"), Place::kWithin);
  EXPECT_EQ(place_of("보증금은 얼마인가요", "증금"), Place::kWithin);
  EXPECT_EQ(place_of("보증금은 얼마인가요", "얼마"), Place::kGrammar) << "what asks says nothing";
  EXPECT_NE(place_of("보증금은 얼마인가요", "금은"), Place::kWithin) << "a particle is no part of the word";
  EXPECT_EQ(place_of("강아지 키워도 되나요", "키워"), Place::kGrammar) << "verbs have other forms";
  EXPECT_EQ(place_of("주차는 몇 대까지 되나요", "대까"), Place::kGrammar) << "the unit asks, too";
  EXPECT_NE(place_of("현장학습은 언제야", "장학"), Place::kWithin) << "four syllables are mostly two words";
}

TEST(UnspacedWords, AnyBytesAreTaken) {
  const UnspacedWords words("\xE5\xFF 租\xE9");
  EXPECT_NE(words.place_of(0, 1), Place::kWithin);
  EXPECT_EQ(UnspacedWords("").place_of(0, 3), Place::kGrammar);
}

}  // namespace
}  // namespace mneme::rag
