#include "rag/text/asked/members.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(AskedMembers, AllOfAKind) {
  EXPECT_THAT(asked_members("Which plans are there?"), ElementsAre("plan"));
  EXPECT_THAT(asked_members("What status codes does it return?"), ElementsAre("status", "code"));
  EXPECT_THAT(asked_members("What are the themes of penfold?"), ElementsAre("them"));
  EXPECT_THAT(asked_members("Welche Programme hat der Trockner?"), ElementsAre("programm"));
}

TEST(AskedMembers, OneOfThemOrSomethingElse) {
  for (const char* question :
       {"Which plan is there?", "Which plans cost less?", "What gas does it burn?", "Which of the plans is free?",
        "Welche Farbe bekommt das Haus?", "How many plans are there?", "What is a plan?", "Which", ""}) {
    EXPECT_THAT(asked_members(question), IsEmpty()) << question;
  }
}

}  // namespace
}  // namespace mneme::rag
