#include "rag/quoting/payment_tables.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

using std::chrono::day;
using std::chrono::month;
using std::chrono::sys_days;
using std::chrono::year;

class PaymentTablesTest : public ::testing::Test {
 protected:
  std::vector<PaymentTable> tables_of(const std::string& csv) {
    outlines_.clear();
    outlines_.emplace_back(csv, "", "", TextForm::kProse, true);
    return payment_tables(outlines_);
  }

  std::vector<int64_t> sums_of(const std::string& csv) {
    std::vector<int64_t> sums;
    for (const PaymentTable& table : tables_of(csv)) {
      for (const PaymentRow& row : table.rows) sums.push_back(row.hundredths);
    }
    return sums;
  }

  std::vector<PassageOutline> outlines_;
};

using Sums = std::vector<int64_t>;

TEST_F(PaymentTablesTest, RowsWithADayAndASum) {
  const auto tables = tables_of(
      "Date,Payee,Amount,Purpose\n2031-03-06,Gunnar Plumbing,140.00,kitchen tap\n2031-03-10,City "
      "Library,12.00,late fee\nTotal,,152.00,\n");
  ASSERT_EQ(tables.size(), 1U);
  ASSERT_EQ(tables[0].rows.size(), 2U) << "a row without a day is no payment";
  EXPECT_EQ(tables[0].rows[0].day, sys_days(year(2031) / month(3) / day(6)));
  EXPECT_EQ(tables[0].rows[1].hundredths, 1200);
  EXPECT_FALSE(tables[0].tells_direction);
}

TEST_F(PaymentTablesTest, SignsCommasAndBalances) {
  const auto tables = tables_of(
      "Buchungstag;Text;Betrag (EUR);Saldo\n06.03.2031;REWE;-54,90;1.200,10\n07.03.2031;Gehalt;"
      "2.400,00;3.600,10\n");
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_TRUE(tables[0].tells_direction);
  EXPECT_EQ(tables[0].sign, DecimalSign::kComma);
  ASSERT_EQ(tables[0].rows.size(), 2U);
  EXPECT_EQ(tables[0].rows[0].hundredths, -5490);
  EXPECT_EQ(tables[0].rows[1].hundredths, 240000);
  EXPECT_EQ(tables[0].rows[0].currency, "eur");
}

TEST_F(PaymentTablesTest, PaidAndReceivedInColumnsOfTheirOwn) {
  EXPECT_EQ(sums_of("Date,Details,Paid out,Paid in\n2031-03-06,Shop,54.90,\n2031-03-07,Salary,,2400.00\n"),
            (Sums{-5490, 240000}));
  EXPECT_EQ(sums_of("Date,Details,Credit,Debit\n2031-03-06,Shop,,54.90\n2031-03-07,Salary,2400.00,\n"),
            (Sums{-5490, 240000}));
}

TEST_F(PaymentTablesTest, OfSeveralSumsThatWhichIsCalledSo) {
  EXPECT_EQ(sums_of("Date,Item,Net,VAT,Total\n2031-03-06,Paper,10.00,1.90,11.90\n"), (Sums{1190}));
  EXPECT_EQ(sums_of("Date,Item,Net,VAT\n2031-03-06,Paper,10.00,1.90\n"), Sums{}) << "which is not clear";
}

TEST_F(PaymentTablesTest, OtherTablesAreNone) {
  EXPECT_EQ(sums_of("Name,Born,Height\nAnn,2001-02-03,1.70 m\nBen,2003-04-05,1.82 m\n"), Sums{});
  EXPECT_EQ(sums_of("Day,Steps\n2031-03-06,8000\n2031-03-07,9000\n"), Sums{}) << "no money";
  EXPECT_EQ(sums_of("Item,Price\nPaper,10.00\nInk,12.00\n"), Sums{}) << "no days";
  EXPECT_EQ(sums_of(""), Sums{});
}

}  // namespace
}  // namespace mneme::rag
