// Where the papers speak of something near what is asked, and not of that: nothing is quoted, or only what answers.
#include <gtest/gtest.h>

#include "rag/quoting/quoting.h"

namespace mneme::rag {
namespace {

std::string first_quote(std::string_view question, std::span<const QuotePassage> passages) {
  const std::vector<QuotedSentence> quotes = quote_sentences(question, passages);
  return quotes.empty() ? std::string() : quotes.front().text;
}

const QuotePassage kMilo{"Milo weighs 31.4 kg now. Give him one tablet twice a day with his food.", "vet letter",
                         "Letter from the vet"};
const QuotePassage kClub{
    "Rowing Club Seewacht\nMinutes of the members' meeting of 6 February 2026\n\nThe club has 187 members, twelve more "
    "than last year. The boathouse is painted in April.",
    "minutes", "Minutes"};

TEST(ToldOfAnother, OfANameAloneNothingIsQuoted) {
  EXPECT_EQ(first_quote("What breed is Milo?", std::span(&kMilo, 1)), "");
  EXPECT_NE(first_quote("How heavy is Milo?", std::span(&kMilo, 1)).find("31.4 kg"), std::string::npos);
}

TEST(ToldOfAnother, WhatCountsOtherThingsAnswersNotHowMany) {
  EXPECT_EQ(first_quote("How many boats does the club have?", std::span(&kClub, 1)), "");
  EXPECT_NE(first_quote("How many members does the club have?", std::span(&kClub, 1)).find("187"), std::string::npos);
}

TEST(ToldOfAnother, ANumberIsNoPrice) {
  const QuotePassage plan{"| Medicine | Strength |\n|---|---|\n| Ramipril | 5 mg |\n", "plan", "Plan"};
  EXPECT_EQ(first_quote("How much does ramipril cost?", std::span(&plan, 1)), "");
  const QuotePassage list{"Mirror. Price: 245", "list", "List"};
  EXPECT_NE(first_quote("How much is the mirror?", std::span(&list, 1)), "");
}

TEST(ToldOfAnother, WhatIsCalledByTheQuestionIsNotToldByOthers) {
  const QuotePassage passages[] = {{"5.1 Each party's liability is limited to 50,000 euros.", "work nda-halden",
                                    "Agreement", TextForm::kProse, false, "nda-halden"},
                                   {"The daily rate of the consultant is 780 euros.", "work consulting", "Consulting",
                                    TextForm::kProse, false, "consulting"}};
  EXPECT_EQ(first_quote("What is the daily rate in the NDA?", passages), "");
  EXPECT_NE(first_quote("What is the daily rate of the consultant?", passages).find("780"), std::string::npos);
}

TEST(ToldOfAnother, WhatOnlyOthersThanTheNamedOneTellIsNotAnswered) {
  const QuotePassage passages[] = {
      {"Corvid supplies electricity to 1.3 million customers. Revenue came to 940 million pounds.", "corvid-2024",
       "Corvid Energy", TextForm::kProse, false, "corvid-2024"},
      {"Lumen serves 214,000 customers. The network is 3,120 km long.", "lumen-2024", "Lumen Water", TextForm::kProse,
       false, "lumen-2024"}};
  EXPECT_EQ(first_quote("How long is Corvid's network?", passages), "");
  EXPECT_NE(first_quote("How many customers does Corvid have?", passages).find("1.3 million"), std::string::npos);
  EXPECT_NE(first_quote("How many customers does Lumen have?", passages).find("214,000"), std::string::npos);
}

TEST(ToldOfAnother, WhatIsCountedMustBeToldOfSomewhere) {
  const QuotePassage hall{"The climbing hall has 3 floors. Children under 14 may climb only with an adult.", "hall",
                          "Climbing hall"};
  EXPECT_EQ(first_quote("How many routes does the climbing hall have?", std::span(&hall, 1)), "");
  EXPECT_NE(first_quote("How many floors does the climbing hall have?", std::span(&hall, 1)), "");
}

TEST(ToldOfAnother, DaysAndDecimalsCountNothing) {
  const QuotePassage house{"Die Wohnung mit 5.5 Zimmern wird auf den 1. Januar bezogen.", "brief", "Brief"};
  EXPECT_EQ(first_quote("Wie viele Wohnungen hat das Haus?", std::span(&house, 1)), "");
}

TEST(ToldOfAnother, ACompoundOfTheThingAndItsTimeIsToldUnderTheThing) {
  const QuotePassage lease{"## Kündigung\n\nDrei Monate zum Ende eines Quartals.\n\n## Miete\n\n980 Euro im Monat.",
                           "vertrag", "Vertrag"};
  EXPECT_EQ(first_quote("Wie lang ist die Kündigungsfrist?", std::span(&lease, 1)),
            "Drei Monate zum Ende eines Quartals.");
}

}  // namespace
}  // namespace mneme::rag
