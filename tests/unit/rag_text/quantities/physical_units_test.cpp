#include "rag/text/quantities/physical_units.h"

#include <gtest/gtest.h>

#include "rag/text/asked/quantity.h"
#include "rag/text/quantities/numbers.h"
#include "rag/text/told/quantity.h"

namespace mneme::rag {
namespace {

TEST(PhysicalUnits, AreAskedForByAnAdjectiveOrAName) {
  EXPECT_EQ(asked_unit("How fast does the belt run?"), kSpeed);
  EXPECT_EQ(asked_unit("Wie laut ist der Trockner?"), kLoudness);
  EXPECT_EQ(asked_unit("How wide is the field?"), kExtent);
  EXPECT_EQ(asked_unit("How large is a page?"), kSize);
  EXPECT_EQ(asked_unit("How heavy is Milo?"), kMass);
  EXPECT_EQ(asked_unit("Welches Maß hat der Tisch und wie ist es mit der Breite?"), kExtent) << "a measure, no mass";
  EXPECT_EQ(asked_unit("How many fuzzing targets are there?"), "target");
  EXPECT_EQ(asked_unit("How many people does it seat?"), "peopl");
  EXPECT_EQ(asked_unit("Is the large hall free?"), "");
}

TEST(PhysicalUnits, ANumberOfThemAnswers) {
  EXPECT_EQ(physical_cue("It spins at 1400 U/min.", kSpeed), 1.0);
  EXPECT_EQ(physical_cue("The noise is 74 dB.", kSpeed), 0.0);
  EXPECT_EQ(physical_cue("The noise is 74 dB.", kLoudness), 1.0);
  EXPECT_EQ(physical_cue("Return it within 30 days.", kSpeed), 0.5) << "how soon";
  EXPECT_EQ(physical_cue("The wall is 17 m high.", kExtent), 1.0);
}

TEST(PhysicalUnits, HowLargeIsNoTime) {
  EXPECT_EQ(physical_cue("Blocks of 512 KiB on average", kSize), 1.0);
  EXPECT_EQ(physical_cue("The lump sum is 38,100", kSize), 0.5) << "whatever its unit";
  EXPECT_EQ(physical_cue("A large page costs 14 us.", kSize), 0.0);
  EXPECT_EQ(physical_cue("The page is kept for 90 days.", kSize), 0.0);
  EXPECT_EQ(physical_cue("Made in 2019.", kSize), 0.0);
}

TEST(Numbers, NamesWithDigitsAreNone) {
  EXPECT_TRUE(is_number("23kg"));
  EXPECT_TRUE(is_number("nine"));
  EXPECT_FALSE(is_number("fts5"));
  EXPECT_FALSE(has_number("Searched by FTS5."));
  EXPECT_EQ(counting_cue("XXH3-128 over all bytes that matter", "byte"), 0.0);
  EXPECT_EQ(counting_cue("A header of 128 bytes", "byt"), 1.0);
}

}  // namespace
}  // namespace mneme::rag
