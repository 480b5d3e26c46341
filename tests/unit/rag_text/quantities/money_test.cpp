#include "rag/text/quantities/money.h"

#include <gtest/gtest.h>

#include "rag/text/told/quantity.h"

namespace mneme::rag {
namespace {

TEST(ToldPrice, NumbersWithTwoDecimalsAreAmounts) {
  EXPECT_TRUE(holds_amount("Anfahrt      35,00"));
  EXPECT_TRUE(holds_amount("Heating 1.124,60"));
  EXPECT_TRUE(holds_amount("2 | Switch | 54.90 | 109.80"));
  EXPECT_FALSE(holds_amount("Date 22.04.26"));
  EXPECT_FALSE(holds_amount("Width 2.14 m"));
  EXPECT_FALSE(holds_amount("Growth 3.125"));
  EXPECT_FALSE(holds_amount("Part A4.50"));
}

TEST(ToldPrice, SharesAreNamedInWordsToo) {
  EXPECT_TRUE(says_share("A late fee of two percent applies."));
  EXPECT_TRUE(says_share("2% interest"));
  EXPECT_FALSE(says_share("The percentage is told below."));
}

TEST(ToldPrice, SomePricesAreSaidWithoutASum) {
  EXPECT_TRUE(says_price_in_words("Membership is free for children."));
  EXPECT_TRUE(says_price_in_words("Der Eintritt ist kostenlos."));
  EXPECT_TRUE(says_price_in_words("The deposit is two months' rent."));
  EXPECT_TRUE(says_price_in_words("Die Kaution beträgt drei Kaltmieten."));
  EXPECT_TRUE(says_price_in_words("更新料は賃料の1か月分とする。"));
  EXPECT_FALSE(says_price_in_words("The rent is due within two weeks."));
  EXPECT_FALSE(says_price_in_words("Payable at 180 days' notice."));
  EXPECT_GT(counting_cue("Free for children.", "$"), 0.0);
}

TEST(ToldQuantity, WordsBeforeWhatIsCountedMayBeJoined) {
  EXPECT_EQ(counting_cue("There are more than 200 strong and irregular verbs.", "verb"), 1.0);
  EXPECT_LT(counting_cue("In 1873 it was rebuilt with its piers.", "pier"), 1.0);
}

TEST(ToldQuantity, WhatIsCalledANumberCountsNothing) {
  for (const char* name : {"Invoice no. 2026-417", "Rechnungsnummer: 20318", "Kunden-Nr. 417", "Order number 88",
                           "nr417", "Contract ID: 4711/3"}) {
    EXPECT_EQ(counting_cue(name, "$"), 0.0) << name;
  }
  for (const char* sum : {"Number of lessons: 12", "There are no 12 ways", "No. 3: 45 lessons", "Total 417"}) {
    EXPECT_GT(counting_cue(sum, "$"), 0.0) << sum;
  }
}

TEST(ToldPrice, AnAmountInASentenceIsOneWhereItIsShared) {
  EXPECT_TRUE(holds_amount("Bicycles are covered up to 600.00 each if they were locked."));
  EXPECT_FALSE(holds_amount("It is 2.14 m long."));
}

TEST(ToldPrice, SumsInWhateverTheyAreWritten) {
  EXPECT_EQ(sum_in("Power: 9 kW; Price: 18,400 €; Delivery: 6 weeks"), 18400.0);
  EXPECT_EQ(sum_in("CHF 2'890 pro Monat"), 2890.0);
  EXPECT_EQ(sum_in("Gesamtbetrag 1.611,26"), 1611.26);
  EXPECT_EQ(sum_in("$5.50 each"), 5.5);
  EXPECT_EQ(sum_in("Delivery: 6 weeks"), std::nullopt);
  EXPECT_EQ(sum_in(""), std::nullopt);
}

}  // namespace
}  // namespace mneme::rag
