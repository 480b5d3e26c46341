// The page of a PDF to look at: what pdftoppm and pdftotext say, and where a passage stands.
#include "rag/readers/pdf/pdf_preview.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace mneme::readers {
namespace {

PageWord word(const std::string& text) {
  return {0.1f, 0.1f, 0.2f, 0.12f, text};
}

TEST(PdfPreview, PicturesAreReadAndDamagedOnesRefused) {
  PdfPreview preview;
  ASSERT_TRUE(parse_ppm("P6\n2 1\n255\nabcdef", preview).ok());
  EXPECT_EQ(preview.width, 2);
  EXPECT_EQ(preview.height, 1);
  EXPECT_EQ(preview.rgb.size(), 6u);
  for (const char* bad : {"", "P6", "P5\n1 1\n255\nabc", "P6\n2 2\n255\nabc", "P6\n-1 1\n255\nabc",
                          "P6\n99999999 9\n255\n", "P6\n1 1\n65535\nabcdef"}) {
    EXPECT_EQ(parse_ppm(bad, preview).code(), StatusCode::kCorruption) << bad;
  }
}

TEST(PdfPreview, WordsAreSharesOfThePage) {
  const std::vector<PageWord> words = parse_page_words(
      "<page width=\"200\" height=\"100\">\n<word xMin=\"20\" yMin=\"10\" xMax=\"60\" yMax=\"20\">A&amp;B</word>\n"
      "<word xMin=\"9\" yMin=\"1\" xMax=\"3\" yMax=\"2\">bad</word><word broken");
  ASSERT_EQ(words.size(), 1u);
  EXPECT_EQ(words[0].text, "A&B");
  EXPECT_FLOAT_EQ(words[0].x_min, 0.1f);
  EXPECT_FLOAT_EQ(words[0].y_max, 0.2f);
  EXPECT_TRUE(parse_page_words("<page width=\"0\" height=\"0\">").empty());
  EXPECT_TRUE(parse_page_words("nothing").empty());
}

// They are drawn from left to right: "a stone of red granite" and "in town".
TEST(PdfPreview, LinesFromRightToLeftAreReadSo) {
  const auto drawn = [](int x, int y, const std::string& text) {
    return "<word xMin=\"" + std::to_string(x) + "\" yMin=\"" + std::to_string(y) + "\" xMax=\"" +
           std::to_string(x + 20) + "\" yMax=\"" + std::to_string(y + 10) + "\">" + text + "</word>";
  };
  const std::vector<PageWord> words =
      parse_page_words("<page width=\"200\" height=\"100\">" + drawn(20, 10, ".המודא") + drawn(50, 10, "טינרג") +
                       drawn(80, 10, "ןבא") + drawn(20, 30, "ריעב") + "</page>");
  std::vector<std::string> read;
  for (const PageWord& word : words) read.push_back(word.text);
  EXPECT_EQ(read, (std::vector<std::string>{"אבן", "גרניט", "אדומה.", "בעיר"}));
  EXPECT_FLOAT_EQ(words[0].x_min, 0.4f);
}

TEST(PdfPreview, ThePassageIsFoundDespiteCaseMarksAndFootnotes) {
  std::vector<PageWord> words;
  for (const char* w :
       {"Intro", "text", "stands", "here.", "The", "warranty", "lasts", "7", "three", "full", "years.", "End"})
    words.push_back(word(w));
  const std::vector<bool> inside = words_of_passage(words, "the Warranty lasts three full years");
  const std::vector<bool> expected = {false, false, false, false, true, true, true, true, true, true, true, false};
  EXPECT_EQ(inside, expected);
  EXPECT_EQ(words_of_passage(words, "nothing of this is there at all"), std::vector<bool>(12, false));
  EXPECT_EQ(words_of_passage(words, ""), std::vector<bool>(12, false));
  EXPECT_TRUE(words_of_passage({}, "the warranty lasts").empty());
}

TEST(PdfPreview, AFewWordsOnAnotherPageAreNoPassageThatGoesOn) {
  std::vector<bool> inside(40, false);
  std::fill(inside.begin(), inside.begin() + 12, true);
  std::fill(inside.begin() + 20, inside.begin() + 25, true);
  std::vector<bool> expected(40, false);
  std::fill(expected.begin(), expected.begin() + 12, true);
  EXPECT_EQ(what_goes_on(inside), expected);
  EXPECT_TRUE(what_goes_on({}).empty());
}

std::vector<PageWord> words_of(const std::string& text) {
  std::vector<PageWord> words;
  std::istringstream stream(text);
  for (std::string w; stream >> w;) words.push_back(word(w));
  return words;
}

TEST(PdfPreview, WhatThePageSaysAgainElsewhereIsNotThePassage) {
  const std::string passage = "The risk of the orchard remains with the seller until delivery is confirmed in writing.";
  const std::string other = " This agreement is governed by the law of Scotland, and its courts decide alone.";
  const std::string again = " The risk of the barn remains with the seller until delivery is confirmed in writing.";
  const std::vector<PageWord> words = words_of(again + other + " " + passage + other + again);
  std::vector<bool> expected(words.size(), false);
  std::fill_n(expected.begin() + static_cast<long>(words_of(again + other).size()), words_of(passage).size(), true);
  EXPECT_EQ(words_of_passage(words, passage), expected);
}

TEST(PdfPreview, APassageThatThePageHasInAnotherOrderIsMarkedInAllItsPlaces) {
  const std::string other = " This agreement is governed by the law of Scotland, and its courts decide alone.";
  const std::vector<PageWord> words =
      words_of("seller until delivery is confirmed." + other + other + " The risk stays");
  const std::vector<bool> inside = words_of_passage(words, "The risk stays\nseller until delivery is confirmed.");
  EXPECT_TRUE(inside.front());
  EXPECT_TRUE(inside.back());
  EXPECT_EQ(std::count(inside.begin(), inside.end(), true), 8);
}

TEST(PdfPreview, WhatCannotBeShownIsSaid) {
  const auto missing = preview_pdf_page("/nowhere/a.pdf", 1, 72);
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.status().message().find("/nowhere/a.pdf"), std::string::npos);
}

}  // namespace
}  // namespace mneme::readers
