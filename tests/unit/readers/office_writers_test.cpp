// Office files as the many programs that write them do: without what may be left out, with white space and prefixes of
// their own, with names of members as Windows has them.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/readers/office_package.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using test::block_text;
using test::make_zip;
using test::Members;
using test::part_of;
using test::read_text;

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

TEST(OfficeWriters, CellsAndRowsWithoutReferencesComeNextToEachOther) {
  Members members = test::xlsx_parts();
  part_of(members, "xl/worksheets/sheet1.xml") =
      "<worksheet><sheetData><row><c t=\"str\"><v>Name</v></c><c t=\"str\"><v>Mail</v></c><c t=\"str\"><v>Since</v></c>"
      "</row><row/><row><c t=\"str\"><v>Weber</v></c><c/><c><v>2019</v></c></row>"
      "<row><c t=\"str\"><v>Lind</v></c><c r=\"C4\"><v>2021</v></c><c><v>7</v></c></row></sheetData></worksheet>";
  const rag::Document document = read_text("a.xlsx", make_zip(members));
  EXPECT_EQ(block_text(document, 1), "Name | Mail | Since");
  EXPECT_EQ(block_text(document, 2), "Weber | | 2019");
  EXPECT_EQ(document.blocks.at(2).line_begin, 3);
  EXPECT_EQ(block_text(document, 3), "Lind | | 2021 | 7");
}

TEST(OfficeWriters, WhiteSpaceBetweenElementsIsNoSheetAndNoSlide) {
  Members book = test::xlsx_parts();
  replace_all(part_of(book, "xl/workbook.xml"), "<sheet ", "\n    <sheet ");
  const rag::Document sheets = read_text("a.xlsx", make_zip(book));
  EXPECT_TRUE(sheets.notes.empty());
  EXPECT_EQ(sheets.text.find("# "), std::string::npos);
  EXPECT_EQ(sheets.blocks.front().page, 1);
  const rag::Document plain = read_text("a.xlsx", make_zip(test::xlsx_parts()));
  ASSERT_EQ(sheets.blocks.size(), plain.blocks.size());
  for (size_t i = 0; i < plain.blocks.size(); ++i) EXPECT_EQ(sheets.blocks[i].page, plain.blocks[i].page);

  Members deck = test::pptx_parts();
  replace_all(part_of(deck, "ppt/presentation.xml"), "<p:sldId ", "\n  <p:sldId id=\"256\" ");
  const rag::Document slides = read_text("a.pptx", make_zip(deck));
  EXPECT_TRUE(slides.notes.empty());
  EXPECT_EQ(slides.blocks.back().page, 2);
}

TEST(OfficeWriters, PrefixesOfLinksMayBeAny) {
  Members deck = test::pptx_parts();
  std::string& order = part_of(deck, "ppt/presentation.xml");
  replace_all(order, "r:id", "rel:id");
  replace_all(order, "xmlns:r", "xmlns:rel");
  replace_all(order, "<p:sldId rel:id=\"r1\"/><p:sldId rel:id=\"r2\"/>",
              "<p:sldId id=\"300\" rel:id=\"r2\"/><p:sldId id=\"301\" rel:id=\"r1\"/>");
  EXPECT_EQ(block_text(read_text("a.pptx", make_zip(deck)), 0), "Fares");
}

TEST(OfficeWriters, NamesOfMembersInOtherCaseAndWithBackslashes) {
  Members members = test::xlsx_parts();
  for (auto& [name, content] : members) {
    replace_all(name, "/", "\\");
    replace_all(name, "sharedStrings", "sharedstrings");
    replace_all(content, "worksheets/", "worksheets\\");
  }
  const rag::Document document = read_text("a.xlsx", make_zip(members));
  EXPECT_EQ(document.text, read_text("a.xlsx", make_zip(test::xlsx_parts())).text);
  EXPECT_TRUE(document.notes.empty());
}

TEST(OfficeWriters, FormulasThatNobodyCalculatedAreNoted) {
  Members members = test::xlsx_parts();
  part_of(members, "xl/worksheets/sheet1.xml") =
      "<worksheet><sheetData><row r=\"1\"><c r=\"A1\" t=\"str\"><v>Sum</v></c><c r=\"B1\"><f>B2+B3</f></c>"
      "<c r=\"C1\" t=\"str\"><f>\"\"</f><v></v></c></row></sheetData></worksheet>";
  const rag::Document document = read_text("a.xlsx", make_zip(members));
  ASSERT_EQ(document.notes.size(), 1U);
  EXPECT_EQ(document.notes[0],
            "1 cells hold formulas without results: open the file in a spreadsheet program and save it to have them");
}

TEST(OfficeWriters, FormulasOfSlidesAreReadWithPlainLetters) {
  Members deck = test::pptx_parts();
  part_of(deck, "ppt/slides/slide1.xml") = test::slide_of(
      "sld",
      "<p:sp><p:txBody><a:p><a:r><a:t>Energy: </a:t></a:r><mc:AlternateContent xmlns:mc=\"m\"><mc:Choice "
      "Requires=\"a14\"><a14:m xmlns:a14=\"a14\"><m:oMathPara xmlns:m=\"om\"><m:oMath><m:r><m:t>\U0001d438=\U0001d45a"
      "</m:t></m:r><m:sSup><m:e><m:r><m:t>\U0001d450</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>"
      "<m:r><m:t>\U0001d6fc\U0001d7d9</m:t></m:r></m:oMath></m:oMathPara></a14:m></mc:Choice><mc:Fallback><a:r><a:t>?"
      "</a:t></a:r></mc:Fallback></mc:AlternateContent></a:p></p:txBody></p:sp>");
  EXPECT_EQ(block_text(read_text("a.pptx", make_zip(deck)), 0), "Energy: E=mc²α1");
}

TEST(OfficeWriters, PackagesAreKnownWhateverTheyAreCalled) {
  const auto with_types = [](const Members& parts) {
    Members members = {{"[Content_Types].xml", "<Types/>"}};
    members.insert(members.end(), parts.begin(), parts.end());
    return make_zip(members);
  };
  for (const char* name : {"a.doc", "a.rtf", "a", "a.tmp"}) {
    EXPECT_EQ(read_text(name, with_types(test::docx_parts())).format, "docx") << name;
    EXPECT_EQ(read_text(name, with_types(test::xlsx_parts())).format, "xlsx") << name;
    EXPECT_EQ(read_text(name, with_types(test::pptx_parts())).format, "pptx") << name;
  }
  EXPECT_EQ(detect_format("a.zip", as_bytes(with_types(test::docx_parts()))), "zip");
}

}  // namespace
}  // namespace mneme::readers
