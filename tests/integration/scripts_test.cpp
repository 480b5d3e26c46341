// Scripts say what they do when they are asked to, and refuse what they do not know before they do anything.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "tests/support/checkout/checkout.h"

namespace mneme::integration {
namespace {

int status_of(const std::string& script, const std::string& option) {
  const std::string command = "'" + checkout::path("scripts/" + script) + "' " + option + " </dev/null >/dev/null 2>&1";
  const int status = std::system(  // NOLINT(concurrency-mt-unsafe): one thread
      command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(ScriptsTest, HelpIsGivenAndStrangeOptionsAreRefused) {
  for (const char* script : {"bench-first-token", "bench-peers", "build-jobs", "gpu-check", "gpu-timeline", "growth",
                             "install-packages", "reproduce", "sanitize", "soak", "test"}) {
    EXPECT_EQ(status_of(script, "--help"), 0) << script;
    EXPECT_EQ(status_of(script, "--no-such-option"), 2) << script;
  }
  EXPECT_EQ(status_of("quickstart", "--help"), 0) << "its other words go to the program";
}

}  // namespace
}  // namespace mneme::integration
