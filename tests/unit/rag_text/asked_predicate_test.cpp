#include "rag/text/asked_predicate.h"

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

TEST(AskedPredicate, ThingsAreNone) {
  for (const char* question :
       {"Who is the dentist?", "What is the deposit?", "When does the train to Hamburg leave?",
        "How much is the car insurance?", "Who wrote Dracula?", "How do I descale it?", "Do", "", "why", "怎么做？"}) {
    EXPECT_EQ(asked_predicate(question), "") << question;
  }
}

}  // namespace
}  // namespace mneme::rag
