#include "rag/text/languages/language_facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::rag {
namespace {

TEST(LanguageFacts, AreThereOncePerLanguage) {
  std::set<Language> languages;
  for (const LanguageFacts* facts : all_languages()) {
    EXPECT_TRUE(languages.insert(facts->language).second);
    EXPECT_EQ(&facts_of(facts->language), facts);
  }
  EXPECT_EQ(languages.size(), static_cast<size_t>(Language::kNorwegian)) << "the last one; kUnknown is none";
  EXPECT_TRUE(facts_of(Language::kUnknown).grammar.empty());
}

TEST(LanguageFacts, NoWordStandsTwiceInAList) {
  for (const LanguageFacts* facts : all_languages()) {
    for (const WordList list : {facts->grammar, facts->telling, facts->numbers, facts->rents}) {
      std::set<std::string_view> words;
      for_each_part(list, " ", [&](std::string_view word) { EXPECT_TRUE(words.insert(word).second) << word; });
    }
  }
}

TEST(LanguageFacts, ANameIsOfOneMonthInAllLanguages) {
  std::map<std::string, size_t> months;
  for (const LanguageFacts* facts : all_languages()) {
    for (size_t i = 0; i < facts->months.size(); ++i) {
      for (const WordList list : {facts->months[i].names, facts->months[i].others}) {
        for (const std::string& name : folded_words(list)) EXPECT_EQ(months.emplace(name, i).first->second, i) << name;
      }
    }
  }
}

TEST(LanguageFacts, AreWrittenAsPeopleDoAndComparedFolded) {
  EXPECT_EQ(folded_words("für über мой"), (std::vector<std::string>{"fur", "uber", "мои"}));
  EXPECT_TRUE(words_of_all(&LanguageFacts::grammar).contains("мои")) << "written мой";
}

TEST(LanguageFacts, ListsOfAllLanguagesHoldEachPhraseOnce) {
  const std::vector<std::string_view> within = phrases_of_all(&LanguageFacts::within);
  EXPECT_EQ(std::count(within.begin(), within.end(), "dentro de"), 1) << "Spanish and Portuguese";
  EXPECT_EQ(std::count(within.begin(), within.end(), "no later than"), 1);
}

}  // namespace
}  // namespace mneme::rag
