// The program finds itself, also where the system has no link to it.
#include "app/process/own_program.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace mneme::app {
namespace {

TEST(OwnProgramTest, WithoutTheSystemsLinkItIsFoundByHowItWasStarted) {
  EXPECT_EQ(own_program(), "/proc/self/exe");
  const std::string found = own_program("/nonexistent/exe");
  EXPECT_TRUE(std::filesystem::path(found).is_absolute()) << found;
  EXPECT_TRUE(std::filesystem::equivalent(found, "/proc/self/exe")) << found;
}

}  // namespace
}  // namespace mneme::app
