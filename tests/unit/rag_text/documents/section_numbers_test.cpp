#include "rag/text/documents/section_numbers.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(SectionNumbers, StandBeforeATitle) {
  EXPECT_EQ(section_number("2.1. Method").levels, 2);
  EXPECT_EQ(section_number("2.1 Method").n_bytes, 4u);
  EXPECT_EQ(section_number("12.1 Method").first, 12);
  EXPECT_EQ(section_number("3 Results").levels, 1);
  EXPECT_EQ(section_number("1.2.3 Überblick").levels, 3);
}

TEST(SectionNumbers, AreNoYearsVersionsOrSentences) {
  for (const char* line : {"", "2.1", "2.1 ", "1984 Nineteen", "3.5 litres of water", "2.1.Method", "Method 2.1", "..",
                           "1.2.3.4.5.6.7 Deep", "2) Second"}) {
    EXPECT_EQ(section_number(line).levels, 0) << line;
    EXPECT_EQ(section_number(line).n_bytes, 0u) << line;
  }
}

TEST(SectionNumbers, AreTakenOffWhereTheyAreClearlyNoPartOfTheTitle) {
  EXPECT_EQ(without_section_number("2.1. Method"), "Method");
  EXPECT_EQ(without_section_number("2. Method"), "Method");
  EXPECT_EQ(without_section_number("7 Wonders"), "7 Wonders");
  EXPECT_EQ(without_section_number("Method"), "Method");
}

}  // namespace
}  // namespace mneme::rag
