#include "rag/text/variants/german_verbs.h"

#include <gtest/gtest.h>

#include "rag/text/variants/word_forms.h"

namespace mneme::rag {
namespace {

TEST(GermanVerbs, PartsThatComeOffStayWithTheirVerb) {
  EXPECT_TRUE(is_form("nachzahlen", "nachzahlung"));
  EXPECT_TRUE(is_form("mitbringen", "mitzubringen"));
  EXPECT_TRUE(is_form("austreten", "austritt"));
  EXPECT_TRUE(is_form("zuruckzahlen", "zuruckgezahlt"));
  EXPECT_TRUE(is_form("uberweisen", "uberweisung"));
  EXPECT_FALSE(is_form("nachzahlen", "anzahlung")) << "another part";
  EXPECT_FALSE(is_form("ausziehen", "austreten"));
}

TEST(GermanVerbs, EnglishWordsAreNone) {
  EXPECT_FALSE(is_german_verb_form("mitten", "mittens"));
  EXPECT_FALSE(is_german_verb_form("anger", "angel"));
  EXPECT_FALSE(is_german_verb_form("young", "yore"));
  EXPECT_FALSE(is_german_verb_form("", ""));
}

}  // namespace
}  // namespace mneme::rag
