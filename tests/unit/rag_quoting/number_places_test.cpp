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

TEST(NumberPlaces, WhatComesOnTopIsNotThePrice) {
  EXPECT_TRUE(tells_extra_price("Hiring skis costs another 62 euros."));
  EXPECT_FALSE(tells_extra_price("The week costs 385 euros."));
}

}  // namespace
}  // namespace mneme::rag
