#include "rag/text/asked/extremes.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(Extremes, WhichPriceIsAskedFor) {
  EXPECT_EQ(price_wanted("Which heat pump is the cheapest?"), PriceWanted::kLowest);
  EXPECT_EQ(price_wanted("Welches Angebot ist das teuerste?"), PriceWanted::kHighest);
  EXPECT_EQ(price_wanted("How much is the heat pump?"), PriceWanted::kAny);
}

}  // namespace
}  // namespace mneme::rag
