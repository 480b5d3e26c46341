#include "rag/chunking/heading_path.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rag/document.h"

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

struct Part {
  rag::BlockKind kind;
  int level;
  int page;
  const char* text;
};

rag::Document document_of(const char* format, const std::vector<Part>& parts) {
  rag::Document document;
  document.format = format;
  for (const Part& part : parts) {
    const uint64_t begin = document.text.size();
    document.text.append(part.text);
    document.blocks.push_back({.kind = part.kind,
                               .heading_level = part.level,
                               .byte_begin = begin,
                               .byte_end = document.text.size(),
                               .page = part.page});
    document.text += '\n';
  }
  return document;
}

constexpr rag::BlockKind kHeading = rag::BlockKind::kHeading;
constexpr rag::BlockKind kParagraph = rag::BlockKind::kParagraph;
const std::vector<Part> kParts = {{kHeading, 1, 1, "Guide"},  {kHeading, 2, 1, "Install"}, {kParagraph, 0, 1, "Text"},
                                  {kHeading, 2, 1, "Remove"}, {kParagraph, 0, 2, "Text"},  {kHeading, 3, 2, "Data"},
                                  {kHeading, 1, 3, "Help"}};

TEST(HeadingPath, IsOfTheHeadingsThatHold) {
  const rag::Document document = document_of("markdown", kParts);
  HeadingPath path(document);
  EXPECT_EQ(path.at(0), "Guide");
  EXPECT_EQ(path.at(2), "Guide > Install");
  EXPECT_EQ(path.at(2), "Guide > Install");
  EXPECT_EQ(path.at(4), "Guide > Remove");
  EXPECT_EQ(path.at(5), "Guide > Remove > Data");
  EXPECT_EQ(path.at(6), "Help");
}

// Without its name nobody can tell what a cell of a column says.
TEST(HeadingPath, NamesOfColumnsMayBeLonger) {
  const std::string names(1500, 'x');
  const std::vector<Part> parts = {{kHeading, 1, 1, names.c_str()}, {kParagraph, 0, 1, "1"}};
  for (const char* format : {"csv", "xlsx", "xls", "ods", "markdown", "docx"}) {
    const rag::Document document = document_of(format, parts);
    const bool holds_tables = std::string_view(format) != "markdown" && std::string_view(format) != "docx";
    EXPECT_EQ(HeadingPath(document).at(1).size(), holds_tables ? 1000u : 160u) << format;
  }
}

TEST(HeadingPath, ASlideWithoutATitleIsNotAboutTheOneBefore) {
  const rag::Document document = document_of("pptx", kParts);
  HeadingPath path(document);
  EXPECT_EQ(path.at(2), "Guide > Install");
  EXPECT_EQ(path.at(4), "");
  EXPECT_EQ(path.at(5), "Data");
}

}  // namespace
}  // namespace mneme::chunking
