// What was paid or received is added up from the tables that tell it.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/rag_answering/asked_home.h"

namespace mneme::rag {
namespace {

class PaymentsAnswerTest : public AskedHome {};

constexpr const char* kMarch =
    "Date,Payee,Amount,Purpose\n2031-03-06,Gunnar Plumbing,140.00,kitchen tap\n2031-03-11,Nordic Power,86.20,"
    "electricity February\n2031-03-15,Dr. Aas,45.00,dentist\n";

TEST_F(PaymentsAnswerTest, AllOfAPeriod) {
  docs_.write("payments.csv", kMarch);
  docs_.write("diary.md", "# Diary\n\nSpent March in the north. It cost 900 euros.\n");
  index_all();
  const Answer answer = ask({"How much did I spend in March 2031?"});
  EXPECT_EQ(answer.text,
            "271.20 = 140.00 + 86.20 + 45.00 [1]\n"
            "Date: 2031-03-06; Payee: Gunnar Plumbing; Amount: 140.00; Purpose: kitchen tap [1]\n"
            "Date: 2031-03-11; Payee: Nordic Power; Amount: 86.20; Purpose: electricity February [1]\n"
            "Date: 2031-03-15; Payee: Dr. Aas; Amount: 45.00; Purpose: dentist [1]");
  ASSERT_EQ(answer.notes.size(), 1U);
  EXPECT_EQ(answer.notes[0], "Rows added up: 3");
  ASSERT_EQ(answer.citations.size(), 1U);
  EXPECT_EQ(answer.citations[0].quotes.size(), 3U);
  EXPECT_EQ(ask({"How much did I spend in April 2031?"}).text.find("="), std::string::npos);
}

TEST_F(PaymentsAnswerTest, OfOneMatterOverSeveralDocuments) {
  docs_.write("march.csv", kMarch);
  docs_.write("april.csv",
              "Date,Payee,Amount,Purpose\n2031-03-15,Dr. Aas,45.00,dentist\n2031-04-11,Nordic Power,79.80,"
              "electricity March\n2031-04-12,Nordic Power,79.80,electricity deposit\n");
  index_all();
  const Answer power = ask({"How much did we spend on electricity in 2031?"});
  EXPECT_EQ(power.text.find("245.80 = 86.20 + 79.80 + 79.80 "), 0U) << power.text;
  const Answer dentist = ask({"How much have I spent on the dentist?"});
  EXPECT_EQ(dentist.text.find("45.00 ["), 0U) << dentist.text;
  ASSERT_EQ(dentist.notes.size(), 2U);
  EXPECT_EQ(dentist.notes[1], "Rows that several documents hold, counted once: 1");
}

TEST_F(PaymentsAnswerTest, AveragesAndTheMost) {
  docs_.write("bank.csv",
              "Date,Payee,Amount\n2031-01-11,Nordic Power,80.00\n2031-02-11,Nordic Power,90.00\n2031-04-11,Nordic "
              "Power,70.00\n2031-04-12,Bakery,7.00\n");
  index_all();
  EXPECT_EQ(ask({"How much do I spend on power a month?"}).text.find("60.00 = 240.00 / 4 [1]"), 0U) << "March is one";
  EXPECT_EQ(ask({"How much do I spend on power on average?"}).text.find("80.00 = 240.00 / 3 [1]"), 0U);
  const Answer most = ask({"What was the most I paid for power?"});
  EXPECT_EQ(most.text.find("Date: 2031-02-11; Payee: Nordic Power; Amount: 90.00 [1]"), 0U) << most.text;
  ASSERT_EQ(most.notes.size(), 1U);
  EXPECT_EQ(most.notes[0], "Payments compared: 3");
}

TEST_F(PaymentsAnswerTest, BillsTellWhereNoTableDoes) {
  docs_.write("bicycle repair.txt",
              "Wheel House\nReceipt 4471   2031-03-06\n\nChain   52.00\nBrakes   14.20\n\nTotal: 66.20 EUR\n");
  docs_.write("offer bicycle.txt", "Offer 12   2031-03-01\n\nNew bicycle   900.00\n\nTotal: 900.00 EUR\n");
  docs_.write("market.txt", "Market Hall\n2031-03-09\nPlums   3.20\nBread   4.10\nTotal   7.30\n");
  index_all();
  EXPECT_NE(ask({"How much did I spend on the bicycle?"}).text.find("66.20 EUR"), std::string::npos);
  EXPECT_EQ(ask({"How much did I spend on the bicycle?"}).text.find("900"), std::string::npos) << "an offer";
  const Answer plums = ask({"How much did I spend on plums?"});
  EXPECT_NE(plums.text.find("Plums: 3.20"), std::string::npos) << plums.text;
}

TEST_F(PaymentsAnswerTest, WhereNothingIsToldThatIsSaid) {
  docs_.write("garden.md", "# Garden\n\nWe spent the spring on the fence. The fence is green.\n");
  docs_.write("roof.md", "# Roof\n\nWe spent 900 euros on the roof.\n");
  index_all();
  const Answer fence = ask({"How much did we spend on the fence?"});
  EXPECT_FALSE(fence.in_documents) << fence.text;
  EXPECT_NE(std::find(fence.notes.begin(), fence.notes.end(), "neither tables nor bills tell of such payments"),
            fence.notes.end());
  EXPECT_NE(ask({"How much did we spend on the roof?"}).text.find("900 euros"), std::string::npos);
}

TEST_F(PaymentsAnswerTest, ReceivedIsNotPaid) {
  docs_.write("konto.csv",
              "Buchungstag;Text;Betrag;Saldo\n06.03.2031;REWE;-54,90;1.200,10\n07.03.2031;Gehalt;2.400,00;"
              "3.600,10\n09.03.2031;Stadtwerke Strom;-80,00;3.520,10\n");
  index_all();
  EXPECT_EQ(ask({"Wie viel habe ich im M\u00e4rz 2031 ausgegeben?"}).text.find("134,90 = 54,90 + 80,00 [1]"), 0U);
  EXPECT_EQ(ask({"Wie viel habe ich im M\u00e4rz 2031 eingenommen?"}).text.find("2400,00 [1]"), 0U);
}

}  // namespace
}  // namespace mneme::rag
