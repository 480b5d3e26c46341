// The plots of `bench pq` from its results.
#include "app/bench/pq_plots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace mneme::app {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

json result(int context, const char* budget, double milliseconds, const json& second_token) {
  return {{"context", context},
          {"method", "pq"},
          {"budget", budget},
          {"full_ms", {{"median", 50.0}}},
          {"pq_ms", {{"median", milliseconds}}},
          {"second_token_ms", second_token}};
}

TEST(PqPlots, OneLinePerMethodAndBudgetBesideFullAttention) {
  const PqPlots plots = pq_plots(json::array({result(8192, "0.1", 20, 90.0), result(8192, "4096", 22, nullptr),
                                              result(32768, "0.1", 25, 200.0), result(32768, "4096", 24, nullptr)}));
  for (const char* name : {"full attention", "pq, budget 0.1", "pq, budget 4096"})
    EXPECT_THAT(plots.per_token, HasSubstr(name));
  EXPECT_THAT(plots.second_token, HasSubstr("pq, budget 0.1"));
  EXPECT_THAT(plots.second_token, Not(HasSubstr("budget 4096"))) << "was not measured";
}

TEST(PqPlots, NothingMeasuredIsAnEmptyPlot) {
  EXPECT_THAT(pq_plots(json::array()).per_token, HasSubstr("<svg"));
}

}  // namespace
}  // namespace mneme::app
