// What poppler takes apart on a page and belongs together: numbers and their titles, lines of programs, paragraphs.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/readers/made_page.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using rag::BlockKind;
using test::block_text;
using test::MadeLine;
using test::MadePage;

const std::vector<MadeLine> kProse = {
    {72, 200, "Some prose that fills the line from the left margin to the right one, as it is"},
    {72, 212, "usual in books, so that it is known how large the letters of the text are set in"},
    {72, 224, "this document, and what is no part of it, but stands out from it."}};

std::vector<std::string> blocks_of(const rag::Document& document) {
  const std::string kinds = "PHLTCQ";
  std::vector<std::string> blocks;
  for (size_t i = 0; i < document.blocks.size(); ++i) {
    const rag::Block& block = document.blocks[i];
    std::string label(1, kinds[static_cast<size_t>(block.kind)]);
    if (block.kind == BlockKind::kHeading) label += std::to_string(block.heading_level);
    blocks.push_back(label.append(" ").append(block_text(document, i)));
  }
  return blocks;
}

TEST(PdfStructure, NumbersStandBeforeTheTitlesThatTheyAreOf) {
  const auto document = MadePage()
                            .blocks({{72, 150, "3", 14}, {100, 150, "Measured results", 14}})
                            .block(kProse)
                            .blocks({{72, 250, "3.1"}, {100, 250, "Beyond the largest table"}})
                            .blocks({{72, 300, "2.4", 12}, {110, 300, "Übersicht", 12}})
                            .document();
  const auto blocks = blocks_of(document);
  ASSERT_EQ(blocks.size(), 4u) << document.text;
  EXPECT_EQ(blocks[0], "H2 3 Measured results");
  EXPECT_EQ(blocks[2], "H3 3.1 Beyond the largest table");
  EXPECT_EQ(blocks[3], "H3 2.4 Übersicht");
}

TEST(PdfStructure, BulletsAndNumbersOfItemsStandBeforeTheirItems) {
  const auto document = MadePage()
                            .block(kProse)
                            .block({{72, 250, "\xe2\x80\xa2"}, {72, 262, "\xe2\x80\xa2"}})
                            .block({{90, 250, "the first item"}, {90, 262, "the second item"}})
                            .blocks({{72, 300, "[12]"}, {95, 300, "A. Author. A book that is cited. 1999."}})
                            .document();
  const auto blocks = blocks_of(document);
  ASSERT_EQ(blocks.size(), 4u) << document.text;
  EXPECT_EQ(blocks[1], "L - the first item");
  EXPECT_EQ(blocks[2], "L - the second item");
  EXPECT_EQ(blocks[3], "P [12] A. Author. A book that is cited. 1999.");
}

// Numbers of lines, of pages and in tables are no section's.
TEST(PdfStructure, NumbersBesideRunningTextStayByThemselves) {
  const auto document =
      MadePage().blocks({{40, 200, "17"}}).block(kProse).blocks({{72, 300, "4"}, {300, 300, "Far away"}}).document();
  EXPECT_EQ(document.text.find("17 Some"), std::string::npos);
  EXPECT_EQ(document.text.find("4 Far"), std::string::npos);
}

TEST(PdfStructure, LinesInTypeOfFixedPitchAreCode) {
  const auto document = MadePage()
                            .block({kProse[0],
                                    kProse[1],
                                    kProse[2],
                                    {90, 240, "for (int i = 0; i < n; ++i) {", 10, 5},
                                    {100, 252, "sum += values[i] * 2;", 10, 5},
                                    {90, 264, "}", 10, 5},
                                    {90, 288, "return sum;   # all", 10, 5},
                                    {72, 304, "More prose goes on behind it, of which nothing is code."}})
                            .document();
  const auto blocks = blocks_of(document);
  ASSERT_EQ(blocks.size(), 3u) << document.text;
  EXPECT_EQ(blocks[1], "C for (int i = 0; i < n; ++i) {\n  sum += values[i] * 2;\n}\n\nreturn sum;   # all");
  EXPECT_EQ(blocks[2], "P More prose goes on behind it, of which nothing is code.");
}

// A letter written on a typewriter is prose all the same.
TEST(PdfStructure, ADocumentOfFixedPitchIsNoCode) {
  const auto document = MadePage()
                            .block({{72, 200, "Dear Sir, this letter was typed on an old machine,", 10, 6},
                                    {72, 212, "and it says in the middle of a line, as letters do,", 10, 6},
                                    {72, 224, "that the goods have not arrived.", 10, 6}})
                            .document();
  ASSERT_EQ(document.blocks.size(), 1u) << document.text;
  EXPECT_EQ(document.blocks[0].kind, BlockKind::kParagraph);
  EXPECT_EQ(document.text.find('\n'), std::string::npos);
}

TEST(PdfStructure, RunningTextGoesOnAtTheMarginBehindIndentedLines) {
  const auto document =
      MadePage()
          .block({{72, 200, "Many things are said here, as in every manual, and here is an example of"},
                  {100, 212, "which the lines stand"},
                  {100, 224, "further in than others"},
                  {72, 236, "but of this one the text goes on to the margin and has no end where the next"},
                  {72, 248, "line begins, which the reader must see to have the sentence."}})
          .document();
  EXPECT_NE(document.text.find("where the next line begins"), std::string::npos) << document.text;
}

// Lines of a column of prose, of which every one fills it.
std::vector<MadeLine> column_of(double x, double y, const std::string& name, int n_lines, double step = 12) {
  std::vector<MadeLine> lines;
  for (int i = 0; i < n_lines; ++i) {
    lines.push_back({x, y + step * i, "in " + name + " this line is number " + std::to_string(100 + i) + " of many"});
  }
  return lines;
}

