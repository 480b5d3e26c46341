// What was paid or received is added up from the tables that tell it.
#include <gtest/gtest.h>

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
