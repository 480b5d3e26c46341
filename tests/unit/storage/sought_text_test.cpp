#include "storage/catalogue/sought_text.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/utf8.h"

namespace mneme::storage {
namespace {

TEST(SoughtTextTest, CaseAccentsAndWidthDoNotCount) {
  EXPECT_EQ(sought_text("Ärzte"), "arzte");
  EXPECT_EQ(sought_text("A\u0308rzte"), "arzte");
  EXPECT_EQ(sought_text("Straße STRASSE"), "strasse strasse");
  EXPECT_EQ(sought_text("Договор ёлка"), "договор елка");
  EXPECT_EQ(sought_text("ＡＢＣ１２３！"), "abc123!");
  EXPECT_EQ(sought_text("ﬁnd the ﬂoor"), "find the floor");
  EXPECT_EQ(sought_text("العَرَبِيَّة"), sought_text("العربية"));
}

TEST(SoughtTextTest, AKanaAndItsVoicingMarkAreOneLetter) {
  EXPECT_EQ(sought_text("か\u3099"), "が");
  EXPECT_EQ(sought_text("ｶﾞ"), "ガ");
  EXPECT_NE(sought_text("が"), sought_text("か"));
  EXPECT_EQ(sought_text("\u1112\u1161\u11ab"), "한");
}

TEST(SoughtTextTest, SpacesQuotesAndDashesAreOfOneKind) {
  EXPECT_EQ(sought_text("  a\t\n b\u00a0\u3000c "), "a b c");
  EXPECT_EQ(sought_text("the tenant’s “deposit” – „paid“ «x»"), "the tenant's \"deposit\" - \"paid\" \"x\"");
  EXPECT_EQ(sought_text("soft\u00adhyphen"), "softhyphen");
  EXPECT_EQ(sought_text(" \n "), "");
}

TEST(SoughtTextTest, PunctuationAndBrokenLettersStay) {
  EXPECT_EQ(sought_text("100% (a_b)\\c"), "100% (a_b)\\c");
  EXPECT_EQ(sought_text("caf\xE9"), "caf\xEF\xBF\xBD");
  EXPECT_EQ(sought_text(std::string_view("a\0b", 3)), std::string_view("a\0b", 3));
}

TEST(SoughtTextTest, WhatIsFoldedStaysAsItIs) {
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (int i = 0; i < 40; ++i) {
      const auto c = static_cast<char32_t>(1 + random.below(i % 2 == 0 ? 0x2ff : 0x2fff));
      utf8::append(text, c);
    }
    const std::string once = sought_text(text);
    EXPECT_EQ(sought_text(once), once) << text;
    EXPECT_NE(sought_text("before " + text + " behind").find(once), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace mneme::storage
