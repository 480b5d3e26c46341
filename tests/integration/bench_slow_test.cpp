// Every measurement of `mneme bench` at its smallest: one form of result, with the machine, the build and rows whose
// spreads hold together.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/integration/program.h"

namespace mneme::integration {
namespace {

using nlohmann::json;

constexpr const char* kShape = " --shape bench-tiny --type F16 --threads 1";

struct Measurement {
  const char* name;
  std::string arguments;
};

const std::vector<Measurement>& measurements() {
  static const std::vector<Measurement> all = {
      {"prefill", std::string("--tokens 16 --reps 3") + kShape},
      {"decode", std::string("--tokens 4 --reps 3") + kShape},
      {"ttft", std::string("--chunks 2 --chunk-tokens 16 --modes full,reuse,blend --cache cold --reps 3") + kShape},
      {"throughput", std::string("--chunks 1 --chunk-tokens 16 --tokens 2 --reps 1") + kShape},
      {"chat", std::string("--chunks 2 --chunk-tokens 16 --reps 3") + kShape},
      {"codec", "--kv synthetic --tokens 32 --chunks 1 --reps 1"},
      {"fetch", "--kv synthetic --tokens 32 --chunks 2 --reps 3"},
      {"stream", "--kv synthetic --tokens 32 --chunks 2"},
      {"pq", std::string("--context 600 --kv synthetic --budget 0.5 --tokens 2 --reps 3") + kShape},
      {"index", "--chunks 20 --reps 3"},
      {"search", "--chunks 20"},
      {"search", "--chunks 20 --cache cold"},
      {"watch", "--chunks 10 --reps 1"},
  };
  return all;
}

// Values that were measured several times are told as median, minimum and maximum.
void check_spreads(const json& row) {
  for (const auto& [key, value] : row.items()) {
    if (!value.is_object() || !value.contains("median")) continue;
    EXPECT_LE(value["min"].get<double>(), value["median"].get<double>()) << key;
    EXPECT_GE(value["max"].get<double>(), value["median"].get<double>()) << key;
    EXPECT_TRUE(std::isfinite(value["median"].get<double>())) << key;
  }
}

class BenchTest : public ::testing::TestWithParam<Measurement> {};

TEST_P(BenchTest, GivesItsRowsWithMachineAndBuild) {
  Program program;
  std::vector<std::string> command{"bench", GetParam().name};
  std::istringstream words(GetParam().arguments);
  for (std::string word; words >> word;) command.push_back(word);
  command.emplace_back("--json");
  const Outcome outcome = program.run(command);
  ASSERT_EQ(outcome.exit_status, 0) << outcome.diagnostics;
  const json report = outcome.last_json();
  EXPECT_EQ(report["bench"], GetParam().name);
  EXPECT_TRUE(report["params"].is_object());
  EXPECT_GE(report["reps"].get<int>(), 1);
  EXPECT_GT(report["machine"]["threads"].get<int>(), 0);
  EXPECT_GT(report["machine"]["memory_bytes"].get<double>(), 0);
  EXPECT_TRUE(report["machine"]["load_average"].is_number());
  EXPECT_TRUE(report["build"].contains("commit"));
  EXPECT_FALSE(report["build"]["type"].get<std::string>().empty());
  ASSERT_TRUE(report["results"].is_array());
  ASSERT_FALSE(report["results"].empty());
  for (const json& row : report["results"]) check_spreads(row);
}

INSTANTIATE_TEST_SUITE_P(Every, BenchTest, ::testing::ValuesIn(measurements()), [](const auto& info) {
  return std::string(info.param.name) + (info.param.arguments.ends_with("--cache cold") ? "_cold" : "");
});

}  // namespace
}  // namespace mneme::integration
