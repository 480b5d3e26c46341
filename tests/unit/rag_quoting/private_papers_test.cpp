// What is quoted from the papers of a household or an office: contracts in clauses, tables, runbooks, mail.
#include <gtest/gtest.h>

#include "rag/quoting/outline/row_text.h"
#include "rag/quoting/outline/sentences.h"
#include "rag/quoting/quoting.h"

namespace mneme::rag {
namespace {

const QuotePassage kAgreement{
    "LEASE OF A WORKSHOP\n\n1. Term\n1.1 The lease runs for eighteen months.\n\n2. Rent\n2.1 The rent is £1,140 per "
    "calendar month, payable in advance on the 3rd day of each month.\n2.3 The owner may raise the rent once in twelve "
    "months by no more than 4%.\n\n4. Duties of the lessees\n4.1 The lessees shall not keep animals in the workshop.",
    "papers lease\nLEASE OF A WORKSHOP"};
const QuotePassage kExpenses{
    "date,category,shop,amount GBP\n2025-09-12,boiler service,Kerr Heating,96.00\n2025-10-28,theatre,Festival "
    "Theatre,78.00\n",
    "papers expenses\nexpenses"};
const QuotePassage kBoiler{
    "# Boiler\n\nService every year; last one on 12 September 2025 (£96, Kerr).\n\n| code | meaning | what to do |\n"
    "|---|---|---|\n| F22 | too little water | fill up |\n| F28 | no ignition | check the gas valve |\n",
    "papers boiler\nBoiler"};
const QuotePassage kRunbook{
    "# Runbook\n\n## Queue is stuck\nSymptoms: the depth is above 5,000 for ten minutes. Restart the worker with "
    "`restart worker`.\nIf it does not fall, page the database team.\n\n## Passwords\nThey are in the vault.",
    "papers runbook\nRunbook"};
const QuotePassage kMail{
    "From: Fiona Baird <office@school.example>; To: Hanna Lind <hanna@lind.example>; Date: Thu, 6 Nov 2025 09:12:04 "
    "+0000; Subject: The trip to the museum\n\nThe trip to the museum takes place on 27 November; it costs £9.50 per "
    "child. Please send a lunch without nuts.",
    "papers mail\nThe trip to the museum"};

std::string first_quote(std::string_view question, const std::vector<QuotePassage>& passages) {
  const auto quotes = quote_sentences(question, passages);
  return quotes.empty() ? std::string() : quotes[0].text;
}

TEST(PrivatePapers, ClausesOfAContract) {
  EXPECT_TRUE(first_quote("How much is the rent?", {kAgreement, kExpenses}).starts_with("2.1 The rent is £1,140"));
  EXPECT_TRUE(first_quote("When is the rent due?", {kAgreement}).starts_with("2.1 The rent is £1,140"));
  EXPECT_EQ(first_quote("Are animals allowed?", {kAgreement}),
            "4.1 The lessees shall not keep animals in the workshop.")
      << "without the heading of its section";
}

TEST(PrivatePapers, APriceIsFoundInTablesWithoutTheWord) {
  EXPECT_NE(first_quote("How much did the theatre cost?", {kExpenses, kAgreement}).find("78.00"), std::string::npos);
}

TEST(PrivatePapers, AHeadingNamesACaseAsTheQuestionDoes) {
  const QuotePassage insurance{
      "# Insurance\n\nThe premium is 412.60 EUR a year.\n\n## After an accident\nCall the police if somebody is hurt. "
      "Report the claim within seven days.\n\n## Cancelling\nIn writing until 30 November.",
      "car insurance\nInsurance"};
  EXPECT_NE(first_quote("What should I do after an accident?", {insurance}).find("Call the police"), std::string::npos);
}

TEST(PrivatePapers, AReasonStandsBeforeWhatItExplains) {
  const QuotePassage minutes{
      "# Minutes\n\n1. **Accounts.** All is well.\n2. **Jetty.** Two planks are rotten. Until then the left side is "
      "closed.\n3. **Party.** On 11 December.",
      "club minutes\nMinutes"};
  EXPECT_NE(first_quote("Why is the left side closed?", {minutes}).find("Two planks are rotten."), std::string::npos);
}

TEST(PrivatePapers, AShortSentenceIsOneWhereItEnds) {
  const QuotePassage letter{
      "Milo weighs 31.4 kg now, which is two kilos too many. The wound heals well. Milo may eat. No swimming before "
      "Saturday.",
      "vet\nMilo"};
  EXPECT_EQ(first_quote("When may he go swimming?", {letter}), "No swimming before Saturday.");
}

TEST(PrivatePapers, AGermanVerbIsOneInAllItsForms) {
  const QuotePassage trees{
      "# Garten\n\n## Apfelbaum\nSchnitt im Februar.\n\n## Hecke\nDie Hainbuche wird Ende Juni geschnitten.",
      "garten\nGarten"};
  EXPECT_NE(first_quote("Wann wird der Apfelbaum geschnitten?", {trees}).find("Februar"), std::string::npos);
}

TEST(PrivatePapers, PositionsOfAnOfferAreRows) {
  const QuotePassage offer{
      "Offer no. 2231\n\nPos  Description                 Qty   Price\n1    Doors, solid oak            1     3,480.00 "
      "EUR\n2    Drawers with soft close     6     92.00 EUR each\n\nNet total 4,032.00 EUR. Total: 4,798.08 EUR.",
      "papers offer\noffer"};
  EXPECT_EQ(first_quote("How much is one of the drawers?", {offer}),
            "Pos: 2; Description: Drawers with soft close; Qty: 6; Price: 92.00 EUR each");
  const std::string total = quoted_answer(quote_sentences("What does the offer cost in total?", std::vector{offer}));
  EXPECT_NE(total.find("Total: 4,798.08 EUR."), std::string::npos) << total;
}

TEST(PrivatePapers, TheDateOfAHeadingIsNotThatOfItsItems) {
  const QuotePassage minutes{
      "# Board, 3 February 2026\n\n1. **Hiring.** Sigrid presents candidates at the next meeting.\n2. **Stairs.** They "
      "are mended.\n\nNext meeting: 10 March 2026, 09:30, in the Mill Room.",
      "papers minutes\nminutes"};
  EXPECT_EQ(first_quote("When is the next board meeting?", {minutes}),
            "Next meeting: 10 March 2026, 09:30, in the Mill Room.");
}

TEST(PrivatePapers, ARowExplainsItsCode) {
  EXPECT_NE(first_quote("What does F28 mean?", {kBoiler, kRunbook}).find("no ignition"), std::string::npos);
}

TEST(PrivatePapers, WhatToDoIsAllThatStandsUnderTheHeading) {
  const std::string quote = first_quote("What should I do when the queue is stuck?", {kRunbook, kBoiler});
  EXPECT_NE(quote.find("restart worker"), std::string::npos) << quote;
  EXPECT_NE(quote.find("page the database team"), std::string::npos) << quote;
  EXPECT_EQ(quote.find("vault"), std::string::npos) << quote;
}

TEST(PrivatePapers, TheHeadOfAMailIsNoAnswerUnlessItIsAskedFor) {
  EXPECT_NE(first_quote("How much is the trip to the museum?", {kMail}).find("£9.50"), std::string::npos);
  EXPECT_EQ(first_quote("When is the trip to the museum?", {kMail}).find("Subject"), std::string::npos);
  EXPECT_NE(first_quote("Who wrote about the trip to the museum?", {kMail}).find("Fiona Baird"), std::string::npos);
}

TEST(PrivatePapers, OneSentenceAnswersBothPartsOfAQuestion) {
  const std::vector<QuotePassage> passages{kBoiler, kAgreement, kMail};
  const auto quotes = quote_sentences("When was the last service of the boiler and how much did it cost?", passages);
  ASSERT_EQ(quotes.size(), 1u) << quoted_answer(quotes);
  EXPECT_NE(quotes[0].text.find("£96"), std::string::npos);
}

TEST(PrivatePapers, ASumStandsUnderItsVeryName) {
  const QuotePassage receipt{
      "MILL STREET STORES\n\nSUBTOTAL $52.00\nTax (5%) $2.60\n\nTOTAL $54.60\n\nREWARDS MEMBER\nID: TM-44\nPoints "
      "earned: 54\nTotal points: 3,247\n\nReceipt required for returns\n",
      "MILL STREET STORES\nreceipt"};
  EXPECT_EQ(first_quote("What was the total of the receipt?", {receipt}), "TOTAL $54.60");
  EXPECT_EQ(first_quote("What was the receipt total?", {receipt}), "TOTAL $54.60");
  EXPECT_EQ(first_quote("What is the subtotal of the receipt?", {receipt}), "SUBTOTAL $52.00");
}

TEST(PrivatePapers, ACellOfAFormThatBringsItsNameAlong) {
  const QuotePassage form{
      "ESTIMATE\n\nCustomer | Vehicle\nInsured name Ada Birch | Year 2031\nClaim # SF-77 | Make Heron\nEmail "
      "ada@birch.example | VIN 1C4RJ77\n| | Odometer 9,800\n",
      "ESTIMATE\nform"};
  EXPECT_EQ(first_quote("What is the VIN of the Heron?", {form}), "VIN 1C4RJ77");
  EXPECT_EQ(first_quote("What is the claim number of Ada Birch?", {form}), "Claim # SF-77");
  EXPECT_NE(first_quote("What is the odometer reading of the Heron?", {form}).find("9,800"), std::string::npos);
}

TEST(PrivatePapers, WhatABillComesTo) {
  const QuotePassage bill{
      "NORTHWIND ENERGY\nBilling period: 1 March 2026 - 31 March 2026\nConsumption 407 kWh\nUnit price 0.31 EUR/kWh\n"
      "Standing charge 9.50 EUR\nAmount due 161.45 EUR\n",
      "electricity-bill-march\nelectricity bill march"};
  EXPECT_EQ(first_quote("How much do I have to pay for electricity in March?", {bill}), "Amount due 161.45 EUR");
  const QuotePassage booking{
      "Outbound: SH 482, Hamburg to Lisbon, departure 06:55\nPassengers: Marta and Jonas\nTotal price: 412.60 EUR, "
      "paid "
      "by card.\n",
      "Your booking\nbooking"};
  EXPECT_NE(first_quote("How much did the flight cost?", {booking}).find("412.60"), std::string::npos);
}

TEST(PrivatePapers, WhatNamesNoSumIsNoPrice) {
  const QuotePassage manual{
      "# Error codes\n\nE1: water does not enter.\nE4: water in the base tray.\n\n1. Open the lid.\n2. Rinse it under "
      "running water.\n",
      "manual\nmanual"};
  EXPECT_TRUE(quote_sentences("How much is the water bill?", std::vector{manual}).empty());
}

TEST(PrivatePapers, WhatStandsBehindALabelIsComplete) {
  const QuotePassage letter{
      "Re: Hanna Lind, born 9 May 1988\n\nThank you for sending Hanna Lind to us. Her heart is "
      "healthy.\n\nAllergies: penicillin (rash, 1996).\n",
      "papers letter\nletter"};
  EXPECT_NE(quoted_answer(quote_sentences("Is Hanna allergic to anything?", std::vector{letter})).find("penicillin"),
            std::string::npos);
}

TEST(PrivatePapers, RecordsMayBePartedBySemicolonsOrTabs) {
  const QuotePassage bank{
      "Booking date;Payee;Purpose;Amount EUR\n2026-03-02;Stadtwerke Kiel;Electricity March;-68,00\n2026-03-13;Bookshop "
      "Weiland;Order 7731;-42,45\n",
      "papers bank\nbank"};
  EXPECT_EQ(first_quote("How much did I pay for electricity?", {bank}),
            "Booking date: 2026-03-02; Payee: Stadtwerke Kiel; Purpose: Electricity March; Amount EUR: -68,00");
  const QuotePassage tabs{"Name\tPlace\tCount\nlamp\tcellar\t3\nropes\tattic\t12\n", "papers things\nthings"};
  EXPECT_EQ(first_quote("Where are the ropes?", {tabs}), "Name: ropes; Place: attic; Count: 12");
}

TEST(PrivatePapers, SettingsAreReadLineByLine) {
  const QuotePassage notes{"# deployment\nservice: shop-web\nreplicas: 4\nport: 8443\nlogs: kept for 21 days in Loki",
                           "papers deploy\ndeployment"};
  EXPECT_EQ(first_quote("How long are logs kept?", {notes}), "logs: kept for 21 days in Loki");
}

TEST(PrivatePapers, TheTotalOfWhatTheDocumentIsCalledBy) {
  const QuotePassage booking{"Outward: Kiel to Oslo, cabin 7214.\nPassengers: two.\nTotal: 618.00 EUR, paid by card.",
                             "papers ferry\nYour ferry"};
  EXPECT_EQ(first_quote("How much was the ferry?", {booking, kBoiler}), "Total: 618.00 EUR, paid by card.");
}

TEST(PrivatePapers, LinesOfLabelsAreReadOneByOne) {
  const QuotePassage router{
      "Router FRITZ 7590\nAdmin page: http://192.168.178.1   user: admin\nGuest network: \"Lind\", password "
      "Heidschnucke-41\nInternet provider: Weserkom, 34.90 EUR a month\nReset: hold the button for 15 seconds.",
      "papers router\nrouter"};
  EXPECT_EQ(first_quote("What is the password of the guest network?", {router}),
            "Guest network: \"Lind\", password Heidschnucke-41");
  EXPECT_EQ(first_quote("How much is the internet per month?", {router}),
            "Internet provider: Weserkom, 34.90 EUR a month");
}

TEST(PrivatePapers, TheDayOfADiaryBelongsToWhatIsTold) {
  const QuotePassage diary{
      "# Garden diary\n\n- 8.2. Sowed peppers and aubergines\n- 20.2. Peppers came up after 12 "
      "days; no aubergine yet",
      "papers diary\nGarden diary"};
  EXPECT_EQ(first_quote("When did the peppers come up?", {diary}),
            "20.2. Peppers came up after 12 days; no aubergine yet");
}

TEST(PrivatePapers, WhatSomebodyDoesIsNoDefinition) {
  const QuotePassage mail{"The concert is on 9 May at 19:00; we sing Rheinberger and two pieces by Shaw.",
                          "papers mail"};
  EXPECT_NE(first_quote("What do we sing?", {mail}).find("Rheinberger"), std::string::npos);
}

TEST(PrivatePapers, ARowOfSumsIsCalledByItsLabel) {
  EXPECT_EQ(plain_row("| | | Total | 176.00 EUR |", "| Item | Quantity | Unit price | Amount |"), "Total: 176.00 EUR");
  EXPECT_EQ(plain_row("| brake | | 74.00 |", "| Item | Quantity | Amount |"), "Item: brake; Amount: 74.00");
}

TEST(PrivatePapers, ACompoundIsToldOfByItsParts) {
  const QuotePassage rules{
      "Die Anreise ist ab 16 Uhr. Der Schlüssel liegt im Kasten neben der Garage, Code 4709. Der "
      "Müll wird dienstags abgeholt.",
      "papers hausordnung\nHausordnung"};
  EXPECT_NE(first_quote("Wo ist der Schlüsselkasten?", {rules}).find("neben der Garage"), std::string::npos);
}

TEST(Sentences, NumberedHeadingsAboveNumberedClauses) {
  const std::string text = "3 Results\n3.1 Setting\nThe pump ran for nine days.\n\n4. Duties\n4.1 The lessee pays.";
  std::vector<std::string> headings;
  for (const Sentence& sentence : split_sentences(text)) {
    if (sentence.is_heading())
      headings.push_back(text.substr(sentence.byte_begin, sentence.byte_end - sentence.byte_begin));
  }
  EXPECT_EQ(headings, (std::vector<std::string>{"3 Results", "3.1 Setting", "4. Duties"}));
}

TEST(PrivatePapers, ATelephoneNumberIsWhatIsDialled) {
  const QuotePassage policy{
      "Policy number: HM-7731-0428\nPolicyholder: Rebecca Nasser\n\nContents are insured for £65,000.\n\nTo report a "
      "claim ring 0345 600 0199 at any "
      "hour. Please make a claim within 14 days.",
      "papers insurance\nInsurance"};
  EXPECT_EQ(first_quote("phone number to make a claim", {policy}), "To report a claim ring 0345 600 0199 at any hour.");
  EXPECT_EQ(first_quote("what is the policy number", {policy}), "Policy number: HM-7731-0428");
}

TEST(PrivatePapers, DaysThatComeAgainAreDates) {
  const QuotePassage lease{
      "2. Rent\nThe rent is looked at again after two years.\nThe tenant pays £1,450 in advance, due on the first "
      "working "
      "day of the month.",
      "papers lease\nLease"};
  EXPECT_TRUE(first_quote("when is the rent due", {lease}).ends_with("day of the month."));
}

TEST(PrivatePapers, IrregularFormsAreTheWord) {
  const QuotePassage diary{"# Diary\n\nThe boat was put in the water in May.\n\nIn the storm two of the eleven sank.",
                           "papers diary\nDiary"};
  EXPECT_EQ(first_quote("did anything sink", {diary}), "In the storm two of the eleven sank.");
}

TEST(PrivatePapers, NumberedSectionsWithTextAtTheMarginAreNoList) {
  const QuotePassage lease{
      "Lease Agreement\n\n1. Parties\n\nThis lease is made between the foundation and the tenant.\n\n2. Term\n\nEither "
      "party may terminate by giving three months' notice to the end of a quarter.\n\n3. Rent\n\nThe rent is due on "
      "the "
      "first day of each month.",
      "Leases\nLease Agreement"};
  EXPECT_EQ(first_quote("What notice period does the lease have?", {lease}),
            "Either party may terminate by giving three months' notice to the end of a quarter.");
  const QuotePassage steps{"# Bread\n\n## Steps\n\n1. Mix the dough\n\n2. Let it rest\n\n3. Bake it", "Bread"};
  EXPECT_NE(first_quote("How do I make bread?", {steps}).find("2. Let it rest"), std::string::npos) << "a list";
}

TEST(PrivatePapers, LinesOfABillAreNoHeadings) {
  const QuotePassage bill{
      "Facture d'eau\n\nConsommation : 38 m³\n\nAbonnement 21,36 €\n\nTotal TTC 173,40 €\n\nService client : 02 40 55 "
      "66 77",
      "facture eau\nFacture eau"};
  EXPECT_EQ(first_quote("Combien coûte l'abonnement ?", {bill}), "Abonnement 21,36 €");
  const QuotePassage report{"Annual report 2025\n\nThe year was good. The harvest of 2025 was large.",
                            "report\nReport"};
  EXPECT_EQ(first_quote("How was the harvest of 2025?", {report}), "The harvest of 2025 was large.");
}

TEST(PrivatePapers, AskedInGerman) {
  const QuotePassage contract{
      "## Miete\n\nDie monatliche Kaltmiete beträgt 712,00 €. Die Treppe ist jede Woche zu reinigen.", "Mietvertrag"};
  EXPECT_EQ(first_quote("Wie viel Miete zahle ich im Monat?", {contract}),
            "Die monatliche Kaltmiete beträgt 712,00 €.");
  EXPECT_EQ(first_quote("Wie oft wird die Treppe gereinigt?", {contract}), "Die Treppe ist jede Woche zu reinigen.");
}

TEST(PrivatePapers, AskedInRussian) {
  const QuotePassage policy{
      "Срок действия полиса истекает 14 марта. Стоимость продления — 7 240 рублей. Для продления полиса пришлите фото.",
      "Страховка"};
  EXPECT_EQ(first_quote("Сколько стоит продлить полис?", {policy}), "Стоимость продления — 7 240 рублей.");
  EXPECT_EQ(first_quote("Когда истекает полис?", {policy}), "Срок действия полиса истекает 14 марта.");
}

TEST(PrivatePapers, TheCheapestStandsFirstOfRowsWithPrices) {
  const QuotePassage offers{
      "# Offers for the heat pump\n\nThree firms were here in March.\n\n| Firm | Power | Price | Delivery |\n"
      "|---|---|---|---|\n| Aldern | 9 kW | 18,400 € | 6 weeks |\n| Brook | 8 kW | 16,950 € | 14 weeks |\n"
      "| Castell | 10 kW | 21,300 € | 4 weeks |\n",
      "Offers for the heat pump", "Offers for the heat pump"};
  const auto quotes = [&](std::string_view question) { return quote_sentences(question, std::span(&offers, 1)); };
  ASSERT_EQ(quotes("Which heat pump is the cheapest?").size(), 3u);
  EXPECT_NE(quotes("Which heat pump is the cheapest?").front().text.find("Brook"), std::string::npos);
  EXPECT_NE(quotes("Which heat pump is the most expensive?").front().text.find("Castell"), std::string::npos);
}

TEST(PrivatePapers, AClauseIsQuotedBehindItsName) {
  const QuotePassage contract{
      "4. Term. This agreement ends after 30 months.\n\n5. Penalty. For every breach the recipient pays 25,000 "
      "euros.\n\n"
      "6. Law. The law of Norway governs it.",
      "Agreement", "Agreement"};
  const std::vector<QuotedSentence> quotes = quote_sentences("What is the penalty?", std::span(&contract, 1));
  ASSERT_FALSE(quotes.empty());
  EXPECT_NE(quotes.front().text.find("25,000"), std::string::npos) << quotes.front().text;
}

TEST(PrivatePapers, HowLongItRunsIsToldByItsTerm) {
  const QuotePassage nda{
      "Between Halden Robotics, 5 Storgata, and Brightwell Design, 14 Mill Lane. This agreement enters into force on 1 "
      "February 2025 "
      "and ends after 30 months.",
      "halden-nda\nHalden NDA",
      "Halden NDA",
      TextForm::kProse,
      false,
      "halden-nda"};
  const auto first = [&](std::string_view question) {
    const std::vector<QuotedSentence> quotes = quote_sentences(question, std::span(&nda, 1));
    return quotes.empty() ? std::string() : quotes.front().text;
  };
  EXPECT_NE(first("How long does the Halden NDA run?").find("30 months"), std::string::npos);
  EXPECT_NE(first("When does the Halden NDA start?").find("1 February"), std::string::npos);
}

TEST(PrivatePapers, PagesOfManualsHaveHeadingsInCapitals) {
  const QuotePassage page{
      "NAME\n       qpress - reduce pictures\n\nEXIT STATUS\n       0 on success, 3 if a file was damaged.\n", "qpress",
      "qpress"};
  const std::vector<QuotedSentence> quotes = quote_sentences("What does exit status 3 mean?", std::span(&page, 1));
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes.front().text, "0 on success, 3 if a file was damaged.");
}

TEST(PrivatePapers, AColumnOfWhatSomebodyTakes) {
  const QuotePassage plan{
      "# Medication plan: Walter Voss\n\n| Medicine | Strength |\n|---|---|\n| Ramipril | 5 mg |\n| Metformin | 850 mg "
      "|\n| Apixaban | 2.5 mg |\n\nTake metformin with food.\n",
      "plan\nMedication plan: Walter Voss", "Medication plan: Walter Voss"};
  EXPECT_EQ(first_quote("Which medicines does Walter take?", {plan}), "Medicine: Ramipril, Metformin, Apixaban");
}

TEST(PrivatePapers, ANumberBehindWhatIsAskedForIsItsPrice) {
  const QuotePassage gear{"Insured with Helvia for 8,000 in all, excess 200 per case. Pantoprazole 20 mg is for Mum.",
                          "gear", "gear"};
  EXPECT_EQ(first_quote("How much is the excess?", {gear}),
            "Insured with Helvia for 8,000 in all, excess 200 per case.");
  EXPECT_EQ(first_quote("What does pantoprazole cost?", {gear}), "");
}

TEST(PrivatePapers, ADeedAloneTellsNothingOfItsThing) {
  const QuotePassage diary{"2 March: I sowed tomatoes on the windowsill.\n", "diary", "diary"};
  EXPECT_EQ(first_quote("When did I sow carrots?", {diary}), "");
  EXPECT_EQ(first_quote("When did I sow tomatoes?", {diary}), "2 March: I sowed tomatoes on the windowsill.");
}

TEST(PrivatePapers, AListUnderWhatIsToBeDone) {
  const QuotePassage trip{
      "# Trip of class 4b\n\nChildren with a card get in free.\n\n## What to bring\n\n- a packed lunch\n- a rain "
      "jacket\n",
      "trip\nTrip of class 4b", "Trip of class 4b"};
  EXPECT_EQ(first_quote("What should the children bring?", {trip}),
            "What to bring:\n- a packed lunch\n- a rain jacket");
}

const QuotePassage kHouse{
    "# House rules\n\n## Animals\nDogs are not permitted. Cats need the written consent of the landlady.\n\n## Walls\n"
    "Tenants may paint the walls in light colours. At the end of the tenancy they must be white again.\n\n## Laundry "
    "room\nThe machines are shared. Second floor: Monday and Thursday.",
    "papers house\nHouse rules"};

TEST(PrivatePapers, WhetherSomethingMayBeDoneIsToldByTheRule) {
  const QuotePassage diary{"# Diary\n\nWe keep the dog at my mother's. Keep the cats in at night.",
                           "papers diary\nDiary"};
  EXPECT_EQ(first_quote("can we keep a dog?", {kHouse, diary}), "Dogs are not permitted.") << "its negation included";
  EXPECT_EQ(first_quote("are cats allowed", {kHouse, diary}), "Cats need the written consent of the landlady.");
  const auto quotes = quote_sentences("do i have to paint the walls white when we move out", std::vector{kHouse});
  ASSERT_FALSE(quotes.empty());
  EXPECT_EQ(quotes[0].text, "At the end of the tenancy they must be white again.");
}

TEST(PrivatePapers, WhatNoRuleIsOfTellsNothingOfWhatMayBeDone) {
  const QuotePassage tyres{"# Tyres\n\nThe winter tyres lie on shelf 22.", "papers tyres\nTyres"};
  EXPECT_EQ(first_quote("can i hang a shelf", {tyres}), "");
  EXPECT_NE(first_quote("where are the winter tyres", {tyres}), "");
}

TEST(PrivatePapers, ADayAskedForByTheWordShowsByItself) {
  EXPECT_EQ(first_quote("which day is our laundry day", {kHouse}), "Second floor: Monday and Thursday.");
}

TEST(PrivatePapers, AMonthIsToldByADateInNumbers) {
  const QuotePassage account{"Date,Payee,Amount\n2026-01-12,Freshmart,-51.30\n2026-02-12,Freshmart,-73.18\n",
                             "papers account\naccount"};
  EXPECT_NE(first_quote("what did we pay at freshmart in february", {account}).find("73.18"), std::string::npos);
}

TEST(PrivatePapers, AVerbMeetsTheNounItMakesWithItsParticle) {
  const QuotePassage car{"# Car insurance\n\nBreakdown service: 0800 555 0177, day and night.\n\nCalls are free.",
                         "papers car\nCar insurance"};
  EXPECT_NE(first_quote("who do I call when the car breaks down", {car}).find("0800 555 0177"), std::string::npos);
}

TEST(PrivatePapers, APartIsOfItsWhole) {
  const QuotePassage contract{"# Kitchen\n\nThe warranty is five years on workmanship.", "papers kitchen\nKitchen"};
  const QuotePassage rules{"# Cellar\n\nThe washing machine is shared.", "papers cellar\nCellar"};
  EXPECT_EQ(first_quote("how long is the warranty of the washing machine", {contract, rules}), "");
  EXPECT_NE(first_quote("how long is the warranty of the kitchen", {contract, rules}), "");
  EXPECT_EQ(first_quote("what is the iban of the kitchen", {contract, rules}), "") << "of which nothing tells";
}

TEST(PrivatePapers, TheSumThatHoldsNowNeedNotBeCalledNew) {
  const QuotePassage letter{
      "From 1 February your rent rises from £1,150 to £1,195 a month. If you think that the new rent is above the "
      "market, you can apply to the tribunal.",
      "papers rent\nLetter"};
  EXPECT_NE(first_quote("What's my new rent?", {letter}).find("1,195"), std::string::npos);
}

TEST(PrivatePapers, TheFirstPositionOfABillNamesNoColumns) {
  const QuotePassage offer{"Offer\n\n1 | Stairs of ash | 6,200.00\n2 | Handrail | 890.00\nTotal | 7,090.00\n",
                           "papers offer\nOffer"};
  EXPECT_EQ(first_quote("how much is the handrail", {offer}), "2 | Handrail | 890.00");
}

TEST(PrivatePapers, WhatIsToBeDoneIsTheRestOfItsParagraph) {
  const QuotePassage fridge{
      "# Fridge\n\nIf the alarm beeps, the door is open. Press OK to stop it.\n\nThe warranty is two years.",
      "papers fridge\nFridge"};
  EXPECT_NE(first_quote("the fridge beeps what do i do", {fridge}).find("Press OK"), std::string::npos);
}

TEST(PrivatePapers, APlumIsNoPlumCake) {
  const QuotePassage dumplings{"# Recipes\n\n## Dumplings\n\n12 plums\n\nWrap each plum.", "recipes\nRecipes"};
  EXPECT_EQ(first_quote("what is the recipe for plum cake", {dumplings}), "");
}

TEST(PrivatePapers, APlaceNeedsNoName) {
  const QuotePassage chat{
      "# Boiler\n\nThe tap of the boiler makes a noise. The tap of the boiler is under the sink behind the bucket.",
      "notes\nBoiler"};
  EXPECT_NE(first_quote("where is the tap of the boiler", {chat}).find("under the sink"), std::string::npos);
}

}  // namespace
}  // namespace mneme::rag
