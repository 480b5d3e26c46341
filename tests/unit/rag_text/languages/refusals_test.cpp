#include "rag/text/languages/refusals.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(Refusals, AreInTheLanguageOfTheQuestion) {
  EXPECT_EQ(refusal_for("wie hoch ist die Miete für die Garage"), "Die Dokumente sagen dazu nichts.");
  EXPECT_EQ(refusal_for("gibt es einen aufzug"), "Die Dokumente sagen dazu nichts.");
  EXPECT_EQ(refusal_for("wann müllabfuhr"), "Die Dokumente sagen dazu nichts.");
  EXPECT_EQ(refusal_for("combien la caution"), "Les documents n’en disent rien.");
  EXPECT_EQ(refusal_for("quel est le prix de la place de parking"), "Les documents n’en disent rien.");
  EXPECT_EQ(refusal_for("cuánto cuesta la plaza de garaje"), "Los documentos no lo dicen.");
  EXPECT_EQ(refusal_for("quanto costa il posto auto per gli ospiti"), "I documenti non lo dicono.");
  EXPECT_EQ(refusal_for("скільки коштує їжа"), "У документах про це не сказано.");
  EXPECT_EQ(refusal_for("vad kostar parkeringsplatsen"), "Dokumenten säger inget om det.");
  EXPECT_EQ(refusal_for("kolik stojí parkování"), "Dokumenty o tom nic neříkají.");
  EXPECT_EQ(refusal_for("mikä on wifin salasana"), "Asiakirjoissa ei kerrota siitä.");
  EXPECT_EQ(refusal_for("mennyibe kerül a parkolás"), "A dokumentumok erről nem írnak.");
  EXPECT_EQ(refusal_for("cât costă parcarea"), "Documentele nu spun nimic despre asta.");
  EXPECT_EQ(refusal_for("какая зарплата у Ольги"), "В документах об этом не сказано.");
  EXPECT_EQ(refusal_for("كم راتب كريم"), "لا تذكر الوثائق ذلك.");
  EXPECT_EQ(refusal_for("停车位租金多少"), "文档中没有说明。");
  EXPECT_EQ(refusal_for("駐車場代はいくら"), "文書には書かれていません。");
  EXPECT_EQ(refusal_for("주차비는 얼마예요"), "문서에 나와 있지 않습니다.");
}

TEST(Refusals, AreEnglishWhereTheLanguageIsNotKnown) {
  for (const std::string_view question :
       {"How much is the rent?", "rent garage", "war memorial date", "son age", "do dogs die", "to do list",
        "on call rota", "What does \u201cWohnung\u201d mean?", "", "колькі каштуе ежа ў горадзе", "قیمت چند است"}) {
    EXPECT_EQ(refusal_for(question), "") << question;
  }
}

}  // namespace
}  // namespace mneme::rag
