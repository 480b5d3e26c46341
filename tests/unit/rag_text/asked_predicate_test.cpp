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
}

TEST(AskedPredicate, ThingsAreNone) {
  for (const char* question : {"Who is the dentist?", "What is the deposit?", "When does the train to Hamburg leave?",
                               "How much is the car insurance?", "Who wrote Dracula?", "", "why", "怎么做？"}) {
    EXPECT_EQ(asked_predicate(question), "") << question;
  }
}

}  // namespace
}  // namespace mneme::rag
