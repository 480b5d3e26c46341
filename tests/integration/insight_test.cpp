// `mneme bench insight` as a user calls it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/integration/program.h"
#include "tests/support/checkout/checkout.h"

namespace mneme::integration {
namespace {

using nlohmann::json;

const std::string kTiny = checkout::test_data("tiny.gguf");
const std::string kText = checkout::test_data("reference.txt");

std::vector<std::string> insight_command(const std::vector<std::string>& more) {
  std::vector<std::string> command{"bench",    "insight", "--model",        kTiny, "--path", kText,
                                   "--chunks", "2",       "--chunk-tokens", "48",  "--json"};
  command.insert(command.end(), more.begin(), more.end());
  return command;
}

TEST(InsightCommand, GivesRowsOfEveryStatistic) {
  Program program;
  const Outcome outcome = program.run(insight_command({}));
  ASSERT_EQ(outcome.exit_status, 0) << outcome.diagnostics;
  const json report = outcome.last_json();
  std::set<std::string> found;
  for (const json& row : report["results"]) found.insert(row["insight"].get<std::string>());
  EXPECT_EQ(found, (std::set<std::string>{"deviation", "correlation", "repair", "delta", "entropy", "sensitivity",
                                          "attention", "attention-layer"}));
  for (const json& row : report["results"]) {
    if (row["insight"] != "repair" || row["recompute"] != 1.0) continue;
    EXPECT_LT(row["output_error"].get<double>(), 0.01);  // everything repaired is the full prefill
  }
  EXPECT_TRUE(report["machine"].contains("cpu"));
}

TEST(InsightCommand, RefusesWhatItCannotMeasure) {
  Program program;
  EXPECT_EQ(program.run(insight_command({"--insight", "tea-leaves"})).exit_status, 2);
  EXPECT_EQ(program.run(insight_command({"--shape", "bench-336m"})).exit_status, 2);
  const Outcome too_long = program.run({"bench", "insight", "--model", kTiny, "--chunks", "100", "--json"});
  EXPECT_EQ(too_long.exit_status, 2);
  EXPECT_NE(too_long.diagnostics.find("context"), std::string::npos) << too_long.diagnostics;
}

}  // namespace
}  // namespace mneme::integration
