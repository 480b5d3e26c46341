#include "rag/quoting/number_places.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

QuoteQuestion asking(std::string_view question) {
  return QuoteQuestion(question, question, {});
}

TEST(NumberPlaces, WhatIsToldForEachOfAThingIsNotOfIt) {
  const QuoteQuestion size = asking("How large is a block?");
  EXPECT_TRUE(tells_rate_only(size, "The index takes about 60 bytes per block."));
  EXPECT_FALSE(tells_rate_only(size, "Files are cut into blocks of 512 KiB."));
  EXPECT_FALSE(tells_rate_only(asking("How many bytes per block does it take?"), "It takes 60 bytes per block."));
}

TEST(NumberPlaces, OfALongSentenceTheNumberStandsNearWhatIsAsked) {
  const std::string far =
      "A page is kept as long as it is read by anybody who asks for it again and again without "
      "any pause between one question and the next, which the program looks at every 30 seconds.";
  EXPECT_TRUE(is_number_far(asking("How large is a page?"), far));
  EXPECT_FALSE(is_number_far(asking("How many seconds pass?"), far));
  EXPECT_FALSE(is_number_far(asking("How large is a page?"), "A page has 16 tokens."));
}

TEST(NumberPlaces, WhatComesOnTopIsNotThePrice) {
  EXPECT_TRUE(tells_extra_price("Hiring skis costs another 62 euros."));
  EXPECT_FALSE(tells_extra_price("The week costs 385 euros."));
}

}  // namespace
}  // namespace mneme::rag
