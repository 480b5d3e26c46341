#include "rag/text/asked/state.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(AskedState, OfWhichThing) {
  struct Case {
    const char* question;
    const char* thing;
  };
  for (const Case& c :
       {Case{"What is wrong with the lamp?", "the lamp"}, Case{"what's the matter with the van", "the van"},
        Case{"what is broken in the flat", "the flat"}, Case{"Was stimmt mit der Heizung nicht?", "der Heizung"},
        Case{"Qu'est-ce qui ne va pas avec le volet ?", "le volet"}, Case{"Cosa non va con la caldaia?", "la caldaia"},
        Case{"Что не так с лампой?", "лампой"}})
    EXPECT_EQ(thing_in_question_of_state(c.question), c.thing) << c.question;
}

TEST(AskedState, OtherQuestionsAskForNone) {
  for (const char* question : {"", "What is a lamp?", "What is wrong?", "Was ist los?", "Who broke the lamp?",
                               "What is the problem of induction?"})
    EXPECT_EQ(thing_in_question_of_state(question), "") << question;
}

TEST(AskedState, DefectsAreTold) {
  EXPECT_TRUE(tells_defect("floor lamp: flickers when somebody walks past", Language::kEnglish));
  EXPECT_TRUE(tells_defect("volet de la chambre : bloqué, la sangle est cassée", Language::kFrench));
  EXPECT_TRUE(tells_defect("Bekannte Mängel: Riss im Großsegel", Language::kGerman));
  EXPECT_FALSE(tells_defect("The lamp costs 40 euros.", Language::kEnglish));
  EXPECT_FALSE(tells_defect("Die Lampe steht im Flur.", Language::kGerman));
}

}  // namespace
}  // namespace mneme::rag
