// Numbers of sheets as their formats show them.
#include "rag/readers/office/number_format.h"

#include <gtest/gtest.h>

#include <string>

namespace mneme::readers {
namespace {

std::string shown(std::string_view code, std::string_view value) {
  return shown_number(value, format_of_code(code), 0);
}

std::string shown_by_id(int id, std::string_view value) {
  return shown_number(value, format_of_id(id), 0);
}

TEST(NumberFormat, ZerosInFrontAndWhatStandsBetweenDigits) {
  EXPECT_EQ(shown("00000", "1067"), "01067");
  EXPECT_EQ(shown("\"INV-\"0000", "17"), "INV-0017");
  EXPECT_EQ(shown("000-00-0000", "12345678"), "012-34-5678");
  EXPECT_EQ(shown("#,##0", "1234567"), "1234567");
  EXPECT_EQ(shown("00", "123"), "123");
  EXPECT_EQ(shown("0.00", "-0.5"), "-0.5");
}

TEST(NumberFormat, CurrenciesAndUnits) {
  EXPECT_EQ(shown("_-\"€\"* #,##0.00_-", "1234.5"), "€ 1234.5");
  EXPECT_EQ(shown("[$$-409]#,##0.00", "99"), "$99");
  EXPECT_EQ(shown("#,##0.00\\ [$€-407];[Red]-#,##0.00\\ [$€-407]", "-12"), "-12 €");
  EXPECT_EQ(shown("_-* #,##0.00\\ _€_-;-* #,##0.00\\ _€_-", "7"), "7");
  EXPECT_EQ(shown("0\" days\"", "30"), "30 days");
  EXPECT_EQ(shown("General\" kg\"", "2.5"), "2.5 kg");
  EXPECT_EQ(shown("#,##0.0,,\"M\"", "4200000"), "4.2M");
  EXPECT_EQ(shown_by_id(44, "12"), "$12");
}

TEST(NumberFormat, WhatIsNoAmountStandsAsInTheFile) {
  EXPECT_EQ(shown("# ?/?", "0.5"), "0.5");
  EXPECT_EQ(shown("0.00E+00", "12345"), "12345");
  EXPECT_EQ(shown("\"yes\";\"yes\";\"no\"", "1"), "1");
  EXPECT_EQ(shown("[<100]0\" small\";0\" large\"", "500"), "500");
  EXPECT_EQ(shown("@", "12"), "12");
  EXPECT_EQ(shown("", "0.30000000000000004"), "0.3");
  EXPECT_EQ(shown("", "12345678901234567"), "12345678901234567");
  EXPECT_EQ(shown("0\" kg\"", "#DIV/0!"), "#DIV/0!");
  EXPECT_EQ(shown("\"" + std::string(500, 'x') + "\"0", "1"), "1");
}

// Excel writes small numbers as powers of ten, with digits that come of binary fractions.
TEST(NumberFormat, SmallNumbersAreWrittenOut) {
  EXPECT_EQ(shown("General", "5.0000000000000001E-3"), "0.005");
  EXPECT_EQ(shown("0.0\" kg\"", "1E-4"), "0.0001 kg");
  EXPECT_EQ(shown("General", "1.5E-12"), "1.5E-12");
  EXPECT_EQ(shown("General", "1E+15"), "1000000000000000");
  EXPECT_EQ(shown("0%", "5.0000000000000001E-3"), "0.5%");
  EXPECT_EQ(number_text(0.005), "0.005");
  EXPECT_EQ(number_text(-1234567.891), "-1234567.891");
  EXPECT_EQ(number_text(1e-7), "0.0000001");
  EXPECT_EQ(number_text(1e22), "1E+22");
}

TEST(NumberFormat, DatesAndTimes) {
  EXPECT_EQ(shown("[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy", "45443"), "2024-05-31");
  EXPECT_EQ(shown("mmmm", "45443"), "2024-05-31");
  EXPECT_EQ(shown("h:mm AM/PM", "0.354166666"), "08:30");
  EXPECT_EQ(shown("hh:mm:ss", "0.437673611"), "10:30:15");
  EXPECT_EQ(shown("mm:ss", "0.0034722"), "05:00");
  EXPECT_EQ(shown("[mm]:ss", "0.0625"), "90:00");
  EXPECT_EQ(shown("[h]:mm", "1.5"), "36:00");
  EXPECT_EQ(shown("[Magenta]0", "7"), "7");
  for (const int id : {14, 27, 31, 36, 50, 57, 58}) EXPECT_EQ(shown_by_id(id, "45418"), "2024-05-06") << id;
  EXPECT_EQ(shown_by_id(45, "0.0034722"), "05:00");
  EXPECT_EQ(shown_by_id(34, "0.5"), "12:00");
  EXPECT_EQ(shown_by_id(34, "45418"), "2024-05-06");
}

TEST(NumberFormat, SecondsAreToldWhereTheyAreShownAndCutOffElsewhere) {
  EXPECT_EQ(shown("yyyy\\-mm\\-dd hh:mm:ss", "41224.999988425923"), "2012-11-11 23:59:59");
  EXPECT_EQ(shown("yyyy\\-mm\\-dd hh:mm", "41224.999988425923"), "2012-11-11 23:59");
  EXPECT_EQ(shown("d/m/yyyy h:mm:ss", "42353.459027778"), "2015-12-15 11:01");
  EXPECT_EQ(shown("d/m/yyyy h:mm:ss", "42353.0000115741"), "2015-12-15 00:00:01");
  EXPECT_EQ(shown("d/m/yyyy h:mm:ss", "42353"), "2015-12-15");
  EXPECT_EQ(shown("d/m/yyyy h:mm", "42353.9999999999"), "2015-12-16");
  EXPECT_EQ(shown("h:mm", "0.5128819444"), "12:18");
  EXPECT_EQ(shown("h:mm", "0.4374999999"), "10:30");
  EXPECT_EQ(shown("h:mm", "0.99999999999"), "00:00");
}

}  // namespace
}  // namespace mneme::readers
