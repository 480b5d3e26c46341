#include "rag/text/asked_labels.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(AskedLabels, ALabelIsAHeadingOrStandsBeforeAColon) {
  EXPECT_EQ(label_of("### Capital"), "Capital");
  EXPECT_EQ(label_of("- **Climate**: temperate"), "Climate");
  EXPECT_EQ(label_of("Author: Guido"), "Author");
  EXPECT_EQ(label_of("作者：陈"), "作者");
  EXPECT_EQ(label_of("A sentence without one."), "");
  EXPECT_EQ(label_of("A sentence so long that what it says before its colon can be no name of anything: this"), "");
  EXPECT_EQ(label_of(""), "");
  EXPECT_EQ(label_of("###"), "");
}

TEST(AskedLabels, ATitleStandsWholeInTheQuestion) {
  const AskedLabels asked("What is the capital of French Polynesia?");
  EXPECT_NE(asked.taken_by("French Polynesia"), 0u);
  EXPECT_EQ(asked.taken_by("France"), 0u);
  EXPECT_EQ(asked.taken_by("Polynesia and Samoa"), 0u);
  EXPECT_EQ(asked.taken_by("the"), 0u);
  EXPECT_EQ(asked.taken_by(""), 0u);
}

TEST(AskedLabels, ALabelHoldsWhatElseIsAskedAndNothingElse) {
  const AskedLabels asked("When did Norway become independent?");
  const uint64_t norway = asked.taken_by("Norway");
  ASSERT_NE(norway, 0u);
  EXPECT_GT(asked.share_in("Independence", norway), 0.5);
  EXPECT_EQ(asked.share_in("Independence of Iceland", norway), 0.0);
  EXPECT_EQ(asked.share_in("Norway", norway), 0.0);

  const AskedLabels languages("What languages are spoken in Norway?");
  EXPECT_GT(languages.share_in("Languages", languages.taken_by("Norway")), 0.5);
  const AskedLabels many("How many people live in Norway?");
  EXPECT_GT(many.share_in("Population", many.taken_by("Norway")), 0.5);
}

TEST(AskedLabels, ADetailCountsForLessThanTheWholeAndMoreThanNothing) {
  const AskedLabels asked("What does Chile export?");
  const uint64_t chile = asked.taken_by("Chile");
  EXPECT_EQ(asked.share_in("Exports", chile), 1.0);
  EXPECT_GT(asked.share_in("Exports - partners", chile), 0.5);
  EXPECT_LT(asked.share_in("Exports - partners", chile), 1.0);
}

TEST(AskedLabels, WhatIsSaidUnderALabelMayHoldTheRest) {
  const AskedLabels asked("At what age can people vote in Chile?");
  const uint64_t chile = asked.taken_by("Chile");
  EXPECT_EQ(asked.share_in("Suffrage", chile), 0.0);
  EXPECT_GT(asked.share_in("Suffrage", chile, ": 18 years of age"), 0.5);
  EXPECT_EQ(asked.share_in("Suffrage", chile, ": universal"), 0.0);
  EXPECT_EQ(asked.share_in("Airports", chile, ": people of any age"), 0.0) << "a label that is not asked for";
  EXPECT_GT(asked.best_share("- **Suffrage**: 18 years of age\n", chile), 0.5);
}

TEST(AskedLabels, WhatSomebodyDoesIsNoTitle) {
  EXPECT_EQ(AskedLabels("How do I find a file?").taken_by("find"), 0u);
  EXPECT_NE(AskedLabels("How do I use find on a file?").taken_by("find"), 0u);
}

TEST(AskedLabels, ALabelIsReadUnderItsHeading) {
  const AskedLabels asked("What is the total area of Chile?");
  const uint64_t chile = asked.taken_by("Chile");
  EXPECT_EQ(asked.best_share("### Area\n\n- **total**: 756,102 sq km\n- **land**: 743,812 sq km\n", chile), 1.0);
  EXPECT_LT(asked.best_share("### Area\n\n- **land**: 743,812 sq km\n", chile), 1.0);
  EXPECT_EQ(asked.best_share("The area of Chile is large in total.\n", chile), 0.0);
}

}  // namespace
}  // namespace mneme::rag
