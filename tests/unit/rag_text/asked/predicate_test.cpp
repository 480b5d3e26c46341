#include "rag/text/asked/predicate.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(AskedPredicate, WhatHappensToTheThing) {
  EXPECT_EQ(asked_predicate("Who makes the cake?"), "makes");
  EXPECT_EQ(asked_predicate("When did my salary arrive?"), "arrive");
  EXPECT_EQ(asked_predicate("When do we plant tomatoes?"), "plant");
  EXPECT_EQ(asked_predicate("Where is the descaler stored?"), "stored");
  EXPECT_EQ(asked_predicate("Why was Tollgate not chosen?"), "chosen");
  EXPECT_EQ(asked_predicate("Do I have to bring towels?"), "bring");
  EXPECT_EQ(asked_predicate("How much do we owe the vet?"), "owe");
  EXPECT_EQ(asked_predicate("What do we wear at the concert?"), "wear");
  EXPECT_EQ(asked_predicate("May Milo swim?"), "swim");
}

TEST(AskedPredicate, BehindLongerSubjectsAndWhatIsAskedFor) {
  EXPECT_EQ(asked_predicate("When does the Larkfield agreement end?"), "end");
  EXPECT_EQ(asked_predicate("How long does the soup keep in the freezer?"), "keep");
  EXPECT_EQ(asked_predicate("How much luggage can we take?"), "take");
  EXPECT_EQ(asked_predicate("Which heat pump does Brook offer?"), "offer");
  EXPECT_EQ(asked_predicate("May Milo eat grapes?"), "") << "what it is done to stands behind it";
}

TEST(AskedPredicate, OfGermanStandsBehindWhatAsksOrAtTheEnd) {
  EXPECT_EQ(asked_predicate("Wann endet mein Vertrag?"), "endet");
  EXPECT_EQ(asked_predicate("Wie schnell schleudert der Trockner?"), "schleudert");
  EXPECT_EQ(asked_predicate("Wie viel Wasser passt in die Tonne?"), "passt");
  EXPECT_EQ(asked_predicate("Welches Öl braucht der Golf?"), "braucht");
  EXPECT_EQ(asked_predicate("Wann habe ich die Stiefel gekauft?"), "gekauft");
  EXPECT_EQ(asked_predicate("Wann muss der Riemen gewechselt werden?"), "gewechselt");
  EXPECT_EQ(asked_predicate("Dürfen die Kinder Handys mitnehmen?"), "mitnehmen");
  EXPECT_EQ(asked_predicate("Wann wurde das Auto gekauft?"), "") << "a day is of that deed or of another";
  EXPECT_EQ(asked_predicate("Wie hoch ist die Miete?"), "");
  EXPECT_EQ(asked_predicate("Was it cold?"), "");
}

TEST(AskedPredicate, ThingsAreNone) {
  for (const char* question :
       {"Who is the dentist?", "What is the deposit?", "When does the train to Hamburg leave?",
        "How much is the car insurance?", "Who wrote Dracula?", "How do I descale it?", "Do", "", "why", "怎么做？"}) {
    EXPECT_EQ(asked_predicate(question), "") << question;
  }
}

}  // namespace
}  // namespace mneme::rag
