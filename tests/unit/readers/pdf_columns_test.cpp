// Pages written in columns from right to left: from fonts made for it (through pdftotext), and as programs place every
// character by itself (what pdftotext says of LibreOffice's pages).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "rag/readers/pdf/pdf_layout.h"
#include "rag/readers/process/child_process.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

// A run of characters from a place on the page, in points from the lower left.
struct TextRun {
  double x = 0;
  double y = 0;
  double size = 12;
  std::string text;
};

std::vector<char32_t> characters_of(const std::string& text) {
  std::vector<char32_t> characters;
  for (size_t i = 0; i < text.size();) characters.push_back(utf8::next(text, i));
  return characters;
}

// The numbers of characters in a font that holds those of the runs, in the order they are met.
using Glyphs = std::map<char32_t, int>;

std::string map_to_unicode(const Glyphs& glyphs) {
  std::string map =
      "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /T def /CMapType 2 def 1 "
      "begincodespacerange <0000> <ffff> endcodespacerange\n";
  for (const auto& [character, glyph] : glyphs) {
    char line[64];
    std::snprintf(line, sizeof(line), "1 beginbfchar <%04x> <%04x> endbfchar\n", static_cast<unsigned>(glyph),
                  static_cast<unsigned>(character));
    map += line;
  }
  return map + "endcmap end end\n";
}

std::string stream_of(const std::string& content) {
  return "<< /Length " + std::to_string(content.size()) + " >>\nstream\n" + content + "endstream";
}

// A page set in one font whose characters are squares. encoding: "Identity-V" sets each run downwards.
std::string make_page(const std::vector<TextRun>& runs, const std::string& encoding) {
  Glyphs glyphs;
  std::string content;
  for (const TextRun& run : runs) {
    char place[96];
    std::snprintf(place, sizeof(place), "BT /F1 %.1f Tf 1 0 0 1 %.1f %.1f Tm <", run.size, run.x, run.y);
    content += place;
    for (const char32_t character : characters_of(run.text)) {
      char code[8];
      const int next = static_cast<int>(glyphs.size()) + 1;
      std::snprintf(code, sizeof(code), "%04x", static_cast<unsigned>(glyphs.emplace(character, next).first->second));
      content += code;
    }
    content += "> Tj ET\n";
  }
  const std::vector<std::string> objects = {
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [8 0 R] /Count 1 >>",
      "<< /Type /Font /Subtype /Type0 /BaseFont /Mincho /Encoding /" + encoding +
          " /DescendantFonts [4 0 R] /ToUnicode 6 0 R >>",
      "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Mincho /CIDSystemInfo << /Registry (Adobe) /Ordering "
      "(Identity) "
      "/Supplement 0 >> /DW 1000 /DW2 [880 -1000] /FontDescriptor 5 0 R >>",
      "<< /Type /FontDescriptor /FontName /Mincho /Flags 4 /FontBBox [0 -120 1000 880] /ItalicAngle 0 /Ascent 880 "
      "/Descent -120 /CapHeight 700 /StemV 80 >>",
      stream_of(map_to_unicode(glyphs)),
      stream_of(content),
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 396] /Contents 7 0 R /Resources << /Font << /F1 3 0 R >> >> >>"};
  std::string pdf = "%PDF-1.4\n";
  for (size_t i = 0; i < objects.size(); ++i) {
    pdf += std::to_string(i + 1) + " 0 obj\n" + objects[i] + "\nendobj\n";
  }
  return pdf + "trailer\n<< /Size 9 /Root 1 0 R >>\n%%EOF\n";  // found without a table
}

std::vector<TextRun> columns(const std::vector<std::string>& texts, double right = 540, double top = 340,
                             double size = 12) {
  std::vector<TextRun> runs;
  for (size_t i = 0; i < texts.size(); ++i) runs.push_back({right - 20 * static_cast<double>(i), top, size, texts[i]});
  return runs;
}

