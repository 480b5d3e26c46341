#include "rag/text/asked_permission.h"

#include <gtest/gtest.h>

#include "rag/text/question_kind.h"

namespace mneme::rag {
namespace {

TEST(AskedPermission, MayItBeDoneOrMustIt) {
  for (const std::string_view question :
       {"Can we keep a dog?", "may I smoke", "Is smoking allowed?", "are cats permitted",
        "Darf man auf dem Balkon grillen?", "Hühner erlaubt?"}) {
    EXPECT_EQ(asked_permission(question), Permission::kMay) << question;
  }
  for (const std::string_view question :
       {"Do I have to bring towels?", "do we need to paint the walls when we move out",
        "Muss ich die Kaution zahlen?"}) {
    EXPECT_EQ(asked_permission(question), Permission::kMust) << question;
  }
  for (const std::string_view question :
       {"How can I reset it?", "What is allowed on the balcony?", "When may he swim?", "Is the rent due?"}) {
    EXPECT_EQ(asked_permission(question), Permission::kNone) << question;
  }
}

TEST(AskedPermission, ARuleIsAYesOrANo) {
  EXPECT_EQ(ruling_cue("Dogs are not permitted.", Permission::kMay), 1.0);
  EXPECT_EQ(ruling_cue("Hunde dürfen nicht gehalten werden.", Permission::kMay), 1.0);
  EXPECT_EQ(ruling_cue("They must be white again.", Permission::kMust), 1.0);
  EXPECT_LT(ruling_cue("Tenants may paint the walls.", Permission::kMust), 1.0);
  EXPECT_EQ(ruling_cue("The dog is called Milo.", Permission::kMay), 0.0);
  EXPECT_EQ(ruling_cue("Dogs are not permitted.", Permission::kNone), 0.0);
}

TEST(AskedPermission, WhatHardlySaysMoreThanItsThingNeedNotBeSaid) {
  EXPECT_TRUE(only_asks_permission("keep", "keep")) << "keep a dog";
  EXPECT_TRUE(only_asks_permission("allowed", ""));
  EXPECT_FALSE(only_asks_permission("sublet", "sublet"));
  EXPECT_FALSE(only_asks_permission("keep", "sublet"));
}

TEST(AskedPermission, ACaseIsNoTimeThatIsAskedFor) {
  EXPECT_NE(kind_of_question("Do we have to paint the walls when we move out?"), QuestionKind::kDate);
  EXPECT_EQ(kind_of_question("when do we move out"), QuestionKind::kDate);
}

}  // namespace
}  // namespace mneme::rag
