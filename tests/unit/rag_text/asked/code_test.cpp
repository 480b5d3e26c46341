#include "rag/text/asked/code.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(AskedCode, IsTheNumberBehindWhatIsListed) {
  EXPECT_EQ(asked_code("What does exit status 6 mean?"), "6");
  EXPECT_EQ(asked_code("Was bedeutet Fehler 12?"), "12");
  EXPECT_EQ(asked_code("How many errors were there in 2024?"), "");
  EXPECT_EQ(asked_code("How much is the rent?"), "");
}

TEST(AskedCode, WhatStandsBeforeAShortCodeOnlyNamesIt) {
  EXPECT_EQ(kind_of_code("what does error E20 mean"), "error");
  EXPECT_EQ(kind_of_code("что значит ошибка e3"), "ошибка");
  EXPECT_EQ(kind_of_code("qué significa el error del horno"), "");
}

TEST(AskedCode, StandsByItself) {
  EXPECT_TRUE(tells_code("6      Conflicts: both sides were changed.", "6"));
  EXPECT_TRUE(tells_code("0 on success, 3 if a file was damaged.", "3"));
  EXPECT_FALSE(tells_code("16 files", "6"));
  EXPECT_FALSE(tells_code("Version 6.2, 2.6", "6"));
  EXPECT_FALSE(tells_code("sha6", "6"));
}

}  // namespace
}  // namespace mneme::rag
