#include "rag/text/asked/limit.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(AskedLimit, IsSetInOtherWords) {
  EXPECT_TRUE(asks_limit("What is the maximum length of a message?"));
  EXPECT_FALSE(asks_limit("How long is a message?"));
  EXPECT_TRUE(sets_limit("A message MUST NOT be longer than 1200 octets."));
  EXPECT_TRUE(sets_limit("Der Schlauch darf höchstens 1 m hoch hängen."));
  EXPECT_FALSE(sets_limit("Every message begins with a header of 12 octets."));
}

}  // namespace
}  // namespace mneme::rag
