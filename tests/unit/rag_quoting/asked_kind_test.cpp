// Which of several sentences answers, where each of them holds something of the kind that is asked for or something of
// what it is asked of: prices, times that come again, days, colours.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rag/quoting/quoting.h"

namespace mneme::rag {
namespace {

std::string first_quote(std::string_view question, const std::vector<QuotePassage>& passages) {
  const auto quotes = quote_sentences(question, passages);
  return quotes.empty() ? std::string() : quotes[0].text;
}

const QuotePassage kBill{
    "Klempner Voss, Hafenweg 2\n\nRechnung Nr. 88-204\nKunde: Jana Petersen\n\nArbeitszeit 3 h            180,00\n"
    "Anfahrt                     35,00\nDichtungen                  12,40\n19 % MwSt.                  43,21\n\nSumme  "
    "   "
    "                 270,61 EUR\n\nZahlbar innerhalb von 10 Tagen.\n",
    "papers rechnung\nrechnung", "rechnung"};
const QuotePassage kInvoice{
    "# INVOICE 3381\n\n**Bluefin Studio**, 12 Quay Street\n\nBill to: Marlowe\nInvoice date: 4 February 2026\nDue "
    "date: 6 March 2026\n\n| Description | Qty | Amount |\n|---|---|---|\n| Redesign | 1 | £3,400.00 |\n| Photography "
    "| "
    "2 | £620.00 |\n\nSubtotal: £4,020.00\nVAT 20%: £804.00\n**Total due: £4,824.00**\n\nPayment by bank transfer.",
    "papers invoice-bluefin\nINVOICE 3381", "INVOICE 3381"};

TEST(AskedPrice, WhatSaysMoreOfTheThingIsNotPassedOverForASum) {
  const QuotePassage lease{
      "# Lease of the garage\n\nThe deposit is two months of rent. The rent is 900 euros. A late fee of two percent "
      "applies.",
      "lease\nLease of the garage"};
  EXPECT_EQ(first_quote("How much is the deposit?", {lease}), "The deposit is two months of rent.");
  EXPECT_EQ(first_quote("How much is the late fee?", {lease}), "A late fee of two percent applies.");
  EXPECT_EQ(first_quote("How much is the rent?", {lease}), "The rent is 900 euros.");
  const QuotePassage sections{
      "# Lease\n\n## Rent\nThe rent is 900 euros a month.\n\n## Deposit\nTwo months of rent.\n\n## Notice\nThree "
      "months.",
      "lease\nLease"};
  EXPECT_EQ(first_quote("How much is the deposit?", {sections}), "Two months of rent.");
  const QuotePassage club{"Rowing club\n\nMembership is free for children. Adults pay 40 euros.", "club\nclub"};
  EXPECT_EQ(first_quote("How much is membership for children?", {club}), "Membership is free for children.");
}

TEST(AskedPrice, AShareIsNoPriceOfAThing) {
  const QuotePassage window{"The letters of mneme are drawn at 75 to 250 %.", "window\nThe window"};
  EXPECT_EQ(first_quote("What is the price of mneme?", {window}), "");
  const QuotePassage broker{"The broker is paid 3 % of the rent.", "flat\nThe flat"};
  EXPECT_EQ(first_quote("What does the broker cost?", {broker}), "The broker is paid 3 % of the rent.");
}

TEST(AskedPrice, ASumBesideTheThingAnswers) {
  const QuotePassage island{
      "## Getting there\n\nThe ferry sails in 55 minutes.\n\n| season | first ferry | crossings a day "
      "|\n|---|---|---|\n| "
      "summer | 06:40 | 8 |\n| winter | 07:50 | 4 |\n\nA return ticket costs 24 crowns, children travel free. Cars "
      "need a "
      "place on the ferry.",
      "island\nThe island"};
  const std::string ticket = "A return ticket costs 24 crowns, children travel free.";
  EXPECT_EQ(first_quote("How much is the ferry?", {island}), ticket);
  EXPECT_EQ(first_quote("How much is the ferry for children?", {island}), ticket);
  EXPECT_EQ(first_quote("How much is the lighthouse?", {island}), "");
}

TEST(AskedPrice, WhatIsNoPriceGivesWayToASum) {
  const QuotePassage lease{"The break fee needs 180 days notice. Who ends the lease early pays a fee of 600 euros.",
                           "lease\nlease"};
  EXPECT_EQ(first_quote("How much is the break fee?", {lease}), "Who ends the lease early pays a fee of 600 euros.");
}

TEST(AskedPrice, PositionsOfABillWhoseCurrencyStandsAtItsEnd) {
  EXPECT_EQ(first_quote("Was kostete die Anfahrt?", {kBill}), "Anfahrt 35,00");
  EXPECT_EQ(first_quote("Was kosten die Dichtungen?", {kBill}), "Dichtungen 12,40");
  EXPECT_EQ(first_quote("Was kostet die Rechnung von Voss?", {kBill}), "Summe 270,61 EUR");
  EXPECT_EQ(first_quote("Wie hoch ist die MwSt. der Rechnung?", {kBill}), "19 % MwSt. 43,21") << "one line";
}

TEST(AskedTitle, IsNoNameOfTheItemsBelow) {
  EXPECT_EQ(first_quote("How much VAT on the Bluefin invoice?", {kInvoice}), "VAT 20%: £804.00");
  EXPECT_EQ(first_quote("When is the Bluefin invoice due?", {kInvoice}), "Due date: 6 March 2026");
  EXPECT_EQ(first_quote("How much is the Bluefin invoice?", {kInvoice}), "Total due: £4,824.00");
}

TEST(AskedTime, WhatIsToBePaidIsDue) {
  EXPECT_EQ(first_quote("When must I pay Bluefin?", {kInvoice}), "Due date: 6 March 2026");
}

TEST(AskedFrequency, ATimeThatDoesNotComeAgainGivesWay) {
  const QuotePassage manual{
      "# Espresso machine\n\n## Descaling\nEvery two months or when the orange lamp is lit.\n\n1. Empty the tank.\n2. "
      "After "
      "about "
      "20 minutes rinse it.\n3. Start the machine.",
      "espresso\nEspresso machine"};
  EXPECT_EQ(first_quote("How often should I descale the espresso machine?", {manual}),
            "Every two months or when the orange lamp is lit.");
}

TEST(AskedFrequency, WhatStandsUnderItsHeadingNeedNotSayOften) {
  const QuotePassage tank{"# Aquarium\n\n## Cleaning the pump\nOnce a week.\n\n## Light\nTen hours.", "tank\nAquarium"};
  EXPECT_EQ(first_quote("How often should I clean the pump?", {tank}), "Once a week.");
  const QuotePassage pond{"# Teich\n\n## Pumpe reinigen\nEinmal pro Woche.\n\n## Licht\nZehn Stunden.", "pond\nTeich"};
  EXPECT_EQ(first_quote("Wie oft muss ich die Pumpe reinigen?", {pond}), "Einmal pro Woche.");
}

TEST(AskedQuality, AWordOfTheKindCountsBesideWhatItIsAskedOf) {
  const QuotePassage recipe{"# Dal\n\n## Ingredients\n- 300 g red lentils\n- 1 onion", "recipes dal\nDal"};
  EXPECT_EQ(first_quote("What colour is the sofa?", {recipe}), "");
  EXPECT_EQ(first_quote("What colour are the lentils?", {recipe}), "300 g red lentils");
  const QuotePassage flat{"# Flat\n\n## Sofa\nGrey, with two cushions of wool.", "flat\nFlat"};
  EXPECT_EQ(first_quote("What colour is the sofa?", {flat, recipe}), "Grey, with two cushions of wool.");
}

TEST(AskedOfMail, ItsHeadIsNoAnswer) {
  const QuotePassage mail{
      "From: Lena Vogt <lena@north.example>; To: Priya Nair <priya@north.example>; Date: Thu, 26 Mar 2026; Subject: "
      "Hotel for the offsite\n\nI would go for the Seehof hotel.",
      "mail\nHotel for the offsite"};
  const std::string all =
      quoted_answer(quote_sentences("Which hotel does Lena recommend for the offsite?", std::vector{mail}));
  EXPECT_EQ(all.find("Subject:"), std::string::npos) << all;
  EXPECT_NE(first_quote("Who wrote about the hotel for the offsite?", {mail}).find("Lena Vogt"), std::string::npos);
}

TEST(AskedOfLists, BoxesToBeTickedAreItems) {
  const QuotePassage list{
      "Ski trip list\n[ ] helmet\n[x] gloves\n[ ] ski pass card (deposit 5 euros)\nHotel: Alpenrose, Leogang, half "
      "board",
      "list\nlist"};
  EXPECT_TRUE(first_quote("How much is the deposit for the ski pass card?", {list})
                  .ends_with("[ ] ski pass card (deposit 5 euros)"));
  EXPECT_TRUE(first_quote("Did I pack the gloves?", {list}).ends_with("[x] gloves")) << "and whether it is done";
}

}  // namespace
}  // namespace mneme::rag
