#include "rag/text/words/symbols.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(LoneSymbols, AreSignsThatAreAskedAbout) {
  EXPECT_THAT(lone_symbols("What does the ? operator do?"), ElementsAre("?"));
  EXPECT_THAT(lone_symbols("difference of `&&` and ||"), ElementsAre("&&", "||"));
  EXPECT_THAT(lone_symbols("Why - and how?"), IsEmpty());
  EXPECT_THAT(lone_symbols("Comment faire ?"), IsEmpty());
  EXPECT_TRUE(has_lone_symbol("Use the `?` operator.", "?"));
  EXPECT_TRUE(has_lone_symbol("Errors: `?`.", "?"));
  EXPECT_FALSE(has_lone_symbol("Is it so? Yes.", "?"));
}

TEST(NamesWithSigns, AreWrittenAsCodeIs) {
  EXPECT_THAT(names_with_signs("What is the difference between String and &str?"), ElementsAre("&str"));
  EXPECT_THAT(names_with_signs("What do `--all`, println! and std::fs do?"),
              ElementsAre("--all", "println!", "std::fs"));
  EXPECT_THAT(names_with_signs("Is OTEL_SERVICE_NAME set in C++ or by Rc<T>?"),
              ElementsAre("OTEL_SERVICE_NAME", "C++", "Rc<T>"));
  EXPECT_THAT(names_with_signs("Why f-strings and/or 50 % of e.g. it's \"that\" (so), 3.12, main()!"), IsEmpty());
  EXPECT_THAT(names_with_signs("红烧肉_怎么做"), IsEmpty());
  EXPECT_THAT(names_with_signs("` ' ( \xff"), IsEmpty());
}

TEST(NamesWithSigns, AreFoundAsTheyAreWritten) {
  EXPECT_TRUE(has_spelling("in its borrowed form, `&str`.", "&str"));
  EXPECT_FALSE(has_spelling("a `&string` or str", "&str"));
  EXPECT_TRUE(has_spelling("ls --all", "--all"));
  EXPECT_FALSE(has_spelling("ls --all-files", "--all"));
  EXPECT_FALSE(has_spelling("ls --x", "-x"));
  EXPECT_FALSE(has_spelling("MY_OTEL_SERVICE_NAME", "OTEL_SERVICE_NAME"));
  EXPECT_TRUE(has_spelling("the `?` operator", "?"));
  EXPECT_FALSE(has_spelling("", "&str"));
}

}  // namespace
}  // namespace mneme::rag
