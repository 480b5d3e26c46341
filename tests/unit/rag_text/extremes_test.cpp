#include "rag/text/extremes.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(Extremes, WhichPriceIsAskedFor) {
  EXPECT_EQ(price_wanted("Which heat pump is the cheapest?"), PriceWanted::kLowest);
  EXPECT_EQ(price_wanted("Welches Angebot ist das teuerste?"), PriceWanted::kHighest);
  EXPECT_EQ(price_wanted("How much is the heat pump?"), PriceWanted::kAny);
}

TEST(Extremes, SumsInWhateverTheyAreWritten) {
  EXPECT_EQ(sum_in("Power: 9 kW; Price: 18,400 €; Delivery: 6 weeks"), 18400.0);
  EXPECT_EQ(sum_in("CHF 2'890 pro Monat"), 2890.0);
  EXPECT_EQ(sum_in("Gesamtbetrag 1.611,26"), 1611.26);
  EXPECT_EQ(sum_in("$5.50 each"), 5.5);
  EXPECT_EQ(sum_in("Delivery: 6 weeks"), std::nullopt);
  EXPECT_EQ(sum_in(""), std::nullopt);
}

}  // namespace
}  // namespace mneme::rag
