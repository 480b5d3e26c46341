#include "rag/text/languages/stop_words.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(StopWords, OfOneLanguageAreWordsInOthers) {
  struct Own {
    const char* word;
    Language language;
  };
  for (const Own own :
       {Own{"var", Language::kSwedish}, Own{"man", Language::kSwedish}, Own{"ki", Language::kHungarian},
        Own{"cat", Language::kRomanian}, Own{"binnen", Language::kDutch}, Own{"moje", Language::kPolish}}) {
    EXPECT_TRUE(is_stop_word(own.word, own.language)) << own.word;
    EXPECT_FALSE(is_stop_word(own.word, Language::kEnglish)) << own.word;
  }
  EXPECT_TRUE(is_stop_word("the", Language::kSwedish)) << "those of all languages are everywhere";
}

TEST(StopWords, WordsThatAskSayNothing) {
  EXPECT_TRUE(is_stop_word("mennyi", Language::kHungarian));
  EXPECT_TRUE(is_stop_word("paljonko", Language::kFinnish));
  EXPECT_FALSE(is_stop_word("hyra", Language::kSwedish));
}

}  // namespace
}  // namespace mneme::rag
