#include "rag/text/quantities/amounts.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

constexpr DecimalSign kPoint = DecimalSign::kPoint;
constexpr DecimalSign kComma = DecimalSign::kComma;

TEST(Amounts, AreReadAsTheyAreWritten) {
  struct Case {
    const char* cell;
    DecimalSign sign;
    int64_t hundredths;
    const char* currency;
  };
  for (const Case& c :
       {Case{"140.00", kPoint, 14000, ""}, Case{"-120.00 EUR", kPoint, -12000, "EUR"},
        Case{"1.124,60 \u20ac", kComma, 112460, "\u20ac"}, Case{"\u20ac 54,9", kComma, 5490, "\u20ac"},
        Case{"(45.00)", kPoint, -4500, ""}, Case{"45,00-", kComma, -4500, ""}, Case{"EUR -12.50", kPoint, -1250, "EUR"},
        Case{"-$1,234,567.89", kPoint, -123456789, "$"}, Case{"1\u00a0234,50", kComma, 123450, ""},
        Case{"1'200", kPoint, 120000, ""}, Case{"+7", kComma, 700, ""},
        Case{"\u2212"
             "3.10",
             kPoint, -310, ""},
        Case{" 0 ", kPoint, 0, ""}, Case{"999999999999999", kPoint, 99999999999999900, ""}}) {
    const std::optional<Amount> amount = amount_in_cell(c.cell, c.sign);
    ASSERT_TRUE(amount.has_value()) << c.cell;
    EXPECT_EQ(amount->hundredths, c.hundredths) << c.cell;
    EXPECT_EQ(amount->currency, c.currency) << c.cell;
  }
}

TEST(Amounts, OtherCellsAreNone) {
  for (const char* cell : {"",
                           "-",
                           "EUR",
                           "12 kg",
                           "12 EUR EUR",
                           "EUR 12 EUR",
                           "1.2.3",
                           "12,34.5",
                           "1,23",
                           "12.345",
                           "12.",
                           ".5",
                           "--5",
                           "-(5)",
                           "(-5)",
                           "-5-",
                           "2031-03-06",
                           "1234,567",
                           "12 34",
                           "1,2345.00",
                           "page 12",
                           "9999999999999999",
                           "12.00 EUR for two",
                           "12:30",
                           "DE12 3456"})
    EXPECT_FALSE(amount_in_cell(cell, kPoint).has_value()) << cell;
  EXPECT_FALSE(amount_in_cell("1.50", kComma).has_value()) << "no group of three";
}

TEST(Amounts, TheDecimalSignShowsWhereItIsClear) {
  EXPECT_EQ(decimal_sign_shown("12.50"), kPoint);
  EXPECT_EQ(decimal_sign_shown("12,5"), kComma);
  EXPECT_EQ(decimal_sign_shown("1.234,50"), kComma);
  EXPECT_EQ(decimal_sign_shown("1,234.50"), kPoint);
  for (const char* cell : {"", "12", "1.234", "1,234", "1.234.567", "12."})
    EXPECT_FALSE(decimal_sign_shown(cell).has_value()) << cell;
}

TEST(Amounts, AreWrittenWithTwoDecimals) {
  EXPECT_EQ(amount_text(112460, kComma), "1124,60");
  EXPECT_EQ(amount_text(-5, kPoint), "-0.05");
  EXPECT_EQ(amount_text(0, kPoint), "0.00");
}

}  // namespace
}  // namespace mneme::rag
