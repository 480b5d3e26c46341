#include "rag/text/words/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"

namespace mneme::rag {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Words, FoldsCaseAndDiacritics) {
  EXPECT_THAT(words_of("Crème BRÛLÉE, straße 42!"), ElementsAre("creme", "brulee", "strasse", "42"));
}

TEST(Words, SharpSIsTwoLettersHoweverItIsWritten) {
  for (const char* street : {"Straße", "Strasse", "STRASSE", "STRA\u1e9eE"}) {
    EXPECT_THAT(words_of(street), ElementsAre("strasse"));
    EXPECT_EQ(folded_text(street), "strasse");
  }
  EXPECT_EQ(stem_of(words_of("Maße").front()), stem_of("mass"));
}

TEST(Words, LettersAndDigitsThatAreWrittenInSeveralWaysAreOne) {
  EXPECT_THAT(words_of("złoty ışık"), ElementsAre("zloty", "isik"));
  EXPECT_THAT(words_of("شقة شقه"), ElementsAre("شقه", "شقه"));
  EXPECT_THAT(words_of("٣٥٠ １２３"), ElementsAre("350", "123"));
  EXPECT_EQ(folded_text("كتـــاب"), "كتاب") << "stretched";
}

TEST(Words, ArabicArticlesAndEndingsAreTakenOff) {
  EXPECT_EQ(stem_of(folded_text("الشقة")), stem_of(folded_text("شقة")));
  EXPECT_EQ(stem_of(folded_text("والكهرباء")), stem_of(folded_text("كهرباء")));
}

TEST(Words, ApostrophesPartWordsHoweverTheyAreWritten) {
  for (const char* apostrophe : {"'", "\u2018", "\u2019", "\u02bc", "\uff07"}) {
    EXPECT_THAT(words_of("Odile" + std::string(apostrophe) + "s eyes"), ElementsAre("odile", "s", "eyes"));
    EXPECT_EQ(folded_text("d" + std::string(apostrophe) + "\u00e9t\u00e9"), "d ete");
  }
}

TEST(Words, WritesScriptsWithoutSpacesAsOverlappingPairs) {
  EXPECT_THAT(words_of("东京大学"), ElementsAre("东京", "京大", "大学"));
  EXPECT_THAT(words_of("水"), ElementsAre("水"));
  EXPECT_THAT(words_of("A水b"), ElementsAre("a", "水", "b"));
}

TEST(Words, MixedScriptsKeepTheirBorders) {
  EXPECT_THAT(words_of("GPUの性能"), ElementsAre("gpu", "の性", "性能"));
}

TEST(Words, SpansPointIntoTheText) {
  const std::string text = "Über 東京 x";
  WordScanner scanner(text);
  Word word;
  ASSERT_TRUE(scanner.next(word));
  EXPECT_EQ(text.substr(word.byte_begin, word.byte_end - word.byte_begin), "Über");
  ASSERT_TRUE(scanner.next(word));
  EXPECT_EQ(text.substr(word.byte_begin, word.byte_end - word.byte_begin), "東京");
  EXPECT_TRUE(word.pair);
}

TEST(Words, TellsScriptsWithoutSpaces) {
  EXPECT_TRUE(written_without_spaces("什么是轮子？"));
  EXPECT_TRUE(written_without_spaces("GPUの性能はどのくらいですか"));
  EXPECT_FALSE(written_without_spaces("What is a wheel?"));
  EXPECT_FALSE(written_without_spaces("ما هي العاصمة"));
  EXPECT_FALSE(written_without_spaces("What does 轮子 mean in English?"));
  EXPECT_FALSE(written_without_spaces(""));
}

TEST(Words, AnyBytesAreSafe) {
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    std::string bytes(random.below(64), '\0');
    for (char& c : bytes) c = static_cast<char>(random.below(256));
    WordScanner scanner(bytes);
    Word word;
    uint64_t last = 0;
    while (scanner.next(word)) {
      ASSERT_LT(word.byte_begin, word.byte_end);
      ASSERT_LE(word.byte_end, bytes.size());
      ASSERT_GE(word.byte_begin, last);
      last = word.byte_begin;
    }
  }
}

TEST(Words, FoldedTextFindsQuotationsWhateverThePunctuation) {
  EXPECT_EQ(folded_text("\"The  Cat, sat!\""), "the cat sat");
  EXPECT_THAT(words_of("... ---"), IsEmpty());
}

TEST(Words, StemsJoinInflections) {
  EXPECT_EQ(stem_of("houses"), stem_of("house"));
  EXPECT_EQ(stem_of("walked"), stem_of("walking"));
  EXPECT_EQ(stem_of("bus"), "bus");
  EXPECT_NE(stem_of("news"), stem_of("newt"));
}

TEST(Stems, EndingsThatChangeTheWordMeetIt) {
  for (const auto& [a, b] : {std::pair{"batteries", "battery"},
                             {"cities", "city"},
                             {"carried", "carry"},
                             {"carrying", "carries"},
                             {"boxes", "box"},
                             {"indexes", "indexed"},
                             {"planned", "plan"},
                             {"stopping", "stop"},
                             {"rolled", "roll"},
                             {"pressing", "press"},
                             {"keys", "key"}})
    EXPECT_EQ(stem_of(a), stem_of(b)) << a;
  for (const auto& [a, b] : {std::pair{"party", "part"}, {"story", "store"}, {"county", "count"}, {"fly", "flee"}})
    EXPECT_NE(stem_of(a), stem_of(b)) << a;
  EXPECT_EQ(stem_of("only"), "only") << "grammar words stay what they are";
  EXPECT_EQ(english_stem_of("battery"), "battery") << "what embedders were built with";
}

TEST(Stems, IrregularFormsAndBritishSpellingMeetTheirWord) {
  for (const auto& [a, b] : {std::pair{"children", "child"},
                             {"thieves", "thief"},
                             {"analyses", "analysis"},
                             {"broken", "breaks"},
                             {"wrote", "written"},
                             {"colours", "color"},
                             {"organised", "organize"}})
    EXPECT_EQ(stem_of(a), stem_of(b)) << a;
  EXPECT_NE(stem_of("news"), stem_of("new"));
  EXPECT_NE(regular_stem_of("broken"), regular_stem_of("break")) << "tables of words tell them apart";
}

TEST(Stems, RussianInflectionsMeet) {
  const auto same = [](std::string_view a, std::string_view b) {
    return stem_of(words_of(a).front()) == stem_of(words_of(b).front());
  };
  EXPECT_TRUE(same("страховка", "страховку"));
  EXPECT_TRUE(same("гостиница", "гостинице"));
  EXPECT_TRUE(same("новый", "нового"));
  EXPECT_TRUE(same("продлить", "продления"));
  EXPECT_FALSE(same("дом", "дорога"));
  EXPECT_EQ(stem_of("кот"), "кот") << "short words stay whole";
  EXPECT_EQ(english_stem_of("страховку"), "страховку");
}

}  // namespace
}  // namespace mneme::rag
