#include "base/ascii.h"

#include <gtest/gtest.h>

namespace mneme {
namespace {

TEST(Ascii, TellsSpacesAndDigits) {
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    EXPECT_EQ(is_space(c), std::string_view(" \t\n\r").find(c) != std::string_view::npos) << byte;
    EXPECT_EQ(is_digit(c), byte >= '0' && byte <= '9') << byte;
  }
}

TEST(Ascii, LowersLettersAndLeavesOtherScriptsAlone) {
  EXPECT_EQ(lower_ascii("Content-TYPE: [Z@]"), "content-type: [z@]");
  EXPECT_EQ(lower_ascii("ÄRGER"), "Ärger");
  EXPECT_EQ(lower_ascii(""), "");
}

}  // namespace
}  // namespace mneme
