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

TEST(AskedPayments, OtherQuestionsAskForNoSum) {
  for (const char* question :
       {"", "How much is the rent?", "What did I spend the most on?", "How much do we spend on average?",
        "How many hours did we spend in the museum?", "What was the largest sum I spent?",
        "Wie viel geben wir im Schnitt aus?", "Where did we spend the summer?", "How much did the plumber cost?"})
    EXPECT_FALSE(asked_payments(question, kToday).is_asked) << question;
}

}  // namespace
}  // namespace mneme::rag
