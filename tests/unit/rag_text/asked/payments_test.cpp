#include "rag/text/asked/payments.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

using std::chrono::day;
using std::chrono::month;
using std::chrono::sys_days;
using std::chrono::year;

constexpr sys_days kToday = year(2031) / month(5) / day(20);

TEST(AskedPayments, SaysForWhatAndWhen) {
  struct Case {
    const char* question;
    bool received;
    const char* topic;
    bool has_period;
  };
  for (const Case& c :
       {Case{"How much did I spend in March?", false, "", true},
        Case{"How much did we spend on electricity in 2031?", false, "electricity", true},
        Case{"What did I spend on books last year?", false, "books", true},
        Case{"how much have we spent on the garden", false, "garden", false},
        Case{"How much did I earn in April 2031?", true, "", true},
        Case{"Wie viel habe ich im M\u00e4rz f\u00fcr Strom ausgegeben?", false, "Strom", true},
        Case{"Wie viel haben wir 2031 eingenommen?", true, "", true},
        Case{"Combien ai-je d\u00e9pens\u00e9 en mars ?", false, "", true},
        Case{"\u00bfCu\u00e1nto he gastado en libros?", false, "libros", false},
        Case{"Hoeveel heb ik in maart uitgegeven?", false, "", true},
        Case{"2031\u5e743\u6708\u6211\u4e00\u5171\u82b1\u4e86\u591a\u5c11\u94b1\uff1f", false, "", true}}) {
    const AskedPayments asked = asked_payments(c.question, kToday);
    EXPECT_TRUE(asked.is_asked) << c.question;
    EXPECT_EQ(asked.received, c.received) << c.question;
    EXPECT_EQ(asked.topic, c.topic) << c.question;
    EXPECT_EQ(asked.period.has_value(), c.has_period) << c.question;
  }
  const AskedPayments march = asked_payments("How much did I spend in March?", kToday);
  ASSERT_TRUE(march.period.has_value());
  EXPECT_TRUE(march.period->holds(year(2031) / month(3) / day(31)));
  EXPECT_FALSE(march.period->holds(year(2031) / month(4) / day(1)));
}

TEST(AskedPayments, WhatIsPaidMayBeThePriceOfAThing) {
  const auto topic_of = [](const char* question) {
    const AskedPayments asked = asked_payments(question, kToday);
    return asked.is_asked && asked.may_be_price ? asked.topic : "(not asked)";
  };
  EXPECT_EQ(topic_of("How much did I pay Northern Power?"), "Northern Power");
  EXPECT_EQ(topic_of("How much have I paid to Northern Power this year?"), "Northern Power");
  EXPECT_EQ(topic_of("How much rent have I paid?"), "rent");
  EXPECT_EQ(topic_of("How much did Northern Power charge me?"), "Northern Power");
  EXPECT_EQ(topic_of("Wie viel habe ich den Stadtwerken bezahlt?"), "Stadtwerken");
  EXPECT_EQ(topic_of("Combien ai-je pay\u00e9 \u00e0 EDF ?"), "EDF");
  EXPECT_EQ(topic_of("How much did I pay for the desk?"), "(not asked)");
  EXPECT_EQ(topic_of("Wie viel habe ich f\u00fcr den Tisch bezahlt?"), "(not asked)");
  EXPECT_EQ(topic_of("How did I pay Northern Power?"), "(not asked)");
  EXPECT_EQ(topic_of("How much did I pay?"), "(not asked)");
  EXPECT_FALSE(asked_payments("How much did I spend on books?", kToday).may_be_price);
}

TEST(AskedPayments, OneWordOfAnotherLanguageAsksNothing) {
  const auto today = std::chrono::sys_days(std::chrono::year{2031} / 5 / 7);
  EXPECT_FALSE(asked_payments("wlan passwort f\u00fcr g\u00e4ste", today).is_asked);
  EXPECT_TRUE(asked_payments("\u00bfCu\u00e1nto gast\u00e9 en luz?", today).is_asked);
}

TEST(AskedPayments, AveragesAndExtremes) {
  using What = AskedPayments::What;
  using Each = AskedPayments::Each;
  struct Case {
    const char* question;
    What what;
    Each each;
    const char* topic;
  };
  for (const Case& c :
       {Case{"How much do I spend on electricity a month?", What::kAverage, Each::kMonth, "electricity"},
        Case{"How much do we spend on average?", What::kAverage, Each::kPayment, ""},
        Case{"How much did we spend on bread in March on average?", What::kAverage, Each::kPayment, "bread"},
        Case{"Wie viel geben wir im Schnitt f\u00fcr Strom aus?", What::kAverage, Each::kPayment, "Strom"},
        Case{"What was the largest sum I spent?", What::kMost, Each::kPayment, ""},
        Case{"What was the most I paid for petrol?", What::kMost, Each::kPayment, "petrol"},
        Case{"what was our biggest expense in 2031", What::kMost, Each::kPayment, ""},
        Case{"Was war die teuerste Ausgabe im M\u00e4rz 2031?", What::kMost, Each::kPayment, ""},
        Case{"quelle a \u00e9t\u00e9 notre plus grosse d\u00e9pense en mars 2031", What::kMost, Each::kPayment, ""},
        Case{"Wie viel habe ich im Monat M\u00e4rz ausgegeben?", What::kSum, Each::kMonth, ""}}) {
    const AskedPayments asked = asked_payments(c.question, kToday);
    EXPECT_TRUE(asked.is_asked) << c.question;
    EXPECT_EQ(asked.what, c.what) << c.question;
    EXPECT_EQ(asked.each, c.each) << c.question;
    EXPECT_EQ(asked.topic, c.topic) << c.question;
  }
}

TEST(AskedPayments, OtherQuestionsAskForNoSum) {
  for (const char* question :
       {"", "How much is the rent?", "How many hours did we spend in the museum?", "Where did we spend the summer?",
        "How much did the plumber cost?", "What is the most expensive wine?", "What is the largest planet?"})
    EXPECT_FALSE(asked_payments(question, kToday).is_asked) << question;
}

}  // namespace
}  // namespace mneme::rag
