#include "storage/catalogue/stop_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "storage/catalogue/lexical_query.h"

namespace mneme::storage {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// What of a question is looked for.
std::vector<std::string> meaning_of(std::string_view question) {
  std::vector<std::string> meaning;
  for (const QueryTerm& term : parse_lexical_query(question).terms) {
    if (!term.stop) meaning.push_back(term.term);
  }
  return meaning;
}

TEST(StopTermsTest, ForeignGrammarWordsAreWordsOfEnglishQuestions) {
  EXPECT_THAT(meaning_of("When did the war end?"), ElementsAre("war", "end"));
  EXPECT_THAT(meaning_of("who died on the boat"), ElementsAre("die", "boat"));
  EXPECT_THAT(meaning_of("What is the son of a sin in a hat?"), ElementsAre("son", "sin", "hat"));
  EXPECT_THAT(meaning_of("Who wrote Die Leiden des jungen Werthers?"),
              ElementsAre("write", "die", "leiden", "des", "jungen", "werther"));
}

TEST(StopTermsTest, EachLanguageLeavesOutItsOwn) {
  EXPECT_THAT(meaning_of("Wann war der Krieg, und wer hat ihn verloren?"), ElementsAre("krieg", "ihn", "verloren"));
  EXPECT_THAT(meaning_of("Was ist das?"), IsEmpty());
  EXPECT_THAT(meaning_of("quand la guerre est finie"), ElementsAre("guerr", "fini"));
  EXPECT_THAT(meaning_of("¿Cuándo fue la guerra de los mundos?"), ElementsAre("guerra", "mundo"));
  EXPECT_THAT(meaning_of("Come si chiama il figlio?"), ElementsAre("chiama", "figlio"));
  EXPECT_THAT(meaning_of("Когда была война?"), ElementsAre("воина"));
  EXPECT_THAT(meaning_of("Wie viel Miete muss ich zahlen?"), ElementsAre("miet", "zahlen"));
  EXPECT_THAT(meaning_of("Quanto devo pagare per la casa?"), ElementsAre("pagar", "casa"));
  EXPECT_THAT(meaning_of("Сколько нужно сахара?"), ElementsAre("сахара"));
}

TEST(StopTermsTest, BareWordsThatEnglishKnowsAreLookedFor) {
  EXPECT_THAT(meaning_of("war crimes"), ElementsAre("war", "crime"));
  EXPECT_THAT(meaning_of("die hard"), ElementsAre("die", "hard"));
  EXPECT_THAT(meaning_of("Krieg der Sterne"), ElementsAre("krieg", "stern"));
  EXPECT_THAT(meaning_of(""), IsEmpty());
}

TEST(StopTermsTest, LanguagesOfTextsMeet) {
  const StopTerms german = StopTerms::of("Was ist das für ein Haus?");
  EXPECT_FALSE(german.may_be_english());
  EXPECT_TRUE(StopTerms::of("what is the war").may_be_english());
  EXPECT_TRUE(german.shares_language(StopTerms::of("Die Häuser sind nicht hoch, aber es gibt auch eines am Ufer.")));
  EXPECT_FALSE(german.shares_language(StopTerms::of("The houses are not high, but there is one by the river.")));
}

TEST(StopTermsTest, WordsOfOtherScriptsAreLeftOutBesideAnyLanguage) {
  EXPECT_FALSE(StopTerms::of("what is the war").contains("war"));
  EXPECT_TRUE(StopTerms::of("what is the war").contains("the"));
  EXPECT_TRUE(StopTerms::of("what is 什么").contains("什么"));
}

}  // namespace
}  // namespace mneme::storage
