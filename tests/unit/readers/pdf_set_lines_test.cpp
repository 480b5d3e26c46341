#include "rag/readers/pdf/pdf_set_lines.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace mneme::readers {
namespace {

enum class Set { kLeft, kCentred, kRight };

// Lines of a fixed font, five points a character.
std::vector<PdfLine> block(std::initializer_list<std::string> texts, Set set = Set::kLeft) {
  size_t widest = 0;
  for (const std::string& text : texts) widest = std::max(widest, text.size());
  std::vector<PdfLine> lines;
  for (const std::string& text : texts) {
    const auto room = static_cast<float>(5 * (widest - text.size()));
    const float left = 72 + (set == Set::kLeft ? 0 : set == Set::kCentred ? room / 2 : room);
    const float right = left + static_cast<float>(5 * text.size());
    const float top = 12 * static_cast<float>(lines.size());
    lines.push_back({left, top, right, top + 10, 0, 10, set == Set::kRight, {{left, right, text}}});
  }
  return lines;
}

TEST(PdfSetLines, ALineThatEndedBeforeItHadToWasEnded) {
  EXPECT_TRUE(are_set_lines(block({"Station", "Long Quay Road 12", "Northmouth"})));
  EXPECT_TRUE(are_set_lines(block({"Station", "Long Quay Road 12", "Northmouth"}, Set::kCentred)));
  EXPECT_TRUE(are_set_lines(block({"Grade:", "9 out of a hundred"})));
}

TEST(PdfSetLines, RunningTextEndsItsLinesWhereTheNextWordDoesNotFit) {
  EXPECT_FALSE(
      are_set_lines(block({"a paragraph whose lines are", "as long as the words allow,", "but for the last"})));
  EXPECT_FALSE(
      are_set_lines(block({"Names like Bartholomew and", "Konstantin begin the lines of", "this one, all of it."})));
  EXPECT_FALSE(are_set_lines(block({"a single line"})));
}

TEST(PdfSetLines, ShortLinesThatAllBeginAnewAreLines) {
  EXPECT_TRUE(are_set_lines(block({"Store #0342 - Downtown", "11/23/2024 14:32:18 PST", "Cashier: E. Rodriguez"})));
  EXPECT_FALSE(
      are_set_lines(block({"The store in Downtown, at", "Number 342, was closed at", "noon. Nobody had said so"})));
}

TEST(PdfSetLines, OneLineOfManyMayBeginInLowerCase) {
  EXPECT_TRUE(are_set_lines(block({"USB-C Hub 7-in-1 Adapter", "with HDMI and Ethernet", "ACC-8834 2 @ 79.99", "159.98",
                                   "Portable SSD 2TB", "STOR-2241 1 @ 289.00", "Member Discount -29.00", "260.00"})));
}

TEST(PdfSetLines, RoomIsLeftOnTheSideWhereLinesEnd) {
  // Lines that begin at the right edge, as Arabic does: their left ends are ragged.
  EXPECT_TRUE(are_set_lines(block({"א", "מ נ", "ב ג ד ה ו ז ח ט י כ ל"}, Set::kRight)));
}

TEST(PdfSetLines, RulesAreDrawnWithAFewSigns) {
  EXPECT_TRUE(is_drawn_rule("-----"));
  EXPECT_TRUE(is_drawn_rule("= = = = ="));
  EXPECT_FALSE(is_drawn_rule("---"));
  EXPECT_FALSE(is_drawn_rule("----- 5"));
  EXPECT_FALSE(is_drawn_rule(""));
}

}  // namespace
}  // namespace mneme::readers
