// What something is asked of.
#include "rag/text/asked_of.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(AskedOf, IsWhatStandsBehindTheLastOf) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(asked_of("What is the boiling point of gold?"), (Words{"gold"}));
  EXPECT_EQ(asked_of("What are the opening hours of the British Museum in winter?"), (Words{"british", "museum"}));
  EXPECT_EQ(asked_of("How much is a barrel of oil of the North Sea?"), (Words{"north", "sea"}));
  EXPECT_EQ(asked_of("What is a wheel?"), Words());
  EXPECT_EQ(asked_of("What is it made of?"), Words());
  EXPECT_EQ(asked_of(""), Words());
}

}  // namespace
}  // namespace mneme::rag
