#include "rag/text/markup/rules.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(Rules, ThoseAboveTitlesAndWithinTablesAreLeftOut) {
  EXPECT_EQ(without_rules("=====\nTitle\n=====\n\nText.\n"), "Title\n=====\n\nText.\n");
  EXPECT_EQ(without_rules("====  =====\nName  Unit\n====  =====\nload  t\n====  =====\n\nBehind.\n"),
            "Name  ·  Unit\n\nload  ·  t\n\n\nBehind.\n");
  EXPECT_EQ(without_rules("a = b\n== c\n"), "a = b\n== c\n") << "no rules";
}

TEST(Rules, ThoseBelowTitlesAreLeftOutWhereAsked) {
  EXPECT_EQ(without_title_rules("=====\nTitle\n=====\n\nText.\n"), "Title\n\nText.\n");
  EXPECT_EQ(without_title_rules("Title\n-----\nText.\n~~~~~"), "Title\nText.\n");
  EXPECT_EQ(without_title_rules("Text.\n\n-----\n\nMore.\n"), "Text.\n\n-----\n\nMore.\n") << "a rule of its own";
  EXPECT_EQ(without_title_rules("- one\n- two\n--\n"), "- one\n- two\n--\n") << "too short for one";
  EXPECT_EQ(without_title_rules(""), "");
}

}  // namespace
}  // namespace mneme::rag