// Poppler takes lines of a column and of one beside it for one block where their gap is narrow.
TEST(PdfStructure, ASideColumnIsReadBehindTheTextThatItIsBeside) {
  std::vector<MadeLine> block = column_of(200, 200, "the text, which is wider than what is beside it", 10);
  block.insert(block.begin() + 3, {72, 233, "Written by Ann"});
  block.insert(block.begin() + 5, {72, 244, "in the year 2021"});
  block.insert(block.begin() + 7, {72, 255, "and read by Bob"});
  block.insert(block.begin() + 9, {72, 266, "who had nothing"});
  block.insert(block.begin() + 11, {72, 277, "to say of it."});
  const std::string text = MadePage().block(block).document().text;
  EXPECT_NE(text.find("number 102 of many in the text"), std::string::npos) << text;
  EXPECT_NE(text.find("Written by Ann"), std::string::npos);
  EXPECT_LT(text.find("number 109"), text.find("Written by Ann"));
  EXPECT_LT(text.find("in the year 2021"), text.find("and read by Bob"));
}

TEST(PdfStructure, WhatGoesAcrossIsReadBeforeTheColumnsBelowItWhichAreReadDown) {
  const auto document = MadePage()
                            .block(column_of(330, 232, "the right one", 10))
                            .block(column_of(72, 262, "the left column", 8))
                            .blocks({{72, 240, "Where it begins", 10}})
                            .block({{100, 180, "A title in large letters that goes across both", 16},
                                    {130, 200, "columns of the page, over two lines", 16}})
                            .document();
  const auto blocks = blocks_of(document);
  ASSERT_EQ(blocks.size(), 2u) << document.text;
  EXPECT_EQ(blocks[0], "H1 A title in large letters that goes across both columns of the page, over two lines");
  EXPECT_TRUE(blocks[1].starts_with("P Where it begins in the left column")) << blocks[1];
  EXPECT_LT(blocks[1].find("the left column this line is number 107"), blocks[1].find("the right one"));
}

TEST(PdfStructure, ATableInOneColumnHoldsNothingOfTheOther) {
  std::vector<MadeLine> table;
  for (int row = 0; row < 4; ++row) {
    const double y = 200.0 + 12 * row;
    table.push_back({330, y, "Row " + std::to_string(row)});
    table.push_back({430, y, std::to_string(10 + row)});
  }
  const auto document = MadePage()
                            .block(column_of(72, 200, "the left column", 14))
                            .blocks(table)
                            .block(column_of(330, 260, "the right one", 9))
                            .document();
  EXPECT_NE(document.text.find("Row 0 | 10\nRow 1 | 11\nRow 2 | 12\nRow 3 | 13"), std::string::npos) << document.text;
  EXPECT_LT(document.text.find("number 113"), document.text.find("Row 0"));
}

// The text of cells may fill them, too, but rows begin beside each other.
TEST(PdfStructure, RowsOfLongCellsAreNoColumns) {
  MadePage page;
  for (int row = 0; row < 4; ++row) {
    page.block(column_of(72, 200 + 50 * row, "the left cell " + std::to_string(row), 3));
    page.block(column_of(330, 200 + 50 * row, "the right one " + std::to_string(row), 3));
  }
  const std::string text = page.document().text;
  EXPECT_LT(text.find("the right one 0"), text.find("the left cell 1")) << text;
}

// Cells are centred in the height of their rows, names of columns in their width.
TEST(PdfStructure, CellsOfSeveralLinesAreReadInTheirRows) {
  const auto table = MadePage()
                         .blocks({{100, 206, "Item"}, {400, 206, "Remarks"}})
                         .block({{222, 200, "First"}, {218, 212, "quarter"}})
                         .blocks({{72, 246, "Pipes"}, {220, 246, "12,300"}})
                         .block({{300, 234, "Higher since a main pipe of the town burst near"},
                                 {300, 246, "the station, and had to be replaced"},
                                 {300, 258, "within a day"}})
                         .block({{72, 280, "Salaries of the workers"}, {72, 292, "who were hired"}})
                         .blocks({{220, 286, "40,000"}, {300, 286, "Two more people"}})
                         .blocks({{72, 314, "Energy"}, {220, 314, "3,200"}, {300, 314, "Cheaper"}})
                         .document();
  EXPECT_EQ(
      table.text,
      "Item | First quarter | Remarks\n"
      "Pipes | 12,300 | Higher since a main pipe of the town burst near the station, and had to be replaced within "
      "a day\n"
      "Salaries of the workers who were hired | 40,000 | Two more people\n"
      "Energy | 3,200 | Cheaper");
}

TEST(PdfStructure, RowsWithoutRoomBetweenThemStayRows) {
  MadePage page;
  for (int row = 0; row < 4; ++row) {
    const double y = 200.0 + 11 * row;
    page.blocks({{72, y, "Town " + std::to_string(row)}, {220, y, std::to_string(7 + row)}, {300, y, "Known"}});
  }
  EXPECT_EQ(page.document().text, "Town 0 | 7 | Known\nTown 1 | 8 | Known\nTown 2 | 9 | Known\nTown 3 | 10 | Known");
}

TEST(PdfStructure, NumbersOfLinesAreLeftOut) {
  std::vector<MadeLine> numbers;
  for (int i = 0; i < 9; ++i) numbers.push_back({50, 203.0 + 12 * i, std::to_string(41 + i), 6});
  const std::string text =
      MadePage().blocks(numbers).block(column_of(72, 200, "a manuscript to be reviewed by others", 9)).document().text;
  EXPECT_EQ(text.find("41"), std::string::npos) << text;
  EXPECT_NE(text.find("number 100 of many in a manuscript"), std::string::npos) << text;
}

}  // namespace
}  // namespace mneme::readers
