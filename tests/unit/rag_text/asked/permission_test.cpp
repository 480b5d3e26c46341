#include "rag/text/asked/permission.h"

#include <gtest/gtest.h>

#include "rag/text/asked/question_kind.h"

namespace mneme::rag {
namespace {

TEST(AskedPermission, MayItBeDoneOrMustIt) {
  for (const std::string_view question :
       {"Can we keep a dog?", "may I smoke", "Is smoking allowed?", "are cats permitted",
        "Darf man auf dem Balkon grillen?", "Hühner erlaubt?", "est-ce qu'on peut avoir un chien",
        "puedo tener un perro", "posso fumare in casa", "можно держать собаку?", "هل يمكن اقتناء قطة", "可以养猫吗",
        "能不能转租", "猫を飼ってもいいですか", "est-ce que les barbecues sont autorisés"}) {
    EXPECT_EQ(asked_permission(question), Permission::kMay) << question;
  }
  for (const std::string_view question :
       {"Do I have to bring towels?", "do we need to paint the walls when we move out", "Muss ich die Kaution zahlen?",
        "dois-je repeindre les murs", "нужно ли платить за воду", "هل يجب دفع الماء"}) {
    EXPECT_EQ(asked_permission(question), Permission::kMust) << question;
  }
  for (const std::string_view question :
       {"How can I reset it?", "What is allowed on the balcony?", "When may he swim?", "Is the rent due?",
        "什么时候可以免费取消", "quand peut-on arriver", "que hay que llevar"}) {
    EXPECT_EQ(asked_permission(question), Permission::kNone) << question;
  }
}

TEST(AskedPermission, IsAskedForInOtherLanguages) {
  for (const std::string_view question :
       {"får man ha hund", "mag ik een kat houden", "smí se na chodbě kouřit", "saako parvekkeella tupakoida",
        "szabad dohányozni a lépcsőházban", "putem ține un câine", "чи можна тримати собаку", "담배 피워도 돼"}) {
    EXPECT_EQ(asked_permission(question), Permission::kMay) << question;
  }
  EXPECT_EQ(asked_permission("moet ik opzeggen per brief"), Permission::kMust);
  EXPECT_EQ(asked_permission("när får man använda tvättstugan"), Permission::kNone) << "when is asked";
  EXPECT_GT(ruling_cue("Rökning är förbjuden i lägenheten.", Permission::kMay), 0.0);
  EXPECT_GT(ruling_cue("Trzymanie psów wymaga zgody.", Permission::kMay), 0.0);
}

TEST(AskedPermission, ARuleIsAYesOrANo) {
  EXPECT_EQ(ruling_cue("Dogs are not permitted.", Permission::kMay), 1.0);
  EXPECT_EQ(ruling_cue("Hunde dürfen nicht gehalten werden.", Permission::kMay), 1.0);
  EXPECT_EQ(ruling_cue("They must be white again.", Permission::kMust), 1.0);
  EXPECT_LT(ruling_cue("Tenants may paint the walls.", Permission::kMust), 1.0);
  for (const std::string_view rule : {"Les chiens sont interdits.", "No se admiten perros.", "Курить запрещается.",
                                      "不得转租。", "犬の飼育を禁止する。", "يُمنع الشواء على الشرفات."}) {
    EXPECT_EQ(ruling_cue(rule, Permission::kMay), 1.0) << rule;
  }
  EXPECT_EQ(ruling_cue("The dog is called Milo.", Permission::kMay), 0.0);
  EXPECT_EQ(ruling_cue("Dogs are not permitted.", Permission::kNone), 0.0);
}

TEST(AskedPermission, WhatHardlySaysMoreThanItsThingNeedNotBeSaid) {
  EXPECT_TRUE(only_asks_permission("keep", "keep")) << "keep a dog";
  EXPECT_TRUE(only_asks_permission("allowed", ""));
  EXPECT_FALSE(only_asks_permission("sublet", "sublet"));
  EXPECT_FALSE(only_asks_permission("keep", "sublet"));
}

TEST(AskedPermission, ACaseIsNoTimeThatIsAskedFor) {
  EXPECT_NE(kind_of_question("Do we have to paint the walls when we move out?"), QuestionKind::kDate);
  EXPECT_EQ(kind_of_question("when do we move out"), QuestionKind::kDate);
}

}  // namespace
}  // namespace mneme::rag
