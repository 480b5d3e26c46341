// A home on a medium that is mounted read-only, a backup say: what reads works, what writes says why it cannot.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/integration/program.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::integration {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class ReadOnlyTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string model = checkout::test_data("tiny.gguf");
    program.write("docs/owls.txt", "The marsh owl lays seven eggs in April.\n");
    ask_ = {"ask", "How many eggs?", "--model", model, "--max-tokens", "2", "--mode", "reuse", "--json"};
    ASSERT_EQ(program.run({"index", docs(), "--kv", "now", "--model", model}).exit_status, 0);
    ASSERT_EQ(program.run({"chat", "--model", "none"}, "How many eggs does the marsh owl lay?\n").exit_status, 0);
    program.read_only_home = true;
    if (program.run({"status"}).exit_status == Program::kCannotMount) GTEST_SKIP() << "the system mounts nothing";
  }
  std::string docs() const { return program.folder() + "/docs"; }

  Program program;
  std::vector<std::string> ask_;
};

TEST_F(ReadOnlyTest, WhatReadsWorks) {
  const std::vector<std::vector<std::string>> all{
      {"status"},        {"collection", "list"},   {"document", "list"}, {"document", "show", "1"},
      {"search", "owl"}, {"model", "list"},        {"chat", "list"},     {"chat", "show", "1"},
      {"verify"},        {"ask", "How many eggs?"}};
  for (const std::vector<std::string>& arguments : all) {
    const Outcome outcome = program.run(arguments);
    EXPECT_EQ(outcome.exit_status, 0) << arguments[0] << ": " << outcome.diagnostics;
    EXPECT_FALSE(outcome.output.empty()) << arguments[0];
  }
  const Outcome answered = program.run(ask_);
  ASSERT_EQ(answered.exit_status, 0) << answered.diagnostics;
  EXPECT_EQ(answered.last_json()["cache"]["hits"], 1) << "stored KV is read";
}

TEST_F(ReadOnlyTest, AChatGoesOnAndSaysThatItIsNotKept) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"chat", "--json"}, {"chat", "--json", "--resume", "1"}}) {
    const Outcome outcome = program.run(arguments, "How many eggs does the marsh owl lay?\nAnd when?\n");
    EXPECT_EQ(outcome.exit_status, 0) << outcome.diagnostics;
    EXPECT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '\n'), 2) << outcome.output;
    const size_t told = outcome.diagnostics.find("not kept");
    EXPECT_NE(told, std::string::npos) << outcome.diagnostics;
    EXPECT_EQ(outcome.diagnostics.find("not kept", told + 1), std::string::npos) << "said once";
  }
}

TEST_F(ReadOnlyTest, WhatWritesSaysWhyItCannot) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"index", docs()},
                                             {"forget", docs()},
                                             {"gc"},
                                             {"verify", "--repair"},
                                             {"collection", "create", "new"},
                                             {"document", "remove", "1"},
                                             {"chat", "delete", "1"}}) {
    const Outcome outcome = program.run(arguments);
    EXPECT_EQ(outcome.exit_status, 1) << arguments[0];
    EXPECT_THAT(outcome.diagnostics, StartsWith("mneme: cannot write to " + program.home())) << arguments[0];
    EXPECT_THAT(outcome.diagnostics, HasSubstr("--home")) << arguments[0];
  }
}

}  // namespace
}  // namespace mneme::integration
