#include "rag/text/asked/subject.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(AskedSubject, IsWhatStandsBehindTheArticle) {
  EXPECT_THAT(asked_subject("Who is the mayor of Utrecht?"), ElementsAre("mayor"));
  EXPECT_THAT(asked_subject("How long is the guarantee for the motor?"), ElementsAre("guarantee"));
  EXPECT_THAT(asked_subject("Wie heißt der Hausmeister der Kita?"), ElementsAre("hausmeister"));
  EXPECT_THAT(asked_subject("What breed is Milo?"), ElementsAre("breed"));
}

TEST(AskedSubject, WhatSomebodyHasAndWhatIsCounted) {
  EXPECT_THAT(asked_subject("How long is Corvid's network?"), ElementsAre("network"));
  EXPECT_THAT(asked_subject("What is Hanna's blood pressure?"), ElementsAre("blood", "pressure"));
  EXPECT_THAT(asked_subject("How many routes does the hall have?"), ElementsAre("routes"));
  EXPECT_THAT(asked_subject("Wie viele Wohnungen hat das Haus?"), ElementsAre("wohnungen"));
  EXPECT_THAT(asked_subject("How many people is it for?"), IsEmpty()) << "serves 4";
}

TEST(AskedSubject, WordsThatAskAreNone) {
  for (const char* question :
       {"What is the date of the meeting?", "What is it like?", "Who wrote the report?", "How do I cancel?",
        "What colour is the sofa?", "Who was the guy who fixed it?", "押金是多少？", "", "Who?"}) {
    EXPECT_THAT(asked_subject(question), IsEmpty()) << question;
  }
}

TEST(AskedSubject, WhatOnlyNamesTheKindOfAnswer) {
  EXPECT_TRUE(names_kind_of_answer("value"));
  EXPECT_TRUE(names_kind_of_answer("wert"));
  EXPECT_FALSE(names_kind_of_answer("rent"));
}

TEST(AskedSubject, WhatHasAPrice) {
  EXPECT_THAT(asked_subject("what does a parking space at quay street cost"), ElementsAre("parking", "space"));
  EXPECT_THAT(asked_subject("Was kostet der Kurs?"), ElementsAre("kurs"));
  EXPECT_THAT(asked_subject("how much does the ferry cost"), ElementsAre("ferry"));
}

TEST(AskedSubject, WhatItIsAPartOf) {
  EXPECT_THAT(asked_whole("How long is the warranty of the washing machine?"), ElementsAre("washing", "machine"));
  EXPECT_THAT(asked_whole("what is the iban of greta halloran"), ElementsAre("greta", "halloran"));
  EXPECT_THAT(asked_whole("How long is the warranty?"), IsEmpty());
}

TEST(AskedSubject, SumsByTheirName) {
  EXPECT_TRUE(asks_named_sum("What's my new rent?"));
  EXPECT_TRUE(asks_named_sum("What is the consultant's daily rate?"));
  EXPECT_FALSE(asks_named_sum("What is the address?"));
  EXPECT_TRUE(says_which_holds("new"));
  EXPECT_FALSE(says_which_holds("rent"));
}

}  // namespace
}  // namespace mneme::rag
