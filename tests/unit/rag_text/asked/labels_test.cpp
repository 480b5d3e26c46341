#include "rag/text/asked/labels.h"

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

TEST(AskedLabels, OfATitleWithADateTheNameIsEnough) {
  const AskedLabels asked("Who was absent from the product meeting?");
  const uint64_t taken = asked.taken_by("Product meeting, 12 March 2026");
  ASSERT_NE(taken, 0u);
  EXPECT_GT(asked.share_in("Apologies", taken), 0.9);
  EXPECT_EQ(asked.share_in("Present", taken), 0.0);
  EXPECT_EQ(asked.taken_by("Product meeting, and what came of it"), 0u);
}

TEST(AskedLabels, SomeSayWhenOrWhere) {
  for (const std::string_view label : {"Date", "Datum", "Fecha", "Дата", "일시", "日時"})
    EXPECT_TRUE(is_date_label(label)) << label;
  for (const std::string_view label : {"Venue", "Ort", "Lieu", "장소"}) EXPECT_TRUE(is_place_label(label)) << label;
  EXPECT_FALSE(is_date_label("Departure"));
  EXPECT_FALSE(is_place_label("Departure"));
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

TEST(AskedLabels, AKindInBracketsCountsForMoreThanADetail) {
  const AskedLabels asked("What is the GDP of Kenya?");
  const uint64_t kenya = asked.taken_by("Kenya");
  EXPECT_LT(asked.share_in("GDP (official exchange rate)", kenya), asked.share_in("GDP", kenya));
  EXPECT_GT(asked.share_in("GDP (official exchange rate)", kenya), asked.share_in("GDP - by sector", kenya));
}

TEST(AskedLabels, SomebodyIsNamedBehindWhatHeIs) {
  const AskedLabels asked("Who is the prime minister of Norway?");
  const uint64_t norway = asked.taken_by("Norway");
  EXPECT_EQ(asked.share_as_role(": Prime Minister Jonas Gahr", norway), 1.0);
  EXPECT_EQ(asked.share_as_role(": Prime Minister appointed by the monarch", norway), 0.0);
  EXPECT_EQ(asked.share_as_role(": Council of Ministers", norway), 0.0);
  EXPECT_EQ(asked.share_as_role(": Prime Minister", norway), 0.0);
}

TEST(AskedLabels, ExtentAndWhatIsMeasuredAtAPlace) {
  const AskedLabels big("How big is Norway?");
  EXPECT_GT(big.share_in("Area", big.taken_by("Norway")), 0.9);
  EXPECT_EQ(big.share_in("large", big.taken_by("Norway")), 0.0) << "counts what is large";
  const AskedLabels life("What is the life expectancy in Norway?");
  const uint64_t norway = life.taken_by("Norway");
  EXPECT_GT(life.share_in("Life expectancy at birth", norway), 0.8);
  EXPECT_EQ(life.share_in("School life expectancy (primary)", norway), 0.0);
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

TEST(AskedLabels, HeadingsMaySaySomethingUnderAName) {
  EXPECT_EQ(label_in_heading("## Author: Tilda Voss"), "Author");
  EXPECT_EQ(label_in_heading("## Author"), "");
  EXPECT_EQ(label_in_heading("Author: Tilda Voss"), "") << "no heading";
  const AskedLabels who("Who wrote The Tide?");
  EXPECT_EQ(who.best_share("# Title: The Tide\n\n## Author: Tilda Voss\n", who.taken_by("The Tide")), 1.0);
  const AskedLabels when("When was The Tide written?");
  EXPECT_EQ(when.best_share("## Year: 1851\n", when.taken_by("The Tide")), 1.0);
  EXPECT_EQ(who.best_share("## Year: 1851\n", who.taken_by("The Tide")), 0.0);
}

TEST(AskedLabels, OneOfASeriesIsCalledByItsNumber) {
  const AskedLabels asked("Who wrote PEP 8?");
  EXPECT_NE(asked.taken_by("PEP 8: Style Guide"), 0u);
  EXPECT_EQ(asked.taken_by("PEP 20: The Zen"), 0u);
  EXPECT_EQ(AskedLabels("Who wrote about style?").taken_by("Style: a guide"), 0u) << "not by any part of a title";
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
