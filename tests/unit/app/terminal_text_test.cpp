#include "app/output/terminal_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

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

TEST(TerminalTextTest, HumanUnits) {
  EXPECT_EQ(human_bytes(999), "999 B");
  EXPECT_EQ(human_bytes(1500), "1.5 kB");
  EXPECT_EQ(human_bytes(20e9), "20.0 GB");
  EXPECT_EQ(human_count(1234567), "1,234,567");
  EXPECT_EQ(human_count(12), "12");
  EXPECT_EQ(human_seconds(0.25), "250 ms");
  EXPECT_EQ(human_seconds(125), "2:05 min");
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
