// Which lines near the edges of pages are headers and footers, and what becomes of what they say.
#include "rag/readers/pdf/pdf_running_lines.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rag/readers/pdf/pdf_layout.h"

namespace mneme::readers {
namespace {

constexpr float kPageHeight = 842;
constexpr float kLineHeight = 11;

PdfLine line_at(float x, float y, const std::string& text) {
  PdfLine line;
  line.x_min = x;
  line.x_max = x + 5 * static_cast<float>(text.size());
  line.y_min = y;
  line.y_max = y + kLineHeight;
  line.word_height = kLineHeight;
  line.block = static_cast<int>(y);
  line.segments.push_back({line.x_min, line.x_max, text});
  return line;
}

PdfPage page_of(int number, std::vector<PdfLine> lines) {
  PdfPage page;
  page.width = 595;
  page.height = kPageHeight;
  page.number = number;
  page.lines = std::move(lines);
  return page;
}

std::vector<PdfLine> body_of(int page) {
  const std::string number = std::to_string(page);
  return {line_at(72, 300, "Here begins what page " + number + " says of its matter,"),
          line_at(72, 314, "and here it ends the sentence.")};
}

PdfPage page_with(int number, const std::vector<PdfLine>& lines) {
  std::vector<PdfLine> all = body_of(number);
  all.insert(all.end(), lines.begin(), lines.end());
  return page_of(number, all);
}

// What a reader of PDF makes of the pages.
std::string text_of(const std::vector<PdfPage>& pages) {
  rag::Document document;
  DocumentBuilder builder(document, 1 << 20);
  PdfAssembler assembler(builder);
  for (const PdfPage& page : pages) assembler.add_page(page);
  assembler.finish();
  assembler.running_texts().write(builder);
  return document.text;
}

size_t times_in(std::string_view text, std::string_view words) {
  size_t times = 0;
  for (size_t at = text.find(words); at != std::string_view::npos; at = text.find(words, at + 1)) ++times;
  return times;
}

TEST(PdfRunningLines, RowsOfATableThatFillsItsPagesAreKept) {
  constexpr int kRows = 48;
  std::vector<PdfPage> pages;
  for (int p = 1; p <= 6; ++p) {
    std::vector<PdfLine> rows;
    for (int r = 0; r < kRows; ++r) {
      const int n = p * kRows + r;
      rows.push_back(line_at(72, 46 + 15 * static_cast<float>(r),
                             "2024-0" + std::to_string(p) + "-" + std::to_string(10 + r % 20) + " Meter reading " +
                                 std::to_string(1000 + 7 * n) + " kWh"));
    }
    pages.push_back(page_of(p, rows));
  }
  const std::string text = text_of(pages);
  EXPECT_EQ(times_in(text, "Meter reading"), 6u * kRows);
  EXPECT_EQ(text.find("Headers and footers"), std::string::npos);
}

TEST(PdfRunningLines, ALetterheadIsToldOnceWithItsNumbers) {
  std::vector<PdfPage> pages;
  for (int p = 1; p <= 2; ++p) {
    PdfLine last = line_at(72, 802, "VAT ID DE136695976");
    last.segments.push_back({480, 540, "Page " + std::to_string(p) + " of 2"});
    pages.push_back(page_with(p, {line_at(72, 32, "Brandt Pumps GmbH, Hafenstr. 5, 20457 Hamburg"),
                                  line_at(72, 46, "Invoice No. 2024-0815 of 12 March 2024"),
                                  line_at(72, 790, "IBAN DE02 1203 0000 0000 2020 51"), last}));
  }
  const std::string text = text_of(pages);
  const size_t told = text.find("\n\nHeaders and footers\n\n");
  ASSERT_NE(told, std::string::npos) << text;
  for (const std::string_view said : {"Hafenstr. 5, 20457 Hamburg", "Invoice No. 2024-0815 of 12 March 2024",
                                      "IBAN DE02 1203 0000 0000 2020 51", "VAT ID DE136695976"}) {
    EXPECT_EQ(times_in(text, said), 1u) << said;
    EXPECT_GT(text.find(said), told) << said;
  }
}

TEST(PdfRunningLines, OneNumberMayCountWithThePagesInTheSamePlace) {
  std::vector<PdfPage> pages;
  for (int p = 1; p <= 4; ++p) {
    const std::string number = std::to_string(p);
    pages.push_back(page_with(p, {line_at(72, 32, "Handbook of Pumps - Page " + number),
                                  line_at(72, 800, "Total of this page 1" + number + "7,00 EUR")}));
  }
  const std::string text = text_of(pages);
  EXPECT_EQ(times_in(text, "Handbook of Pumps"), 1u) << text;
  EXPECT_EQ(times_in(text, "Total of this page"), 4u) << text;  // the number differs, but does not count
}

TEST(PdfRunningLines, TheSameWordsElsewhereOnThePageAreText) {
  std::vector<PdfPage> pages;
  for (int p = 1; p <= 4; ++p) {
    pages.push_back(page_with(p, {line_at(72 + 60 * static_cast<float>(p), 32, "Not for resale")}));
  }
  EXPECT_EQ(times_in(text_of(pages), "Not for resale"), 4u);
}

TEST(PdfRunningLines, ANumberThatDoesNotCountIsNoNumberOfAPage) {
  std::vector<PdfPage> pages;
  for (int p = 1; p <= 4; ++p) pages.push_back(page_with(p, {line_at(290, 800, std::to_string(p + 240))}));
  pages.push_back(page_with(5, {line_at(500, 800, "870")}));
  const std::string text = text_of(pages);
  EXPECT_EQ(text.find("24"), std::string::npos) << text;
  EXPECT_NE(text.find("870"), std::string::npos) << text;
}

TEST(PdfRunningLines, APageOfNothingElseKeepsItsWords) {
  std::vector<PdfPage> pages;
  for (int p = 1; p <= 4; ++p) pages.push_back(page_with(p, {line_at(72, 32, "Annual Report")}));
  pages.push_back(page_of(5, {line_at(72, 32, "Annual Report")}));
  EXPECT_EQ(times_in(text_of(pages), "Annual Report"), 1u);  // there: it need not be told again
}

}  // namespace
}  // namespace mneme::readers
