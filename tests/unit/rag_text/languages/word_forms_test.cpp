#include "rag/text/languages/word_forms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace mneme::rag {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

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

TEST(WordForms, RelativesGoBothWays) {
  EXPECT_THAT(related_words("wrote"), Contains("author"));
  EXPECT_THAT(related_words("author"), Contains("wrote"));
  EXPECT_THAT(related_words("won"), Contains("victory")) << "a word of two lines";
  EXPECT_THAT(related_words("won"), Contains("winner"));
  EXPECT_THAT(related_words("wrote"), Not(Contains("wrote")));
  EXPECT_THAT(related_words("backe"), Contains("gebacken")) << "in the first person";
  EXPECT_THAT(related_words("table"), IsEmpty());
  EXPECT_THAT(related_words(""), IsEmpty());
}

TEST(WordForms, GermanVerbsThatChangeTheirVowelMeetTheirForms) {
  EXPECT_THAT(related_words("uberwiesen"), Contains("uberweisen"));
  EXPECT_THAT(related_words("beschluss"), Contains("beschlossen"));
  EXPECT_THAT(related_words("unterschreiben"), Contains("unterschrieben"));
  EXPECT_TRUE(is_form("angewiesen", "anweisen"));
}

TEST(WordForms, CompoundsAreMadeOfTwoWords) {
  EXPECT_TRUE(is_compound_of("schlusselkastens", "schlussel", "kasten"));
  EXPECT_FALSE(is_compound_of("geburtstag", "geburt", "tag")) << "three letters are too few";
  EXPECT_TRUE(is_compound_of("sonnenschirm", "sonne", "schirm"));
  EXPECT_TRUE(is_compound_of("arbeitsvertrag", "arbeit", "vertrag"));
  EXPECT_FALSE(is_compound_of("schlusselkastens", "schlussel", "kiste"));
  EXPECT_FALSE(is_compound_of("schlussel", "schlussel", "kasten"));
  EXPECT_FALSE(is_compound_of("", "", ""));
}

TEST(WordForms, Participles) {
  for (const std::string_view word : {"stored", "chosen", "written", "built", "kept"}) EXPECT_TRUE(is_participle(word));
  for (const std::string_view word : {"bed", "garden", "gold", "weight", "store", ""})
    EXPECT_FALSE(is_participle(word));
}

TEST(WordForms, CompoundsBeginWithWhatAWordIsDerivedFrom) {
  EXPECT_TRUE(is_compound_of("dachdeckerrechnung", "dachdeckerei", "rechnung"));
  EXPECT_TRUE(is_compound_of("schlusselkastens", "schlussel", "kasten"));
  EXPECT_FALSE(is_compound_of("dachdeckerrechnung", "dach", "rechnung"));
  EXPECT_FALSE(may_begin_compound("dachdeckerrechnung", "dackel"));
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

TEST(WordForms, AVerbAndItsParticleAreOneWord) {
  const auto stands_for = [](std::string_view question, std::string_view verb, std::string_view noun) {
    const std::vector<JoinedVerb> joined = joined_verbs(question);
    return std::any_of(joined.begin(), joined.end(),
                       [&](const JoinedVerb& one) { return one.verb == verb && one.noun == noun; });
  };
  EXPECT_TRUE(stands_for("who do I call when the car breaks down", "breaks", "breakdown"));
  EXPECT_TRUE(stands_for("the car broke down", "broke", "breakdown"));
  EXPECT_TRUE(stands_for("When does the rent go up?", "go", "rises"));
  EXPECT_TRUE(joined_verbs("down the road").empty());
}

}  // namespace
}  // namespace mneme::rag
