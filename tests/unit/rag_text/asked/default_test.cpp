#include "rag/text/asked/default.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(AskedDefault, IsAskedForByItsName) {
  EXPECT_TRUE(asks_default("What is the default timeout?"));
  EXPECT_TRUE(asks_default("Wie lautet die Werkseinstellung der Heizkurve?"));
  EXPECT_TRUE(asks_default("Auf welchen Wert ist die Heizkurve ab Werk eingestellt?"));
  EXPECT_FALSE(asks_default("What is the timeout?"));
}

TEST(AskedDefault, IsStatedInManyWords) {
  for (const char* text : {"The default is 82.", "8730 unless given.", "`standard` if it is left out",
                           "19200 baud when delivered", "Client(address, timeout=10.0)", "Werkseinstellung: 1,2"}) {
    EXPECT_TRUE(states_default(text)) << text;
  }
  EXPECT_FALSE(states_default("Leave out files larger than SIZE."));
  EXPECT_FALSE(states_default("a == b, and a = b"));
}

}  // namespace
}  // namespace mneme::rag
