#include "rag/text/asked/meaning.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(AskedMeaningTest, WhatSomethingStandsForOrMeansIsWhatItIs) {
  EXPECT_EQ(asked_plainly("What does HTTP stand for?"), "What is HTTP?");
  EXPECT_EQ(asked_plainly("what does WASM mean"), "What is WASM");
  EXPECT_EQ(asked_plainly("What does a wheel mean in Python?"), "What is a wheel in Python?");
  EXPECT_EQ(asked_plainly("What do monads mean?"), "What are monads?");
  EXPECT_EQ(asked_plainly("What is the meaning of backpressure?"), "What is backpressure?");
  EXPECT_EQ(asked_plainly("Define entropy."), "What is entropy.");
  EXPECT_EQ(asked_plainly("Was bedeutet Skalierung?"), "Was ist Skalierung?");
}

TEST(AskedMeaningTest, OtherQuestionsStay) {
  for (const std::string_view question :
       {"What does it mean?", "What does the committee of the board mean?", "What does the tool do?", "What is HTTP?",
        "What does", "Define", "", "\xff?", "What does the bill stand?", "What does E1 mean on the kettle?"}) {
    EXPECT_EQ(asked_plainly(question), question);
  }
}

}  // namespace
}  // namespace mneme::rag
