#include "rag/text/words/identifiers.h"

#include <gtest/gtest.h>

namespace mneme::rag {
namespace {

TEST(Identifiers, AreWordsOfPrograms) {
  EXPECT_EQ(identifiers_in("What is kLongCode, and max_bytes?"),
            (std::vector<std::string_view>{"kLongCode", "max_bytes"}));
  EXPECT_EQ(identifiers_in("rag::PassageRows"), (std::vector<std::string_view>{"PassageRows"}));
}

TEST(Identifiers, AreNoWordsOfTexts) {
  EXPECT_TRUE(identifiers_in("What is the GIL of Python 3, __all__ and _emphasis_? Überblick PEP8").empty());
  EXPECT_TRUE(identifiers_in("").empty());
}

}  // namespace
}  // namespace mneme::rag
