#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/random.h"
#include "tests/unit/readers/read_helpers.h"

namespace mneme::readers {
namespace {

using rag::BlockKind;
using test::block_text;
using test::expect_well_formed;
using test::kinds;
using test::read_text;

TEST(Markdown, BlocksKeepTheirExactPlaces) {
  const rag::Document document = read_text("guide.md",
                                           "# The *Guide*\n\nFirst paragraph\nof two lines.\n\n## Install\n"
                                           "- one\n- two\n  more of two\n\n```sh\nls\n\nrm\n```\n\n"
                                           "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n> quoted\n> twice\n");
  EXPECT_EQ(document.title, "The Guide");
  EXPECT_EQ(document.format, "markdown");
  EXPECT_EQ(kinds(document),
            (std::vector{BlockKind::kHeading, BlockKind::kParagraph, BlockKind::kHeading, BlockKind::kListItem,
                         BlockKind::kListItem, BlockKind::kCode, BlockKind::kTableRow, BlockKind::kTableRow,
                         BlockKind::kTableRow, BlockKind::kQuote}));
  EXPECT_EQ(block_text(document, 1), "First paragraph\nof two lines.");
  EXPECT_EQ(block_text(document, 4), "- two\n  more of two");
  EXPECT_EQ(block_text(document, 5), "```sh\nls\n\nrm\n```");
  EXPECT_EQ(block_text(document, 6), "| a | b |\n|---|---|");
  EXPECT_EQ(document.blocks[2].heading_level, 2);
  EXPECT_EQ(document.blocks[5].line_begin, 11);
  EXPECT_EQ(document.blocks[5].line_end, 15);
  expect_well_formed(document, true);
}

TEST(Markdown, FrontMatterGivesMetadata) {
  const rag::Document document = read_text(
      "a.md", "---\ntitle: \"A Title\"\nauthor: Ann Other\ndate: 2024-05-31\ntags: [x]\n---\n\n# Heading\n\ntext\n");
  EXPECT_EQ(document.title, "A Title");
  EXPECT_EQ(document.author, "Ann Other");
  EXPECT_EQ(document.date, "2024-05-31");
  EXPECT_EQ(document.blocks[0].kind, BlockKind::kCode);
  EXPECT_EQ(document.blocks[1].kind, BlockKind::kHeading);
  expect_well_formed(document, true);
}

TEST(Markdown, ValuesOfFrontMatterMayGoOnBelow) {
  EXPECT_EQ(read_text("a.md", "---\ntitle: >-\n  A long title\n  in two lines\ndate: 2024-05-31\n---\n\ntext\n").title,
            "A long title in two lines");
  EXPECT_EQ(read_text("a.md", "---\ntitle: |\n  Kept: so\nauthor: Ann\n  Other\n---\n\ntext\n").author, "Ann Other");
  EXPECT_EQ(read_text("a.md", "---\ntitle: \"Quoted\n  title\"\n---\n\ntext\n").title, "Quoted title");
  EXPECT_EQ(read_text("a.md", "---\ntitle: >\ndate: 2024-05-31\n---\n\ntext\n").title, "a");
  EXPECT_EQ(read_text("a.md", "---\nauthor:\n  name: Ann\ntitle: T\n---\n\ntext\n").author, "");
}

TEST(Markdown, ThematicBreakAtTheBeginningIsNoFrontMatter) {
  const rag::Document document = read_text("a.md", "---\n\nplain text\n\n---\n\nmore\n");
  EXPECT_EQ(kinds(document), (std::vector{BlockKind::kParagraph, BlockKind::kParagraph}));
  EXPECT_EQ(document.title, "a");
}

TEST(Markdown, SetextHeadingsAndHashesThatAreNone) {
  const rag::Document document = read_text("a.md", "Title\n=====\n\nSub\n---\n\n#hashtag text\n\n## C# ##\n");
  EXPECT_EQ(kinds(document),
            (std::vector{BlockKind::kHeading, BlockKind::kHeading, BlockKind::kParagraph, BlockKind::kHeading}));
  EXPECT_EQ(document.title, "Title");
  EXPECT_EQ(document.blocks[1].heading_level, 2);
}

TEST(Markdown, NestedListsAndCodeInside) {
  const rag::Document document =
      read_text("a.md", "1. one\n\n   second paragraph\n   - nested\n\n   ```\n   code\n   ```\n2. two\n\nafter\n");
  EXPECT_EQ(kinds(document), (std::vector{BlockKind::kListItem, BlockKind::kListItem, BlockKind::kListItem,
                                          BlockKind::kCode, BlockKind::kListItem, BlockKind::kParagraph}));
  expect_well_formed(document, true);
}

TEST(Markdown, UnclosedFenceEndsWithTheFile) {
  const rag::Document document = read_text("a.md", "text\n\n```\ncode\n\n# not a heading");
  EXPECT_EQ(kinds(document), (std::vector{BlockKind::kParagraph, BlockKind::kCode}));
  EXPECT_EQ(block_text(document, 1), "```\ncode\n\n# not a heading");
}

TEST(Markdown, CommentsOfWholeLinesAreLeftOut) {
  const rag::Document document = read_text(
      "a.md",
      "<!-- SPDX: MIT -->\n# Title\n\n<!-- Old headings.\n\nDo not remove. -->\n\nfirst\n<!-- note -->\nsecond\n\n"
      "<!-- here --> goes on\n\n    <!-- code -->\n\n<!-- never ends\n\nlast\n");
  EXPECT_EQ(document.title, "Title");
  EXPECT_EQ(kinds(document),
            (std::vector{BlockKind::kHeading, BlockKind::kParagraph, BlockKind::kParagraph, BlockKind::kParagraph,
                         BlockKind::kCode, BlockKind::kParagraph, BlockKind::kParagraph}));
  EXPECT_EQ(block_text(document, 1), "first");
  EXPECT_EQ(block_text(document, 2), "second");
  EXPECT_EQ(block_text(document, 3), "<!-- here --> goes on");
  EXPECT_EQ(block_text(document, 6), "last");
  expect_well_formed(document, true);
}

TEST(Rst, CommentsAreLeftOut) {
  const rag::Document document = read_text(
      "a.rst",
      "Title\n=====\n\n.. For maintainers: update\n   the list.\n\n..\n   Local Variables:\n\n   mode: text\n\n"
      "text\n.. goes on\n\n..\n\n   quoted\n\n.. note::\n   kept\n\n.. [1] footnote\n\n.. _name: target\n");
  EXPECT_EQ(kinds(document), (std::vector{BlockKind::kHeading, BlockKind::kParagraph, BlockKind::kQuote,
                                          BlockKind::kParagraph, BlockKind::kParagraph, BlockKind::kParagraph}));
  EXPECT_EQ(block_text(document, 1), "text\n.. goes on");
  EXPECT_EQ(block_text(document, 2), "   quoted");
  EXPECT_EQ(block_text(document, 3), ".. note::\n   kept");
  EXPECT_EQ(block_text(document, 4), ".. [1] footnote");
  expect_well_formed(document, true);
}

TEST(AsciiDoc, CommentsAreLeftOut) {
  const rag::Document document =
      read_text("a.adoc", "= Title\n\n// a note\ntext\n\n////\nleft\n\nout\n////\n\nmore\n\n/////\nnever ends\n");
  EXPECT_EQ(kinds(document),
            (std::vector{BlockKind::kHeading, BlockKind::kParagraph, BlockKind::kParagraph, BlockKind::kCode}));
  EXPECT_EQ(block_text(document, 1), "text");
  EXPECT_EQ(block_text(document, 2), "more");
  expect_well_formed(document, true);
}

TEST(Rst, SectionsByOrderOfAdornments) {
  const rag::Document document = read_text("a.rst",
                                           "=====\nTitle\n=====\n\nIntro::\n\n    literal\n\n    more\n\nSection\n"
                                           "-------\n\n- item\n- item two\n  goes on\n\nDeep\n~~~~\n\n"
                                           ".. code-block:: c\n\n   int x;\n\nNext\n----\ntext\n");
  EXPECT_EQ(document.title, "Title");
  EXPECT_EQ(kinds(document),
            (std::vector{BlockKind::kHeading, BlockKind::kParagraph, BlockKind::kCode, BlockKind::kHeading,
                         BlockKind::kListItem, BlockKind::kListItem, BlockKind::kHeading, BlockKind::kCode,
                         BlockKind::kHeading, BlockKind::kParagraph}));
  EXPECT_EQ(document.blocks[0].heading_level, 1);
  EXPECT_EQ(document.blocks[3].heading_level, 2);
  EXPECT_EQ(document.blocks[6].heading_level, 3);
  EXPECT_EQ(document.blocks[8].heading_level, 2);
  EXPECT_EQ(block_text(document, 2), "    literal\n\n    more");
  expect_well_formed(document, true);
}

TEST(Rst, HeaderFieldsOfAPep) {
  const rag::Document document = read_text(
      "pep-0008.rst",
      "PEP: 8\nTitle: Style Guide\nAuthor: Guido, Barry\nCreated: 05-Jul-2001\n\n\nIntroduction\n============\n\nx\n");
  EXPECT_EQ(document.title, "PEP 8: Style Guide") << "what people call it by";
  EXPECT_EQ(document.author, "Guido, Barry");
  EXPECT_EQ(document.date, "2001-07-05");
}

TEST(Rst, TablesInRows) {
  const rag::Document document = read_text("a.rst",
                                           "+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n+---+---+\n| 3 | 4 |\n"
                                           "+---+---+\n\n=====  =====\nA      B\n=====  =====\n1      2\n3      4\n"
                                           "=====  =====\n\nend\n");
  EXPECT_EQ(kinds(document),
            (std::vector{BlockKind::kTableRow, BlockKind::kTableRow, BlockKind::kTableRow, BlockKind::kTableRow,
                         BlockKind::kTableRow, BlockKind::kTableRow, BlockKind::kParagraph}));
  expect_well_formed(document, true);
}

TEST(AsciiDoc, SectionsBlocksAndTables) {
  const rag::Document document = read_text(
      "a.adoc",
      "= Title\n:author: Ann\n\n== Section\n\n* item\n** nested\n\n----\ncode\n----\n\n|===\n|a |b\n|c |d\n|===\n");
  EXPECT_EQ(document.title, "Title");
  EXPECT_EQ(kinds(document),
            (std::vector{BlockKind::kHeading, BlockKind::kParagraph, BlockKind::kHeading, BlockKind::kListItem,
                         BlockKind::kListItem, BlockKind::kCode, BlockKind::kTableRow, BlockKind::kTableRow}));
  expect_well_formed(document, true);
}

TEST(Plain, ParagraphsHeadingsAndLists) {
  const rag::Document document = read_text(
      "notes.txt", "CHAPTER ONE\n\nIt was a dark night.\nRain fell.\n\n- milk\n- bread\n\nTitle\n=====\nBody.\n");
  EXPECT_EQ(kinds(document), (std::vector{BlockKind::kHeading, BlockKind::kParagraph, BlockKind::kListItem,
                                          BlockKind::kListItem, BlockKind::kHeading, BlockKind::kParagraph}));
  EXPECT_EQ(document.title, "notes");
  expect_well_formed(document, true);
}

TEST(Plain, NumberedSectionsAreHeadings) {
  const rag::Document document =
      read_text("paper.txt",
                "1. Introduction\n\nTo begin.\n\n2. Background\n\n2.1. Models\n\nThey learn.\n\n"
                "2.2. Tea\n\n1. Boil water\n\n2. Pour it\n\n2.5 litres will do\n");
  std::vector<std::string> headings;
  std::vector<int> levels;
  for (const rag::Block& block : document.blocks) {
    if (block.kind != BlockKind::kHeading) continue;
    headings.emplace_back(document.text.substr(block.byte_begin, block.byte_end - block.byte_begin));
    levels.push_back(block.heading_level);
  }
  EXPECT_EQ(headings, (std::vector<std::string>{"1. Introduction", "2. Background", "2.1. Models", "2.2. Tea"}));
  EXPECT_EQ(levels, (std::vector<int>{1, 1, 2, 2}));
  expect_well_formed(document, true);
}

TEST(Plain, ANumberedListAloneHasNoHeadings) {
  const rag::Document document = read_text("tea.txt", "1. Boil water\n\nAll of it.\n\n2. Pour it\n\nSlowly.\n");
  for (const rag::Block& block : document.blocks) EXPECT_NE(block.kind, BlockKind::kHeading);
}

TEST(Plain, LineBreaksOfOtherSystems) {
  const rag::Document windows = read_text("a.txt", "one\r\n\r\ntwo\r\nlines\r\n");
  EXPECT_EQ(block_text(windows, 1), "two\r\nlines");
  EXPECT_EQ(windows.blocks[1].line_begin, 3);
  const rag::Document mac = read_text("a.txt", "one\r\rtwo\rlines\r");
  ASSERT_EQ(mac.blocks.size(), 2u);
  EXPECT_EQ(mac.blocks[1].line_begin, 3);
  EXPECT_EQ(mac.blocks[1].line_end, 4);
  EXPECT_EQ(block_text(mac, 1), "two\nlines") << "everywhere behind the readers \\n ends a line";
  const rag::Document printed = read_text("a.txt", "page one\n\fpage two\n");
  EXPECT_EQ(printed.text, "page one\n page two\n") << "a terminal has no pages";
}

TEST(Source, FunctionsStayWhole) {
  const rag::Document document = read_text(
      "a.c", "#include <stdio.h>\n\nint f(void) {\n  int x;\n\n  return x;\n}\n\nint g(void) {\n  return 2;\n}\n");
  ASSERT_EQ(document.blocks.size(), 3u);
  EXPECT_EQ(block_text(document, 1), "int f(void) {\n  int x;\n\n  return x;\n}");
  EXPECT_EQ(document.format, "source");
  EXPECT_EQ(document.title, "a.c") << "a.h is another thing";
  expect_well_formed(document, true);
}

// Any text whatever gives well-formed blocks that cover every line with words.
// In reStructuredText ".. " alone begins a comment, which is left out: there it begins a note.
TEST(TextFormats, RandomMarkupLosesNothing) {
  const char* const pieces[] = {"# ",          "word ",       "\n",   "\n\n",   "- ",      "```\n",  "    ",
                                "| a | b |\n", "|---|---|\n", "> ",   "====",   "----",    "1. ",    "::\n",
                                ".. ",         "\t",          "é",    "漢字。", "+---+\n", "|===\n", "= ",
                                "\r\n",        "---\n",       ": x ", "~~~",    "\xc2\xa0"};
  Random random(7);
  for (int round = 0; round < 400; ++round) {
    std::string any = "start ", rst = any;
    for (int i = 0; i < 60; ++i) {
      const std::string piece = pieces[random.below(std::size(pieces))];
      any += piece;
      rst += piece == ".. " ? ".. note:: " : piece;
    }
    for (const std::string name : {"a.md", "a.rst", "a.adoc", "a.txt", "a.py"}) {
      const std::string& text = name == "a.rst" ? rst : any;
      const rag::Document document = read_text(name, text);
      expect_well_formed(document, false);
      size_t covered = 0;
      size_t words = 0;
      for (size_t at = text.find("word"); at != std::string::npos; at = text.find("word", at + 1)) {
        ++words;
        covered += std::any_of(document.blocks.begin(), document.blocks.end(), [&](const rag::Block& block) {
          return block.byte_begin <= at && at + 4 <= block.byte_end;
        });
      }
      EXPECT_EQ(covered, words) << name << ":\n" << text;
    }
  }
}

}  // namespace
}  // namespace mneme::readers