std::vector<TextRun> operator+(std::vector<TextRun> a, const std::vector<TextRun>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

class PdfColumns : public testing::Test {
 protected:
  void SetUp() override {
    if (find_program("pdftotext").empty()) GTEST_SKIP() << "pdftotext (poppler-utils) is not installed";
  }
};

const std::vector<std::string> kCat = {"吾輩は猫である。名前はまだ無い。どこで生れた",
                                       "かとんと見当がつかぬ。何でも薄暗いじめじめし",
                                       "た所でニャーニャー泣いていた事だけは記憶して", "いる。"};
const std::string kCatText =
    "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所でニャーニャー泣いてい"
    "た事だけは記憶している。";

TEST_F(PdfColumns, FontsForColumnsMakeParagraphs) {
  const rag::Document document = test::read_text("a.pdf", make_page(columns(kCat), "Identity-V"));
  EXPECT_EQ(document.text, kCatText);
}

TEST_F(PdfColumns, ReadingsBesideCharactersAreLeftOut) {
  const std::vector<TextRun> readings = {{549, 340, 6, "わがはい"}, {549, 304, 6, "ねこ"}, {529, 268, 6, "けんとう"}};
  const rag::Document document = test::read_text("a.pdf", make_page(columns(kCat) + readings, "Identity-V"));
  EXPECT_EQ(document.text, kCatText);
}

TEST_F(PdfColumns, TiersAreReadOneBelowTheOther) {
  const rag::Document document =
      test::read_text("a.pdf", make_page(columns({"上の段は右から左へ読", "み、それから下の段へ"}) +
                                             columns({"移り、また右から始め", "て左で終わるのである。"}, 540, 180),
                                         "Identity-V"));
  EXPECT_EQ(document.text, "上の段は右から左へ読み、それから下の段へ移り、また右から始めて左で終わるのである。");
}

TEST_F(PdfColumns, IndentedColumnsBeginParagraphsAndLargeOnesAreHeadings) {
  const rag::Document document = test::read_text(
      "a.pdf",
      make_page(columns({"第一章猫の話"}, 545, 340, 20) + columns({kCat[0], kCat[1], kCat[2], kCat[3]}, 500) +
                    columns({"吾輩はここで始めて人間というものを見たのだが"}, 420, 328) +
                    columns({"それは書生という人間であったそうだ。しかも一", "番獰悪な種族であった。"}, 400, 340),
                "Identity-V"));
  ASSERT_EQ(document.blocks.size(), 3u) << document.text;
  EXPECT_EQ(document.blocks[0].kind, rag::BlockKind::kHeading);
  EXPECT_EQ(test::block_text(document, 0), "第一章猫の話");
  EXPECT_EQ(test::block_text(document, 1), kCatText);
  EXPECT_EQ(
      test::block_text(document, 2),
      "吾輩はここで始めて人間というものを見たのだがそれは書生という人間であったそうだ。しかも一番獰悪な種族であった。");
}

// A font whose characters have the numbers of Unicode, but only poppler-data tells so. Where that is not installed, the
// file says it, and is no scan.
TEST_F(PdfColumns, FontsThatNeedPopplersDataSaySo) {
  std::string pdf = make_page(columns({"\u732b"}), "UniJIS-UCS2-V");
  const auto replace = [&](const std::string& from, const std::string& to) {
    pdf.replace(pdf.rfind(from), from.size(), to);
  };
  replace("<0001>", "<732b>");  // the last: of the page, not of the map that is taken out below
  replace("/Ordering (Identity)", "/Ordering (Japan1)");
  replace(" /ToUnicode 6 0 R", "");
  const auto read = read_document("a.pdf", as_bytes(pdf));
  if (read.ok()) {
    EXPECT_EQ(read->text, "\u732b");
  } else {
    EXPECT_NE(read.status().message().find("poppler-data"), std::string::npos) << read.status().message();
  }
}

TEST_F(PdfColumns, LinesStayLines) {
  std::vector<TextRun> lines;
  for (size_t i = 0; i < kCat.size(); ++i) lines.push_back({60, 340 - 17 * static_cast<double>(i), 12, kCat[i]});
  EXPECT_EQ(test::read_text("a.pdf", make_page(lines, "Identity-H")).text, kCatText);
  // Readings above the characters, between the lines.
  const std::vector<TextRun> readings = {{60, 351, 5, "わがはい"}, {108, 334, 5, "けんとう"}};
  EXPECT_EQ(test::read_text("a.pdf", make_page(lines + readings, "Identity-H")).text, kCatText);
}

// Words as `pdftotext -bbox-layout` tells them of a page on which every character was placed by itself: rows of what
// stands side by side, each character a word, taller than its distance to the next.
std::string rows_of_columns(const std::vector<std::string>& texts, const std::string& more = {}) {
  std::string xml = "<page width=\"595\" height=\"397\"><flow><block>";
  size_t longest = 0;
  for (const std::string& text : texts) longest = std::max(longest, characters_of(text).size());
  for (size_t row = 0; row < longest; ++row) {
    xml += "<line xMin=\"56\" yMin=\"56\" xMax=\"540\" yMax=\"70\">";
    for (size_t column = texts.size(); column-- > 0;) {
      const std::vector<char32_t> characters = characters_of(texts[column]);
      if (row >= characters.size()) continue;
      std::string character;
      utf8::append(character, characters[row]);
      char word[160];
      const double x = 525.8 - 15.1 * static_cast<double>(column);
      const double y = 56 + 10.5 * static_cast<double>(row);
      std::snprintf(word, sizeof(word), "<word xMin=\"%.1f\" yMin=\"%.1f\" xMax=\"%.1f\" yMax=\"%.1f\">", x, y,
                    x + 10.5, y + 13.65);
      xml += word + character + "</word>";
    }
    xml += "</line>";
  }
  return xml + more + "</block></flow></page>";
}

std::string text_of(const std::string& page_xml) {
  rag::Document document;
  DocumentBuilder builder(document, 1 << 20);
  PdfAssembler pages(builder);
  pages.add_page(parse_pdf_page(page_xml, 1));
  pages.finish();
  return document.text;
}

TEST(PdfColumnsOfRows, CharactersPlacedOneByOneAreReadDownTheColumns) {
  EXPECT_EQ(text_of(rows_of_columns(kCat)), kCatText);
}

TEST(PdfColumnsOfRows, LyingWordsAndNumbersStandInTheirColumn) {
  // The rows leave room between "と" and "社" for a word on its side.
  const std::string word =
      "<line xMin=\"523\" yMin=\"151\" xMax=\"539\" yMax=\"179\"><word xMin=\"523.2\" yMin=\"151.5\" xMax=\"538.8\" "
      "yMax=\"178.4\">ABC</word></line>";
  const std::string text = text_of(rows_of_columns({"吾輩は猫である。と　　　社の第", kCat[1]}, word));
  EXPECT_NE(text.find("とABC社の第"), std::string::npos) << text;
}

TEST(PdfColumnsOfRows, NumbersOfPagesAreDropped) {
  const std::string number =
      "<line xMin=\"290\" yMin=\"370\" xMax=\"300\" yMax=\"380\"><word xMin=\"290\" yMin=\"370\" xMax=\"300\" "
      "yMax=\"380\">12</word></line>";
  EXPECT_EQ(text_of(rows_of_columns(kCat, number)), kCatText);
}

TEST(PdfColumnsOfRows, FormsOfSignsInColumnsBecomeTheSigns) {
  EXPECT_EQ(text_of(rows_of_columns({"﹁吾輩は猫である﹂と", "彼は言った︒"})), "「吾輩は猫である」と彼は言った。");
}

TEST(PdfColumnsOfRows, AbsurdPagesAreHarmless) {
  EXPECT_EQ(
      text_of("<page width=\"-1\" height=\"nan\"><flow><block><line><word>吾</word></line></block></flow></page>"),
      "吾");
  std::string xml = "<page width=\"595\" height=\"397\"><flow><block><line>";
  for (int i = 0; i < 9000; ++i) xml += "<word xMin=\"1\" yMin=\"1\" xMax=\"1\" yMax=\"1\">猫</word>";
  EXPECT_FALSE(text_of(xml + "</line></block></flow></page>").empty());
}

}  // namespace
}  // namespace mneme::readers
