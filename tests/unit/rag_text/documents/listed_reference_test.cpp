#include "rag/text/documents/listed_reference.h"

#include <gtest/gtest.h>

#include <string>

namespace mneme::rag {
namespace {

TEST(ListedReference, PointsAtOneOfAList) {
  struct Case {
    const char* question;
    const char* words;
    int place;
    bool whole;
  };
  for (const Case& c :
       {Case{"and the second one?", "the second one", 2, true}, Case{"Open the third.", "the third", 3, true},
        Case{"summarise the first one", "the first one", 1, true}, Case{"the last one", "the last one", -1, true},
        Case{"What does the 2nd document say?", "the 2nd document", 2, true},
        Case{"Who wrote the first one?", "the first one", 1, false}, Case{"show me number 4", "number 4", 4, true},
        Case{"When was the second of them written?", "the second of them", 2, false},
        Case{"Öffne das zweite", "das zweite", 2, true},
        Case{"Und die letzte Rechnung?", "die letzte Rechnung", -1, true},
        Case{"Wer hat den ersten Brief geschrieben?", "den ersten Brief", 1, false},
        Case{"ouvre le deuxième", "le deuxième", 2, true}, Case{"second one", "second one", 2, true}}) {
    const std::string question = c.question;
    const std::optional<ListedReference> reference = listed_reference(question);
    ASSERT_TRUE(reference) << question;
    EXPECT_EQ(question.substr(reference->begin, reference->end - reference->begin), c.words);
    EXPECT_EQ(reference->place, c.place) << question;
    EXPECT_EQ(wants_listed_whole(question, *reference), c.whole) << question;
  }
}

TEST(ListedReference, InFurtherLanguages) {
  struct Case {
    const char* question;
    const char* words;
    int place;
  };
  for (const Case& c : {Case{"Open de tweede", "de tweede", 2}, Case{"Otwórz trzeci", "trzeci", 3},
                        Case{"открой второй", "второй", 2}, Case{"Visa den första", "den första", 1},
                        Case{"mostre o terceiro", "o terceiro", 3}, Case{"numéro quatre", "numéro quatre", 4},
                        Case{"üçüncüyü aç", "üçüncüyü", 3}, Case{"apri l'ultima", "l'ultima", -1}}) {
    const std::string question = c.question;
    const std::optional<ListedReference> reference = listed_reference(question);
    ASSERT_TRUE(reference) << question;
    EXPECT_EQ(question.substr(reference->begin, reference->end - reference->begin), c.words);
    EXPECT_EQ(reference->place, c.place) << question;
    EXPECT_TRUE(wants_listed_whole(question, *reference)) << question;
  }
}

TEST(ListedReference, NotWhereSomethingElseIsCounted) {
  for (const char* question :
       {"", "What is the first chapter about?", "When is the second payment due?", "Who came first?",
        "the number of pages", "How long does the last bus take?", "What is number theory?"})
    EXPECT_FALSE(listed_reference(question)) << question;
}

}  // namespace
}  // namespace mneme::rag
