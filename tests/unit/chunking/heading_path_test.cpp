#include "rag/chunking/heading_path.h"

#include <gtest/gtest.h>

#include <string>

namespace mneme::chunking {
namespace {

constexpr size_t kLong = 200;

TEST(HeadingText, IsWithoutTheMarksOfItsLanguage) {
  EXPECT_EQ(heading_text("## The lock", kLong), "The lock");
  EXPECT_EQ(heading_text("## The lock ##", kLong), "The lock");
  EXPECT_EQ(heading_text("#\tThe lock", kLong), "The lock");
  EXPECT_EQ(heading_text("== The lock ==", kLong), "The lock");
  EXPECT_EQ(heading_text("The lock\n========", kLong), "The lock");
  EXPECT_EQ(heading_text("~~~~~~~~\n  The lock\r\n~~~~~~~~", kLong), "The lock");
  EXPECT_EQ(heading_text("The lock {#lock}", kLong), "The lock");
}

TEST(HeadingText, WhatOnlyLooksLikeMarksIsText) {
  EXPECT_EQ(heading_text("#3 of five", kLong), "#3 of five");  // no space behind the mark
  EXPECT_EQ(heading_text("## C#", kLong), "C#");
  EXPECT_EQ(heading_text("# About {#} and more", kLong), "About {#} and more");
  EXPECT_EQ(heading_text("zz", kLong), "zz");  // letters underline nothing
  EXPECT_EQ(heading_text("44", kLong), "44");
  EXPECT_EQ(heading_text("-", kLong), "-");
  EXPECT_EQ(heading_text("#", kLong), "#");
}

TEST(HeadingText, LinesAreJoinedAndLongOnesCutBetweenCharacters) {
  EXPECT_EQ(heading_text("# On locks\n\n  and keys", kLong), "On locks and keys");
  EXPECT_EQ(heading_text("# Schlösser", 5), "Schl");  // the fifth byte would be half of the letter
  EXPECT_EQ(heading_text("# Schlösser", 6), "Schlö");
  EXPECT_EQ(heading_text("", kLong), "");
}

}  // namespace
}  // namespace mneme::chunking
