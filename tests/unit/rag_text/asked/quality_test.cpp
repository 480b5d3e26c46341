#include "rag/text/asked/quality.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(AskedQuality, IsTheWordForTheKindBehindWhatAsks) {
  EXPECT_EQ(asked_quality("What colour are Odile's eyes?"), "colour");
  EXPECT_EQ(asked_quality("what color is the door"), "color");
  EXPECT_EQ(asked_quality("What is the colour of the hull?"), "colour");
  EXPECT_EQ(asked_quality("Which language does she speak?"), "language");
  EXPECT_EQ(asked_quality("In which month is the fair?"), "month");
  EXPECT_EQ(asked_quality("Welche Farbe hat die Tür?"), "farbe");
  EXPECT_EQ(asked_quality("In welcher Sprache ist das Buch?"), "sprache");
  EXPECT_EQ(asked_quality("De quelle couleur est la porte ?"), "couleur");
  EXPECT_EQ(asked_quality("¿De qué color es la puerta?"), "color");
  EXPECT_EQ(asked_quality("Какого цвета дверь?"), "цвета");
}

TEST(AskedQuality, WhoWantsToDoSomethingWantsNone) {
  EXPECT_EQ(asked_quality("How do I change the colour of the text?"), "");
  EXPECT_EQ(asked_quality("When was the language invented?"), "");
  EXPECT_EQ(asked_quality("Are the doors grey?"), "");
  EXPECT_EQ(asked_quality("What does the pump move?"), "");
  EXPECT_EQ(asked_quality(""), "");
}

TEST(AskedQuality, KindsHaveTheirWords) {
  EXPECT_THAT(words_of_quality("colour"), Contains("grey"));
  EXPECT_THAT(words_of_quality("farbe"), Contains("grau"));
  EXPECT_THAT(words_of_quality("language"), Contains("french"));
  EXPECT_THAT(words_of_quality("language"), Not(Contains("grey")));
  EXPECT_THAT(words_of_quality("pump"), IsEmpty());
  EXPECT_THAT(words_of_quality(""), IsEmpty());
}

TEST(AskedQuality, LikenessIsAFormOfAsking) {
  EXPECT_TRUE(asks_likeness("What are Odile's eyes like?"));
  EXPECT_TRUE(asks_likeness("What does the lighthouse look like?"));
  EXPECT_FALSE(asks_likeness("What does she like most?"));
  EXPECT_FALSE(asks_likeness("like"));
  EXPECT_TRUE(is_likeness_word("look"));
  EXPECT_FALSE(is_likeness_word("eyes"));
}

}  // namespace
}  // namespace mneme::rag
