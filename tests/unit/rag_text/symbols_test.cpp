#include "rag/text/symbols.h"

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

}  // namespace
}  // namespace mneme::rag
