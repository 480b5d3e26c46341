#include "rag/follow_ups/exchanged_thing.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "rag/follow_ups/exchanged_asking.h"
#include "rag/follow_ups/standalone_query.h"
#include "rag/follow_ups/way_back.h"

namespace mneme::rag {
namespace {

std::string exchanged(std::string_view before, std::string_view follow_up) {
  return with_thing_exchanged(before, follow_up).value_or("-");
}

TEST(ExchangedThing, TheSameIsAskedOfAnother) {
  EXPECT_EQ(exchanged("How much is the rent?", "And the deposit?"), "How much is the deposit?");
  EXPECT_EQ(exchanged("How much is the rent?", "What about the old boat house?"), "How much is the old boat house?");
  EXPECT_EQ(exchanged("When does the Arnmouth museum open?", "And the harbour?"), "When does the harbour open?");
  EXPECT_EQ(exchanged("What does F75 mean?", "And F22?"), "What does F22 mean?");
  EXPECT_EQ(exchanged("What is the capital of Norway?", "and Sweden?"), "What is the capital of Sweden?");
  EXPECT_EQ(exchanged("What is the capital of Norway?", "What about New Zealand?"),
            "What is the capital of New Zealand?");
  EXPECT_EQ(exchanged("Wie hoch ist die Miete?", "Und die Kaution?"), "Wie hoch ist die Kaution?");
}

TEST(ExchangedThing, WhatWasSaidBehindTheSamePreposition) {
  EXPECT_EQ(exchanged("When is the rent of the flat due?", "And for the garage?"),
            "When is the rent of the garage due?");
  EXPECT_EQ(exchanged("Was hat die Werkstatt für den Ölwechsel verlangt?", "Und für die Bremsen?"),
            "Was hat die Werkstatt für die Bremsen verlangt?");
  EXPECT_EQ(exchanged("How much electricity did we use in 2025?", "And in 2024?"),
            "How much electricity did we use in 2024?");
  EXPECT_EQ(exchanged("When does the museum open?", "And in winter?"), "-");
}

TEST(ExchangedThing, OwnersAndOtherLanguages) {
  EXPECT_EQ(exchanged("When is Lena's appointment?", "And Oscar's?"), "When is Oscar's appointment?");
  EXPECT_EQ(exchanged("¿Cuánto es la renta del piso?", "¿Y la fianza?"), "¿Cuánto es la fianza del piso?");
  EXPECT_EQ(exchanged("Quel est le loyer ?", "Et le dépôt de garantie ?"), "Quel est le dépôt de garantie ?");
  EXPECT_EQ(exchanged("Сколько стоит аренда квартиры?", "А залог?"), "Сколько стоит залог?");
  EXPECT_EQ(exchanged("Сколько стоила замена масла?", "А колодок?"), "Сколько стоила замена колодок?");
}

TEST(ExchangedThing, WhatStandsInBracketsIsExchangedThere) {
  EXPECT_EQ(exchanged("Whom do I pay? (the rent of the flat)", "And the deposit?"),
            "Whom do I pay? (the deposit of the flat)");
}

TEST(ExchangedThing, WhatNamesNoThingIsLeftAlone) {
  for (const char* follow_up : {"And in winter?", "And who pays?", "Why?", "What about it?", "And?", "", "the deposit",
                                "And how much is the heating?", "What else?", "And dogs?"}) {
    EXPECT_EQ(exchanged("How much is the rent?", follow_up), "-") << follow_up;
  }
  EXPECT_EQ(exchanged("", "And the deposit?"), "-");
  EXPECT_EQ(exchanged("红烧肉怎么做？", "And F22?"), "-");
}

TEST(ExchangedThing, TheWayBack) {
  const auto back = [](std::string_view before, std::string_view follow_up) {
    return with_way_back(before, follow_up).value_or("-");
  };
  EXPECT_EQ(back("When does our flight to Lisbon leave?", "And back?"), "When does our flight on the return leave?");
  EXPECT_EQ(back("Wann fahren wir nach Bad Tölz?", "Und zurück?"), "Wann fahren wir zurück?");
  EXPECT_EQ(back("When do we fly to San Marino, and who pays?", "And back?"),
            "When do we fly on the return, and who pays?");
  EXPECT_EQ(back("When do we go to town and to Lisbon?", "And back?"), "When do we go to town and on the return?");
  EXPECT_EQ(back("When do we fly to", "And back?"), "-");
  EXPECT_EQ(back("When does the museum open?", "And back?"), "-");
  EXPECT_EQ(back("When does our flight to Lisbon leave?", "And the deposit?"), "-");
  EXPECT_EQ(back("", "And back?"), "-");
}

TEST(ExchangedThing, AnAdverbInPlaceOfWhatANounAsks) {
  const auto asked = [](std::string_view before, std::string_view follow_up) {
    return with_asking_exchanged(before, follow_up).value_or("-");
  };
  EXPECT_EQ(asked("Bei welcher Temperatur backe ich Kipferl?", "Und wie lange?"), "Wie lange backe ich Kipferl?");
  EXPECT_EQ(asked("At what temperature do I bake them?", "And how long?"), "How long do I bake them?");
  EXPECT_EQ(asked("What time does the train leave?", "And where?"), "Where does the train leave?");
  EXPECT_EQ(asked("Which day is it?", "When?"), "When is it?");
  EXPECT_EQ(asked("How many buses run?", "When?"), "-") << "nothing is left that could be asked of them";
  EXPECT_EQ(asked("", "When?"), "-");
  EXPECT_EQ(asked("What colour paint was used?", "And when?"), "-") << "the words for what is asked go on";
}

TEST(ExchangedThing, AnyTextIsSurvived) {
  Random random(11);
  const std::string_view alphabet[] = {"and ", "the ", "F2", "Rent", "?", " ", "what about ", "\xc3", "é", "does "};
  for (int round = 0; round < 2000; ++round) {
    std::string a;
    std::string b;
    for (int i = 0; i < 8; ++i) {
      a += alphabet[random.below(std::size(alphabet))];
      b += alphabet[random.below(std::size(alphabet))];
    }
    with_thing_exchanged(a, b);
  }
}

TEST(ExchangedThing, GoesOnOverSeveralTurns) {
  const std::vector<Turn> history = {{"What does F75 mean?", "..."}, {"And F22?", "..."}};
  EXPECT_EQ(standalone_query("And F28?", history), "What does F28 mean?");
  EXPECT_EQ(standalone_query("Who is the landlord?", history), "Who is the landlord?") << "says all that it asks";
}

}  // namespace
}  // namespace mneme::rag
