#include "rag/text/documents/asked_senders.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(AskedSenders, WhoWroteAboutWhat) {
  struct Case {
    const char* question;
    const char* matter;
  };
  for (const Case& c :
       {Case{"Who wrote to me about the piano?", "piano"}, Case{"who emailed us about the trip", "trip"},
        Case{"Who has written to me?", ""}, Case{"Wer hat mir wegen der Heizung geschrieben?", "Heizung"},
        Case{"Qui m'a écrit au sujet de la chaudière ?", "chaudière"},
        Case{"Chi mi ha scritto dell'assemblea?", "assemblea"}, Case{"¿Quién me ha escrito sobre el seguro?", "seguro"},
        Case{"Wie heeft me over de verzekering geschreven?", "verzekering"},
        Case{"Кто мне писал о ремонте?", "ремонте"}}) {
    const AskedSenders asked = asked_senders(c.question);
    EXPECT_TRUE(asked.is_asked) << c.question;
    EXPECT_EQ(asked.matter, c.matter) << c.question;
  }
}

TEST(AskedSenders, OtherQuestionsAskForNone) {
  for (const char* question : {"", "Who wrote the report?", "Who wrote Dracula?", "Wer hat den Vertrag geschrieben?",
                               "What did Ann write to me about the piano?", "Who is the author of the letter?"})
    EXPECT_FALSE(asked_senders(question).is_asked) << question;
}

}  // namespace
}  // namespace mneme::rag
