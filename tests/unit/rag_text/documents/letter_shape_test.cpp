#include "rag/text/documents/letter_shape.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(LetterShape, AGreetingAndAClosingWithAName) {
  const LetterShape letter = letter_shape(
      "14 Chapel Row\nLudlow\n\nDear Clara,\n\nThe hip is much better. I may drive again.\n\nWith much love to you "
      "all,\nAunt Margaret\n");
  EXPECT_TRUE(letter.is_letter);
  EXPECT_EQ(letter.sender, "Aunt Margaret");
  EXPECT_EQ(letter_shape("Dear Jo,\n\nCan you bring the cake?\n\nLove, Bea\n").sender, "Bea");
}

TEST(LetterShape, InOtherLanguages) {
  struct Case {
    const char* text;
    const char* sender;
  };
  for (const Case& c :
       {Case{"Sehr geehrte Damen und Herren,\n\nam 8. Januar ist ein Rohr geplatzt.\n\nMit freundlichen "
             "Grüßen\nClara Weiss\n",
             "Clara Weiss"},
        Case{"Obernai, le 5 février\n\nMadame, Monsieur,\n\nVotre dossier est complet.\n\nVeuillez "
             "agréer, Madame, Monsieur, nos salutations distinguées.\nSylvie Muller\n",
             "Sylvie Muller"},
        Case{"Gentile signora Conti,\n\nil contatore va letto.\n\nCordiali saluti\nLucia Ferrante\n", "Lucia Ferrante"},
        Case{"Estimada señora:\n\nLe enviamos el contrato.\n\nUn cordial saludo,\nPilar Ortiz\n", "Pilar Ortiz"},
        Case{"Szanowna Pani,\n\nprosimy o wpłatę.\n\nZ poważaniem\nJan Nowak\n", "Jan Nowak"},
        Case{"Уважаемая Анна Ивановна!\n\nСобрание переносится.\n\nС уважением,\nИван Петров\n", "Иван Петров"}}) {
    const LetterShape letter = letter_shape(c.text);
    EXPECT_TRUE(letter.is_letter) << c.text;
    EXPECT_EQ(letter.sender, c.sender) << c.text;
  }
}

TEST(LetterShape, OfAParagraphThatLinesWereJoinedTo) {
  const LetterShape letter = letter_shape(
      "Schule am Park\n\nLiebe Eltern, am 18. Mai fahren wir fort. Der Bus fährt um acht. Mit freundlichen Grüßen "
      "Svenja Ahrens\n");
  EXPECT_TRUE(letter.is_letter);
  EXPECT_EQ(letter.sender, "Svenja Ahrens");
}

TEST(LetterShape, OtherTextsAreNone) {
  for (const char* text :
       {"", "Dear Diary, today it rained and the cat slept.", "Yours sincerely,\nAnn\n\nDear Bob,\n",
        "Love is a long road.\n\nBest of all were the plums that we ate in June.\n",
        "# Minutes\n\nPresent: Ann, Bob\n\nBest wishes were sent to Carol on her birthday by all members of the "
        "club.\n",
        "Hi fi for beginners\n\nAll the best amplifiers of this year, and how they were measured, in one table.\n"})
    EXPECT_FALSE(letter_shape(text).is_letter) << text;
}

}  // namespace
}  // namespace mneme::rag
