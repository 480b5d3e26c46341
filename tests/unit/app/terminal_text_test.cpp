#include "app/output/terminal_text.h"

#include <gtest/gtest.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <string>
#include <string_view>

#include "app/output/progress.h"
#include "app/output/terminal_json.h"

namespace mneme::app {
namespace {

TEST(TerminalTextTest, NothingATerminalObeysComesThrough) {
  const std::string hostile =
      "a\x1b[31mred\x07 \xc2\x9b"
      "2J \xe2\x80\xae"
      "drawkcab\rover";
  const std::string safe = terminal_safe(hostile);
  for (const char c : safe) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t');
  EXPECT_EQ(safe.find("\xc2\x9b"), std::string::npos);
  EXPECT_EQ(safe.find("\xe2\x80\xae"), std::string::npos);
  EXPECT_NE(safe.find("[31mred"), std::string::npos);
}

TEST(TerminalTextTest, JsonSaysTheSameAndIsObeyedByNobody) {
  const nlohmann::json value = {{"text",
                                 "a\x1b[31m \x7f \xc2\x9b"
                                 "2J \xe2\x80\xae back \xe2\x81\xa6 \u6c49 \xf0\x9f\x98\x80 \\u \n"}};
  const std::string line = terminal_json(value.dump());
  for (const char* obeyed : {"\x1b", "\x7f", "\xc2\x9b", "\xe2\x80\xae", "\xe2\x81\xa6"}) {
    EXPECT_EQ(line.find(obeyed), std::string::npos) << line;
  }
  EXPECT_NE(line.find("\\u009b2J"), std::string::npos) << line;
  EXPECT_NE(line.find("\u6c49"), std::string::npos) << line;
  EXPECT_EQ(nlohmann::json::parse(line), value);
}

TEST(TerminalTextTest, MalformedBytesBecomeReplacementCharacters) {
  EXPECT_EQ(terminal_safe("\xff"
                          "a\xc3"),
            "\uFFFDa\uFFFD");
}

TEST(TerminalTextTest, LinesFoldToOne) {
  EXPECT_EQ(terminal_line("  a\n\n\tb  c \n"), "a b c");
}

TEST(TerminalTextTest, WideCharactersTakeTwoColumns) {
  EXPECT_EQ(display_width("ab\u6c49\u5b57"), 6);
  EXPECT_EQ(cut_to_width("ab\u6c49\u5b57", 6), "ab\u6c49\u5b57");
  EXPECT_EQ(cut_to_width("ab\u6c49\u5b57", 5), "ab\u6c49\u2026");
  EXPECT_EQ(cut_to_width("abcdef", 4), "abc\u2026");
}

TEST(TerminalTextTest, WordsAreWrapped) {
  EXPECT_EQ(wrap_words("one two  three", 7), "one two\nthree");
  EXPECT_EQ(wrap_words("a bottomless word", 4), "a\nbottomless\nword");
  EXPECT_EQ(wrap_words("\u6c49\u5b57 ab", 6), "\u6c49\u5b57\nab");
  EXPECT_EQ(wrap_words("", 5), "");
}

TEST(TerminalTextTest, FoldsBetweenWords) {
  EXPECT_EQ(fold_to_width("one two  three", 7, 3), "one two\nthree");
  EXPECT_EQ(fold_to_width("one two three", 7, 1), "one…");
  EXPECT_EQ(fold_to_width("one two three four", 7, 2), "one two\nthree…");
  EXPECT_EQ(fold_to_width("one", 7, 3), "one");
  EXPECT_EQ(fold_to_width("", 7, 3), "");
}

TEST(TerminalTextTest, FoldsScriptsWithoutSpacesAnywhereButBeforeWhatCloses) {
  EXPECT_EQ(fold_to_width("\u6c49\u5b57\u6c49\u5b57", 5, 3), "\u6c49\u5b57\n\u6c49\u5b57");
  EXPECT_EQ(fold_to_width("\u6c49\u5b57\u3002\u6c49", 5, 3), "\u6c49\n\u5b57\u3002\n\u6c49");
  EXPECT_EQ(fold_to_width("go\u6c49\u5b57 go", 6, 3), "go\u6c49\u5b57\ngo");
}

TEST(TerminalTextTest, FoldsInsideAWordOnlyWhereALineIsTooShortForIt) {
  EXPECT_EQ(fold_to_width("a bottomless pit", 6, 9), "a bott\nomless\npit");
  EXPECT_EQ(fold_to_width("bottomless", 4, 2), "bott\noml…");
}

TEST(TerminalTextTest, FoldedLinesKeepTheirWidthAndLoseNothing) {
  std::mt19937 random(7);
  const std::string_view pieces[] = {"a", " ", "word", "\u6c49", "\u3002", "e\u0301", "extraordinarily", " "};
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (unsigned n = random() % 30; n > 0; --n) text += pieces[random() % std::size(pieces)];
    const int columns = 4 + static_cast<int>(random() % 20);
    const std::string folded = fold_to_width(text, columns, 1000);
    std::string without_space;
    std::string folded_without_space;
    for (const char c : text) without_space += c == ' ' ? "" : std::string(1, c);
    for (const char c : folded) folded_without_space += c == ' ' || c == '\n' ? "" : std::string(1, c);
    EXPECT_EQ(folded_without_space, without_space);
    std::istringstream lines(fold_to_width(text, columns, 3));
    int n_lines = 0;
    for (std::string line; std::getline(lines, line); ++n_lines) EXPECT_LE(display_width(line), columns) << text;
    EXPECT_LE(n_lines, 3);
  }
}

TEST(TerminalTextTest, HumanUnits) {
  EXPECT_EQ(human_seconds(0.25), "250 ms");
  EXPECT_EQ(human_seconds(0.9996), "1.0 s");
  EXPECT_EQ(human_seconds(1), "1.0 s");
  EXPECT_EQ(human_seconds(99.94), "99.9 s");
  EXPECT_EQ(human_seconds(99.96), "1:40 min");
  EXPECT_EQ(human_seconds(125), "2:05 min");
  EXPECT_EQ(human_seconds(3599.4), "59:59 min");
  EXPECT_EQ(human_seconds(3599.6), "1:00 h");
  EXPECT_EQ(human_seconds(100 * 3600 + 125), "100:02 h");
}

TEST(ProgressTest, ShowsRateAndTimeLeft) {
  const std::string line = format_progress({50, 200, 10.0, "files", "a.md"}, 120);
  EXPECT_NE(line.find("25%"), std::string::npos) << line;
  EXPECT_NE(line.find("50/200 files"), std::string::npos) << line;
  EXPECT_NE(line.find("5.0/s"), std::string::npos) << line;
  EXPECT_NE(line.find("30.0 s left"), std::string::npos) << line;
  EXPECT_NE(line.find("a.md"), std::string::npos) << line;
}

TEST(ProgressTest, SaysNothingItDoesNotKnow) {
  const std::string line = format_progress({0, 0, 0.1, "files", ""}, 80);
  EXPECT_EQ(line, "0 files");
}

}  // namespace
}  // namespace mneme::app
