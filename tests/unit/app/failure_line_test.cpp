// What is said of a file that was not indexed names it once.
#include "app/commands/failure_line.h"

#include <gtest/gtest.h>

namespace mneme::app {
namespace {

TEST(FailureLine, NamesTheFileOnce) {
  EXPECT_EQ(failure_line("/d/a.txt", "/d/a.txt is empty."), "not indexed: /d/a.txt is empty.");
  EXPECT_EQ(failure_line("/d/link", "cannot follow the link /d/link: No such file or directory"),
            "not indexed: cannot follow the link /d/link: No such file or directory");
  EXPECT_EQ(failure_line("/d/a.txt", "it is damaged"), "not indexed: /d/a.txt: it is damaged");
  EXPECT_EQ(failure_line("/d", "cannot list /d/below"), "not indexed: /d: cannot list /d/below");
}

}  // namespace
}  // namespace mneme::app
