// What stands in entries of diaries and lists of changes is quoted with the day or version that it is of.
#include "rag/quoting/outline/entry_marks.h"

#include <gtest/gtest.h>

#include "rag/quoting/quoting.h"

namespace mneme::rag {
namespace {

std::string first_quote(std::string_view question, const QuotePassage& passage) {
  const std::vector<QuotedSentence> quotes = quote_sentences(question, std::span(&passage, 1));
  return quotes.empty() ? std::string() : quotes.front().text;
}

const QuotePassage kDiary{
    "Pond diary\n\n3 April. Netted the leaves. The newts are back.\n\n21 May. Planted two water lilies. The pump "
    "hums.\n\n"
    "Frogs need shade in summer.",
    "pond", "Pond diary"};
const QuotePassage kChanges{
    "# Changes\n\n## 2.4.0 (2026-03-09)\n\n- Add paging to the list of orders\n- Drop the old sign-in page\n\n"
    "## 2.3.1 (2025-12-01)\n\n- Fix a crash when an order is empty\n",
    "changes", "Changes"};

TEST(EntryMarks, AreDaysAndVersionsWithTheirDay) {
  EXPECT_TRUE(is_entry_mark("11 April."));
  EXPECT_TRUE(is_entry_mark("## 3.0.0 (2025-11-04)"));
  EXPECT_TRUE(is_entry_mark("Version 2.1, 4 May 2024"));
  EXPECT_FALSE(is_entry_mark("3.1 Rent"));
  EXPECT_FALSE(is_entry_mark("On 11 April we left."));
  EXPECT_FALSE(is_entry_mark("April"));
  EXPECT_FALSE(is_entry_mark(""));
}

TEST(EntryMarks, ADayBeforeAParagraphIsToldOfAllOfIt) {
  EXPECT_EQ(first_quote("When did I plant the water lilies?", kDiary), "21 May: Planted two water lilies.");
  EXPECT_EQ(first_quote("Why do frogs need shade?", kDiary), "Frogs need shade in summer.");
}

TEST(EntryMarks, ADayRightBeforeWhatIsQuotedIsPartOfItsPlace) {
  const std::vector<QuotedSentence> quotes =
      quote_sentences("When did I plant the water lilies?", std::span(&kDiary, 1));
  ASSERT_FALSE(quotes.empty());
  const size_t n_bytes = quotes.front().byte_end - quotes.front().byte_begin;
  EXPECT_EQ(kDiary.text.substr(quotes.front().byte_begin, n_bytes), "21 May. Planted two water lilies.");
}

TEST(EntryMarks, AChangeIsQuotedWithItsVersion) {
  EXPECT_EQ(first_quote("Which version dropped the old sign-in page?", kChanges),
            "2.4.0 (2026-03-09): Drop the old sign-in page");
  EXPECT_NE(first_quote("When was 2.3.1 released?", kChanges).find("2025-12-01"), std::string::npos);
  EXPECT_EQ(first_quote("When was 2.5.0 released?", kChanges), "");
}

TEST(EntryMarks, LinesThatNobodyBrokeSayEachTheirOwn) {
  const QuotePassage notes{
      "Notes for testers\n\nfix wrong totals in the basket when a voucher is taken back\nnew icon\nfaster start\n"
      "print labels in two columns\nremember the last folder",
      "notes", "Notes for testers"};
  EXPECT_EQ(first_quote("How are labels printed?", notes), "print labels in two columns");
}

}  // namespace
}  // namespace mneme::rag
