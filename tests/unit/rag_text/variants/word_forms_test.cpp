#include "rag/text/variants/word_forms.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(WordForms, BeginAlikeFarEnough) {
  EXPECT_TRUE(is_form("weigh", "weight"));
  EXPECT_TRUE(is_form("collect", "collection"));
  EXPECT_TRUE(is_form("treatment", "treat"));
  EXPECT_TRUE(is_form("proposal", "proposed"));
  EXPECT_TRUE(is_form("putzen", "geputzt"));
  EXPECT_TRUE(is_form("gemietet", "mieten"));
  EXPECT_FALSE(is_form("gent", "n"));
  EXPECT_FALSE(is_form("general", "neral"));
  EXPECT_FALSE(is_form("post", "postpone"));
  EXPECT_FALSE(is_form("contact", "contract"));
  EXPECT_FALSE(is_form("红烧", "红烧"));
  EXPECT_FALSE(is_form("", ""));
}

TEST(WordForms, RussianWordsAreComparedWithoutTheirEndings) {
  EXPECT_TRUE(is_form("горячую", "горячая"));
  EXPECT_TRUE(is_form("морозилке", "морозильнои"));
  EXPECT_TRUE(is_form("отключат", "отключена"));
  EXPECT_FALSE(is_form("вода", "год"));
}

TEST(WordForms, GermanVerbsThatChangeTheirVowel) {
  EXPECT_TRUE(is_form("angewiesen", "anweisen"));
}

TEST(WordForms, Participles) {
  for (const std::string_view word : {"stored", "chosen", "written", "built", "kept"}) EXPECT_TRUE(is_participle(word));
  for (const std::string_view word : {"bed", "garden", "gold", "weight", "store", ""})
    EXPECT_FALSE(is_participle(word));
}

TEST(WordForms, ShortWordsAreInflected) {
  EXPECT_TRUE(is_inflection("move", "moved"));
  EXPECT_TRUE(is_inflection("using", "use"));
  EXPECT_TRUE(is_inflection("swim", "swimm")) << "the stem of \"swimming\"";
  EXPECT_TRUE(is_form("ask", "asked"));
  EXPECT_FALSE(is_inflection("see", "seed"));
  EXPECT_FALSE(is_inflection("car", "card"));
  EXPECT_FALSE(is_inflection("str", "string"));
}

}  // namespace
}  // namespace mneme::rag
