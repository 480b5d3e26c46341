#include "rag/text/variants/word_variants.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mneme::rag {
namespace {

bool has(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

TEST(WordVariants, LettersAndTheirReplacements) {
  EXPECT_TRUE(has(spelling_variants("Suedtirol"), "Südtirol"));
  EXPECT_TRUE(has(spelling_variants("Südtirol"), "Suedtirol"));
  EXPECT_TRUE(has(spelling_variants("oeufs"), "œufs"));
  EXPECT_TRUE(spelling_variants("Leipzig").empty());
}

TEST(WordVariants, WhatEnglishWordsCompare) {
  EXPECT_TRUE(has(compared_words("hilliest"), "hilly"));
  EXPECT_TRUE(has(compared_words("windier"), "windy"));
  EXPECT_TRUE(has(compared_words("steepest"), "steep"));
  EXPECT_TRUE(compared_words("best").empty());
  EXPECT_TRUE(compared_words("hilly").empty());
}

TEST(WordVariants, FormsOfAWord) {
  EXPECT_TRUE(has(possible_forms("страховку"), "страховка"));
  EXPECT_TRUE(has(possible_forms("feiert"), "feier"));
  EXPECT_TRUE(has(possible_forms("consomme"), "consommes"));
  EXPECT_TRUE(has(possible_forms("gezahlt"), "zahlen"));
  EXPECT_FALSE(has(possible_forms("feiert"), "feiert")) << "the word itself is none";
  EXPECT_TRUE(possible_forms("tag").empty()) << "too short";
  EXPECT_TRUE(possible_forms("e18").empty());
}

}  // namespace
}  // namespace mneme::rag
