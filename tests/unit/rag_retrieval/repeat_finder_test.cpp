#include "rag/retrieval/repeat_finder.h"

#include <gtest/gtest.h>

#include <string>

namespace mneme::rag {
namespace {

TEST(RepeatFinder, NearlyEqualPassagesRepeat) {
  const std::string text = "The ferry to Kelby leaves at noon from the north pier and takes an hour and ten minutes.";
  RepeatFinder repeats("When does the ferry leave?");
  EXPECT_FALSE(repeats.is_repeat(text));
  EXPECT_TRUE(repeats.is_repeat(text + " Really."));
  EXPECT_FALSE(repeats.is_repeat("The museum opens at nine."));
}

TEST(RepeatFinder, WhatStandsBelowEveryLetterIsSaidOnce) {
  const std::string notice =
      "\n\nThis message is confidential. If you have received it in error, delete it and tell the sender.";
  RepeatFinder repeats("What do I do when I received a confidential message in error?");
  EXPECT_FALSE(repeats.is_repeat("The crane comes on Monday at eight with two men from the yard." + notice));
  EXPECT_FALSE(repeats.is_repeat("Your order of nine chairs was sent to the old address in Weststreet." + notice));
  EXPECT_TRUE(repeats.is_repeat("We are closed between the years and wish you a good and quiet time." + notice));
  // What says more of the question in words of its own does not repeat.
  EXPECT_FALSE(
      repeats.is_repeat("A confidential message that you received in error goes to the data officer." + notice));
  EXPECT_FALSE(repeats.is_repeat("The library lends out fishing rods in summer, two for each family."));
}

TEST(RepeatFinder, SharedTermsDoNotHideWhatIsAskedBesides) {
  const std::string terms = "\n\nEither side may end this contract with three months' notice to the end of a quarter.";
  RepeatFinder repeats("What is the rent of the contract with Lindqvist?");
  EXPECT_FALSE(repeats.is_repeat("Contract with Berg on a flat of two rooms, at a rent of 900." + terms));
  EXPECT_FALSE(
      repeats.is_repeat("The shop of Mrs Carter: a contract for ten years, rent by the square metre." + terms));
  EXPECT_FALSE(repeats.is_repeat("Dumas rents the cellar; this contract begins in May and its rent is 60." + terms));
  EXPECT_FALSE(repeats.is_repeat("Contract with Lindqvist on a garage in the yard; the rent is 80." + terms));
}

}  // namespace
}  // namespace mneme::rag
