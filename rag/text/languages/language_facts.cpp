#include "rag/text/languages/language_facts.h"

#include "rag/text/words/words.h"

namespace mneme::rag {

std::span<const LanguageFacts* const> all_languages() {
  static constexpr const LanguageFacts* kAll[] = {
      &languages::kEnglish,   &languages::kGerman,     &languages::kSpanish,   &languages::kFrench,
      &languages::kItalian,   &languages::kPortuguese, &languages::kDutch,     &languages::kPolish,
      &languages::kTurkish,   &languages::kRussian,    &languages::kArabic,    &languages::kChinese,
      &languages::kJapanese,  &languages::kKorean,     &languages::kSwedish,   &languages::kCzech,
      &languages::kUkrainian, &languages::kFinnish,    &languages::kHungarian, &languages::kRomanian,
      &languages::kDanish,    &languages::kNorwegian};
  return kAll;
}

const LanguageFacts& facts_of(Language language) {
  static constexpr LanguageFacts kNone;
  for (const LanguageFacts* facts : all_languages()) {
    if (facts->language == language) return *facts;
  }
  return kNone;
}

std::vector<std::string> folded_words(WordList list) {
  std::vector<std::string> words;
  for_each_part(list, " ", [&](std::string_view word) { words.push_back(folded_text(word)); });
  return words;
}

std::vector<std::string> groups_of_all(std::span<const std::string_view> table, PhraseList LanguageFacts::* list) {
  std::vector<std::string> groups(table.begin(), table.end());
  for (const std::string_view group : phrases_of_all(list)) groups.push_back(folded_text(group));
  return groups;
}

}  // namespace mneme::rag
