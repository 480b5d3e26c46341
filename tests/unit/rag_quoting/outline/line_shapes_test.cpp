#include "rag/quoting/outline/line_shapes.h"

#include <gtest/gtest.h>

#include "rag/quoting/outline/passage_lines.h"

namespace mneme::rag {
namespace {

TEST(LineShapes, MarksOfItems) {
  bool ordered = false;
  EXPECT_EQ(item_mark("- a lid", ordered), 2U);
  EXPECT_FALSE(ordered);
  EXPECT_EQ(item_mark("12. Stir.", ordered), 4U);
  EXPECT_TRUE(ordered);
  EXPECT_FALSE(is_item_line("2031. It was a cold year.")) << "four digits are a year";
  EXPECT_FALSE(is_item_line("-5 degrees"));
  EXPECT_EQ(item_mark("[ ] helmet", ordered), 4U) << "a box to be ticked off";
  EXPECT_TRUE(is_item_line("[x] gloves"));
  EXPECT_FALSE(is_item_line("[5] a note"));
}

TEST(LineShapes, LinesOfBills) {
  EXPECT_TRUE(states_number("Ölwechsel mit Filter 129,90 €"));
  EXPECT_TRUE(states_number("Consumption: 212 kWh"));
  EXPECT_TRUE(states_number("Invoice number 20260044817"));
  EXPECT_FALSE(states_number("Chapter 12"));
  EXPECT_FALSE(states_number("See figure (3)"));
}

TEST(LineShapes, FieldsAndSettings) {
  EXPECT_TRUE(is_field("Hotline of Weserkom: 0421 555"));
  EXPECT_FALSE(is_field("He said, and meant it: no"));
  EXPECT_TRUE(is_field("**Total due: 512.00 EUR**")) << "emphasised";
  EXPECT_TRUE(is_field("**Filling:** 80 g sugar"));
  EXPECT_TRUE(is_setting("port: 8443"));
  EXPECT_FALSE(is_setting("Port: 8443"));
  EXPECT_TRUE(has_wide_label("出発：8月8日"));
}

TEST(LineShapes, StampsOfMessages) {
  EXPECT_EQ(message_stamp("[02.05., 19:12] Anna: See you."), 16U);
  EXPECT_EQ(message_stamp("02/05/26, 19:12 - Anna B.: See you."), 18U);
  EXPECT_EQ(message_stamp("19:12 Anna: See you."), 6U);
  EXPECT_EQ(message_stamp("19:12 is when we meet."), 0U);
  EXPECT_EQ(message_stamp("[02:10:40] backup: it failed"), 0U) << "a line of a log";
  EXPECT_EQ(message_stamp("[1] Anna: the first source"), 0U);
  EXPECT_EQ(message_stamp("Anna: See you."), 0U);
}

TEST(LineShapes, RulesAndColumns) {
  EXPECT_TRUE(is_table_rule("|---|---|"));
  EXPECT_TRUE(is_table_rule("====  ===="));
  EXPECT_TRUE(is_adornment("-----"));
  EXPECT_FALSE(is_adornment("--"));
  EXPECT_EQ(n_columns("2    Drawer with soft close    6    92.00 EUR"), 4U);
  EXPECT_EQ(n_columns("It ends.  Another begins."), 0U);
  EXPECT_EQ(n_separators("a,\"b,c\",d", ','), 2U);
}

TEST(PassageLines, EachBlockIsOfItsKind) {
  const std::vector<LineBlock> blocks = line_blocks(
      "# Bill\n\nOil: 40 EUR\nFilter: 12 EUR\n\n1. Pay.\n   - by card\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nx = "
      "1\n```\n");
  std::vector<SentenceKind> kinds;
  kinds.reserve(blocks.size());
  for (const LineBlock& block : blocks) kinds.push_back(block.kind);
  using enum SentenceKind;
  EXPECT_EQ(kinds, (std::vector{kHeading, kItem, kItem, kItem, kItem, kTableHead, kRow, kCode}));
  EXPECT_EQ(blocks[3].group, blocks[4].group) << "a bullet under a step is part of it";
  EXPECT_EQ(blocks[3].item, blocks[4].item);
}

}  // namespace
}  // namespace mneme::rag
