// Numbers that papers are called by, and what else is written in digits.
#include "rag/text/documents/paper_numbers.h"

#include <gtest/gtest.h>

#include <string>

#include "rag/text/documents/document_names.h"

namespace mneme::rag {
namespace {

std::vector<std::string> numbers(std::string_view text) {
  std::vector<std::string> found;
  for (const PaperNumber& number : paper_numbers(text))
    found.emplace_back(text.substr(number.byte_begin, number.byte_end - number.byte_begin));
  return found;
}

using Numbers = std::vector<std::string>;

TEST(PaperNumbers, AreLongOrJoined) {
  EXPECT_EQ(numbers("What is the total of invoice 2026-0417?"), Numbers{"2026-0417"});
  EXPECT_EQ(numbers("Invoice 88213 issued, Rechnung 12/88213."), (Numbers{"88213", "12/88213"}));
  EXPECT_EQ(numbers("Kundennummer: 4711234"), Numbers{"4711234"});
  EXPECT_EQ(numbers("2026-0417"), Numbers{"2026-0417"});
  EXPECT_EQ(numbers("contract 0815"), Numbers{}) << "as years and sums are written";
  EXPECT_EQ(numbers(""), Numbers{});
}

TEST(PaperNumbers, AreNoDatesYearsOrSums) {
  for (const char* text :
       {"on 2026-04-17", "17/04/2026", "04/2026", "the season 2025/26", "from 2024-2026", "15000 for it", "48213 km",
        "$48213", "48213 €", "48213 euros", "1.048213", "48,213", "18:30-19:15", "20417 guests", "80331 München",
        "12345%", "48213EUR", "in 1999-2000", "version 2.12345"}) {
    EXPECT_EQ(numbers(text), Numbers{}) << text;
  }
}

TEST(PaperNumbers, OfLettersAreNames) {
  EXPECT_EQ(numbers("INV-2026-0417 and A48213, R/48213"), Numbers{});
}

TEST(PaperNumbers, OfOneKindAreWrittenAlike) {
  EXPECT_TRUE(are_written_alike("2026-0417", "2026-0999"));
  EXPECT_FALSE(are_written_alike("2026-0417", "2026/0417"));
  EXPECT_FALSE(are_written_alike("2026-0417", "202604-17"));
  EXPECT_FALSE(are_written_alike("48213", "482130"));
}

TEST(CalledNames, ANumberOfAPaperIsAName) {
  constexpr auto kOnly = CalledNames::Which::kIdentifiers;
  const CalledNames name("What is the total of invoice 2026-0417?", kOnly);
  EXPECT_FALSE(name.empty());
  EXPECT_EQ(name.share_in("Invoice no. 2026-0417 of March"), 1.0);
  EXPECT_EQ(name.share_in("Invoice 2026/417"), 1.0);
  EXPECT_EQ(name.share_in("Invoice 2026-0999"), 0.0);
  EXPECT_TRUE(CalledNames("How much did I spend in 2026?", kOnly).empty());
  EXPECT_TRUE(CalledNames("Did 48213 people come?", kOnly).empty());
}

TEST(CalledNames, EndWithTheLastNumberThatTellsThemApart) {
  const CalledNames name("When was INV-2026-0417 issued?", CalledNames::Which::kIdentifiers);
  EXPECT_EQ(name.share_in("INV-2026-0417"), 1.0);
  EXPECT_EQ(name.share_in("INV-2026-0999"), 0.0);
}

TEST(CalledNames, APaperHasItsNumberAndNoOtherOfItsKind) {
  const CalledNames name("What is the total of invoice 2026-0417?", CalledNames::Which::kIdentifiers);
  EXPECT_TRUE(name.number_in("Invoice 2026-0417, customer 4711234\nDate: 2026-04-17"));
  EXPECT_FALSE(name.number_in("Invoice 2026-0999"));
  EXPECT_FALSE(name.number_in("2026-0417: 12 EUR\n2026-0418: 40 EUR")) << "a list of such";
  EXPECT_FALSE(CalledNames("What is PEP 8?").number_in("PEP 8"));
}

}  // namespace
}  // namespace mneme::rag
