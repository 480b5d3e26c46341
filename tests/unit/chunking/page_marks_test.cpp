#include "rag/chunking/page_marks.h"

#include <gtest/gtest.h>

#include <limits>

namespace mneme::chunking {
namespace {

TEST(PageMarks, AreReadAsTheyWereWritten) {
  std::string marks;
  EXPECT_EQ(page_at(marks, 11, 1000), 11);
  add_page_mark(marks, 27, 12);
  add_page_mark(marks, 58, 14);
  EXPECT_EQ(marks, "27:12 58:14");
  EXPECT_EQ(page_at(marks, 11, 0), 11);
  EXPECT_EQ(page_at(marks, 11, 26), 11);
  EXPECT_EQ(page_at(marks, 11, 27), 12);
  EXPECT_EQ(page_at(marks, 11, 57), 12);
  EXPECT_EQ(page_at(marks, 11, 58), 14);
  EXPECT_EQ(page_at(marks, 11, std::numeric_limits<uint64_t>::max()), 14);
}

TEST(PageMarks, WhatCannotBeReadEndsThem) {
  for (const char* damaged : {"x", "27", "27:", ":12", " ", "27:x 58:14", "27 12", "99999999999999999999:12"}) {
    EXPECT_EQ(page_at(damaged, 11, 60), 11) << damaged;
  }
  EXPECT_EQ(page_at("27:12 58", 11, 60), 12);
}

}  // namespace
}  // namespace mneme::chunking
