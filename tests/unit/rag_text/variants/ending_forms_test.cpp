#include "rag/text/variants/ending_forms.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(EndingForms, AreOfOneRootInTheirLanguage) {
  EXPECT_TRUE(is_ending_form(Language::kSwedish, "hyran", "hyra"));
  EXPECT_TRUE(is_ending_form(Language::kSwedish, "bullarna", "bullar"));
  EXPECT_TRUE(is_ending_form(Language::kPolish, "kaucji", "kaucja"));
  EXPECT_TRUE(is_ending_form(Language::kCzech, "smlouva", "smlouvy"));
  EXPECT_TRUE(is_ending_form(Language::kTurkish, "kirayi", "kira"));
  EXPECT_TRUE(is_ending_form(Language::kTurkish, "evlerimizden", "evler")) << "several endings behind each other";
  EXPECT_TRUE(is_ending_form(Language::kFinnish, "vakuuden", "vakuus"));
  EXPECT_TRUE(is_ending_form(Language::kHungarian, "szerzodesben", "szerzodes"));
  EXPECT_TRUE(is_ending_form(Language::kRomanian, "contractului", "contract"));
  EXPECT_TRUE(is_ending_form(Language::kFrench, "passera", "passe"));
}

TEST(EndingForms, OtherWordsAndLanguagesAreNone) {
  EXPECT_FALSE(is_ending_form(Language::kTurkish, "kiraci", "kira")) << "who rents is no rent";
  EXPECT_FALSE(is_ending_form(Language::kSwedish, "hyra", "hylla"));
  EXPECT_FALSE(is_ending_form(Language::kEnglish, "hyran", "hyra")) << "no endings are known of it";
  EXPECT_FALSE(is_ending_form(Language::kUnknown, "hyran", "hyra"));
  EXPECT_FALSE(is_ending_form(Language::kSwedish, "", "hyra"));
  EXPECT_FALSE(is_ending_form(Language::kSwedish, "e10", "e1")) << "codes have no endings";
}

TEST(EndingForms, CompoundsOfTheirLanguages) {
  EXPECT_TRUE(makes_compounds(Language::kGerman));
  EXPECT_TRUE(makes_compounds(Language::kDutch));
  EXPECT_FALSE(makes_compounds(Language::kPolish));
  EXPECT_FALSE(makes_compounds(Language::kEnglish));
  EXPECT_TRUE(is_kind_in(Language::kSwedish, "manadshyra", "hyran"));
  EXPECT_TRUE(is_kind_in(Language::kFinnish, "luokkaretki", "retki"));
  EXPECT_TRUE(is_compound_in(Language::kDutch, "huurprijs", "huur"));
  EXPECT_FALSE(is_compound_in(Language::kDutch, "huren", "huur"));
  EXPECT_FALSE(is_kind_in(Language::kDutch, "verhuur", "huurder"));
}

}  // namespace
}  // namespace mneme::rag
