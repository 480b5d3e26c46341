#include "rag/readers/mail/content_lines.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace mneme::readers {
namespace {

std::vector<ContentLine> lines_of(std::string bytes) {
  auto cursor = ContentLineCursor::open(std::move(bytes));
  EXPECT_TRUE(cursor.ok()) << cursor.status().message();
  std::vector<ContentLine> all;
  ContentLine line;
  while (cursor.ok() && cursor->next(line)) all.push_back(line);
  return all;
}

TEST(ContentLines, FoldsEscapesAndParameters) {
  const auto lines = lines_of(
      "BEGIN:VEVENT\r\n"
      "summary;language=de;X=\"a:b;c\":A long\r\n"
      "  line\\, folded \xc3\r\n"
      " \xbc"
      "ber\r\n"  // a character in two lines
      "\r\n"
      "no line at all\r\n"
      "item1.TEL;TYPE=work;CELL:1\n"
      "ATTENDEE;CN=Ann ^'Nan^' Lee:mailto:a@b\n");
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_TRUE(lines[0].is("BEGIN", "vevent"));
  EXPECT_EQ(lines[1].name, "SUMMARY");
  EXPECT_EQ(lines[1].parameter("X"), "a:b;c");
  EXPECT_EQ(unescape_content(lines[1].value), "A long line, folded über");
  EXPECT_EQ(lines[1].line_begin, 2);
  EXPECT_EQ(lines[2].group, "item1");
  EXPECT_EQ(lines[2].parameter("TYPE"), "work,CELL");
  EXPECT_EQ(lines[2].line_begin, 7);
  EXPECT_EQ(lines[3].parameter("CN"), "Ann \"Nan\" Lee");
  EXPECT_EQ(lines[3].line_end, 8);
}

TEST(ContentLines, QuotedPrintableGoesOnWithoutIndent) {
  const auto lines = lines_of("N;ENCODING=QUOTED-PRINTABLE;CHARSET=ISO-8859-1:M=FC=\n ller=3B\nFN:x=\nTEL:1\n");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].value, "Mü ller;");
  EXPECT_EQ(lines[0].line_end, 2);
  EXPECT_EQ(lines[1].value, "x=");
  EXPECT_EQ(lines[2].name, "TEL");
}

TEST(ContentLines, WideAndLegacyEncodings) {
  std::string wide = "\xff\xfe";
  for (const char c : std::string("FN:Eva\r\nTEL:\r\n 12\r\n")) {
    wide.push_back(c);
    wide.push_back('\0');
  }
  const auto lines = lines_of(wide);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1].value, "12");
  EXPECT_EQ(lines[1].line_end, 3);
}

TEST(ContentLines, PiecesAndEscapesAtTheEnd) {
  EXPECT_EQ(split_content("a\\;b;;c\\", ';'), (std::vector<std::string>{"a;b", "", "c\\"}));
  EXPECT_EQ(split_content("", ';'), std::vector<std::string>{""});
  EXPECT_EQ(unescape_content("one\\ntwo\\N\\\\"), "one\ntwo\n\\");
}

// A million folds, each of which looks as if the line might go on: work grows with the file, not with its square.
TEST(ContentLines, HostileFoldsTakeNoTime) {
  std::string folds = "X";
  for (int i = 0; i < 1'000'000; ++i) folds += "\n =";
  EXPECT_TRUE(lines_of(folds).empty());
  const auto lines = lines_of(folds + ":value");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].line_end, 1'000'001);
}

}  // namespace
}  // namespace mneme::readers
