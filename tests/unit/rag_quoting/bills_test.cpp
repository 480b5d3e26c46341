#include "rag/quoting/bills.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace mneme::rag {
namespace {

using std::chrono::month;
using std::chrono::year;

std::optional<Bill> bill(std::string_view text) {
  const std::vector<std::string_view> passages = {text};
  return bill_in(passages);
}

TEST(Bills, TellADayAndATotal) {
  constexpr std::string_view kText =
      "Radhaus Günterstal\nBeleg 4471                       06.03.2031\n\nKette erneuert             52,00\n"
      "Arbeitszeit                18,00\n\nTotal: 70,00 €\nbezahlt mit EC-Karte\n";
  const std::optional<Bill> read = bill(kText);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->day, std::chrono::sys_days(year(2031) / month(3) / 6));
  EXPECT_EQ(read->sign, DecimalSign::kComma);
  EXPECT_EQ(read->total.hundredths, 7000);
  EXPECT_EQ(read->total.currency, "€");
  EXPECT_EQ(kText.substr(read->total.byte_begin, read->total.byte_end - read->total.byte_begin), "Total: 70,00 €");
  ASSERT_EQ(read->positions.size(), 2U);
  EXPECT_EQ(read->positions[0].label, "Kette erneuert");
  EXPECT_EQ(read->positions[0].hundredths, 5200);
}

TEST(Bills, AreWrittenInManyWays) {
  struct Case {
    const char* text;
    int64_t hundredths;
  };
  for (const Case& c :
       {Case{"Invoice HP-3391\nDate: 9 March 2031\nTax return  £360.00\nVAT 20%  £72.00\nTotal due  £432.00\n", 43200},
        Case{"Date : 12 février 2031\nRobinet  64,00 €\nTotal TTC  108,50 €\n", 10850},
        Case{"Rechnung\nDatum 19.02.2031\nFassung   129,00\nGesamtbetrag EUR   1.439,00\n", 143900},
        Case{"Ticket 88213    28/02/2031 16:42\nScie   79,90\nTOTAL   91,40 EUR\nCarte   91,40\n", 9140},
        Case{"2031-02-03\n| Pane | 2,50 |\n| Totale | 2,50 |\n", 250}}) {
    const std::optional<Bill> read = bill(c.text);
    ASSERT_TRUE(read.has_value()) << c.text;
    EXPECT_EQ(read->total.hundredths, c.hundredths) << c.text;
    EXPECT_TRUE(read->day.has_value()) << c.text;
  }
}

TEST(Bills, OtherTextsAreNone) {
  for (const char* text : {"", "Total: 7 members", "The total was 70.00 euros, which we all paid.", "Sofa  899,00 €\n",
                           "Total\n", "70.00\n"})
    EXPECT_FALSE(bill(text).has_value()) << text;
}

}  // namespace
}  // namespace mneme::rag
