// What long measurements write: results that can be gone on with, and plots.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/eval/answer_report.h"
#include "app/measure/statistics.h"
#include "app/output/result_file.h"
#include "app/output/svg_plot.h"
#include "app/temporary_folder.h"

namespace mneme::app {
namespace {

using nlohmann::json;

class ResultFileTest : public testing::Test {
 protected:
  ResultFileTest() : folder_(*TemporaryFolder::make()), path_(folder_.path() + "/results.jsonl") {}
  TemporaryFolder folder_;
  const std::string path_;
};

TEST_F(ResultFileTest, GoesOnWhereItStopped) {
  const json parameters = {{"bench", "x"}, {"reps", 5}};
  {
    auto file = ResultFile::open(path_, parameters);
    ASSERT_TRUE(file.ok()) << file.status().message();
    EXPECT_EQ(file->find("a"), nullptr);
    ASSERT_TRUE(file->add("a", {{"ms", 1.5}}).ok());
    ASSERT_TRUE(file->add("b", json::array({1, 2})).ok());
  }
  std::ofstream(path_, std::ios::app) << R"({"key":"c","resu)";  // killed while writing
  auto again = ResultFile::open(path_, parameters);
  ASSERT_TRUE(again.ok()) << again.status().message();
  ASSERT_NE(again->find("a"), nullptr);
  EXPECT_EQ(*again->find("a"), json({{"ms", 1.5}}));
  EXPECT_EQ(again->find("c"), nullptr);
  ASSERT_TRUE(again->add("c", 3).ok());
  EXPECT_EQ(ResultFile::open(path_, parameters)->size(), 3u);
}

TEST_F(ResultFileTest, ResultsOfOtherParametersAreNotMixedIn) {
  ASSERT_TRUE(ResultFile::open(path_, {{"reps", 5}}).ok());
  const Status refused = ResultFile::open(path_, {{"reps", 6}, {"level", "low"}}).status();
  EXPECT_EQ(refused.code(), StatusCode::kUsage);
  EXPECT_NE(refused.message().find("differs in level, reps"), std::string::npos) << refused.message();
  EXPECT_NE(refused.message().find("name another file"), std::string::npos) << refused.message();
}

// A slip of the pen must not cost what somebody wrote.
TEST_F(ResultFileTest, FilesOfSomebodyElseStayAsTheyAre) {
  for (const std::string notes : {"my notes", "my notes\nand more\n", "[1]\n", "\n"}) {
    std::ofstream(path_, std::ios::trunc) << notes;
    const Status refused = ResultFile::open(path_, {{"reps", 5}}).status();
    EXPECT_EQ(refused.code(), StatusCode::kUsage) << notes;
    std::ifstream stream(path_);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), notes);
  }
}

TEST_F(ResultFileTest, WithoutAPathNothingIsKept) {
  auto file = ResultFile::open("", {});
  ASSERT_TRUE(file.ok());
  EXPECT_TRUE(file->add("a", 1).ok());
}

TEST(SvgPlotTest, EscapesTextAndLeavesOutWhatCannotBeDrawn) {
  Plot plot{.title = "a < b & c", .x_label = "x", .y_label = "y", .log_x = false, .series = {}};
  plot.series.push_back({"one", {{0, 1}, {1, NAN}, {2, 3}}, false});
  plot.series.push_back({"flat", {{0, 2}, {2, 2}}, true});
  const std::string svg = svg_plot(plot);
  EXPECT_NE(svg.find("a &lt; b &amp; c"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_NE(svg.find("stroke-dasharray"), std::string::npos);
  EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
}

TEST(SvgPlotTest, NothingToDrawIsStillADocument) {
  EXPECT_NE(svg_plot({}).find("</svg>"), std::string::npos);
  Plot one{
      .title = "", .x_label = "", .y_label = "", .log_x = true, .series = {{"p", {{0.0, 1.0}, {10.0, 1.0}}, false}}};
  EXPECT_EQ(svg_plot(one).find("inf"), std::string::npos);
}

TEST(SvgPlotTest, ALogarithmicAxisIsMarkedWhereWasMeasured) {
  Plot plot{.title = "", .x_label = "", .y_label = "", .log_x = true, .series = {}};
  plot.series.push_back({"p", {{8192, 1}, {16384, 2}, {131072, 3}}, false});
  const std::string svg = svg_plot(plot);
  for (const char* tick : {">8192<", ">16384<", ">131072<"}) EXPECT_NE(svg.find(tick), std::string::npos) << tick;

  for (int i = 1; i <= 100; ++i) plot.series[0].points.emplace_back(i, i);
  const std::string crowded = svg_plot(plot);
  size_t labels = 0;
  for (size_t at = 0; (at = crowded.find("y=\"403.0\"", at)) != std::string::npos; ++at) ++labels;
  EXPECT_GE(labels, 4u);
  EXPECT_LE(labels, 9u) << "of many values every n-th";
}

AnswerRecord record(double f1, std::optional<double> nll) {
  AnswerRecord record;
  record.f1 = f1;
  record.nll = nll;
  record.answer = "x";
  return record;
}

TEST(AnswerReportTest, PairsLanesByQuestion) {
  EvalSet set{.name = "s", .questions = std::vector<EvalQuestion>(3)};
  std::vector<EvalLane> lanes(2);
  lanes[0].name = "full";
  lanes[1] = {.name = "reuse",
              .kind = LaneKind::kOnePrompt,
              .mode = rag::AnswerMode::kReuse,
              .recompute_ratio = {},
              .selector = {}};
  EvalAnswerResult result;
  result.lanes = {{record(1, 0.5), record(0.5, {}), record(1, 1.0)},
                  {record(0, 1.5), record(0.5, 2.0), record(1, 1.5)}};
  result.answerable = {true, true, false};
  const json report = answer_report(set, lanes, result, 1);
  EXPECT_NEAR(report["paired_loss"]["reuse"]["f1"].get<double>(), 1.0 / 3, 1e-9);
  EXPECT_NEAR(report["paired_loss"]["reuse"]["nll"]["mean"].get<double>(), 0.75, 1e-9) << "where both have it";
  EXPECT_TRUE(report["modes"]["full"]["kl_full"].is_null());
  EXPECT_FALSE(report["paired_loss"].contains("full"));
  EXPECT_EQ(report["samples"][0]["answers"]["reuse"], "x");
  EXPECT_FALSE(answer_report_text(report).empty());
}

TEST(AnswerReportTest, WhatWasNotMeasuredIsNull) {
  const EvalSet set{.name = "s", .questions = std::vector<EvalQuestion>(3)};
  std::vector<EvalLane> lanes(2);
  lanes[0].name = "full";
  lanes[1].name = "reuse";
  lanes[1].mode = rag::AnswerMode::kReuse;
  EvalAnswerResult nothing;
  nothing.lanes.resize(2);
  nothing.interrupted = true;
  const json report = answer_report(set, lanes, nothing, 0);
  EXPECT_EQ(report["questions"], 0);
  for (const char* key : {"em", "f1", "f1_ci95", "contains", "contains_first", "rouge_l", "recompute_ratio", "ttft_ms",
                          "bytes_read", "no_answer_recall"}) {
    EXPECT_TRUE(report["modes"]["full"][key].is_null()) << key << " " << report["modes"]["full"][key];
  }
  for (const char* key : {"f1", "ci95", "upper95", "nll"}) {
    EXPECT_TRUE(report["paired_loss"]["reuse"][key].is_null()) << key;
  }
  EXPECT_NE(answer_report_text(report).find("no question was finished"), std::string::npos);
}

EvalLane lane(const std::string& name, rag::AnswerMode mode, std::optional<double> share = {}) {
  return {.name = name, .kind = LaneKind::kOnePrompt, .mode = mode, .recompute_ratio = share, .selector = {}};
}

// Points of the first line drawn.
size_t n_points(const std::string& svg) {
  const size_t begin = svg.find("points=\"");
  const std::string points = svg.substr(begin, svg.find('"', begin + 8) - begin);
  return static_cast<size_t>(std::count(points.begin(), points.end(), ','));
}

TEST(AnswerReportTest, CurvesBeginAtReuseAndEndAtFull) {
  std::vector<EvalLane> lanes = {lane("blend@0.3", rag::AnswerMode::kBlend, 0.3),
                                 lane("blend@0.15", rag::AnswerMode::kBlend, 0.15)};
  EvalAnswerResult result;
  result.lanes = {{record(0.9, {})}, {record(0.8, {})}};
  EXPECT_EQ(n_points(quality_curve_svg("s", lanes, result)), 2u) << "no ends were measured";
  lanes.push_back(lane("full", rag::AnswerMode::kFull));
  lanes.push_back(lane("reuse", rag::AnswerMode::kReuse));
  result.lanes.push_back({record(1.0, {})});
  result.lanes.push_back({record(0.5, {})});
  EXPECT_EQ(n_points(quality_curve_svg("s", lanes, result)), 4u);
  lanes.push_back(lane("blend@0", rag::AnswerMode::kBlend, 0.0));
  result.lanes.push_back({record(0.5, {})});
  EXPECT_EQ(n_points(quality_curve_svg("s", lanes, result)), 4u) << "what was measured stays";
}

TEST(SvgPlotTest, LinesOfTheSameColourHaveOtherMarks) {
  Plot plot{.title = "", .x_label = "", .y_label = "", .log_x = false, .series = {}};
  for (int i = 0; i < 9; ++i) plot.series.push_back({std::to_string(i), {{0.0, 1.0 * i}, {1.0, 2.0 * i}}, false});
  const std::string svg = svg_plot(plot);
  EXPECT_NE(svg.find("<circle"), std::string::npos);
  EXPECT_NE(svg.find("width=\"7\""), std::string::npos) << "the ninth";
}

TEST(AnswerReportTest, RecordsComeBackFromJson) {
  AnswerRecord before = record(0.25, 1.5);
  before.ttft_ms = 12;
  before.bytes_read = 7;
  before.refused = true;
  const AnswerRecord after = AnswerRecord::from_json(before.to_json());
  EXPECT_EQ(after.to_json(), before.to_json());
  EXPECT_EQ(AnswerRecord::from_json("rubbish").f1, 0);
}

TEST(StatisticsTest, OneSidedBootstrapBound) {
  const std::vector<double> values{0, 0, 0, 1, 1, 1};
  const double bound = bootstrap_mean_quantile(values, 0.95, 1);
  EXPECT_GT(bound, 0.5);
  EXPECT_LT(bound, 1.0);
  EXPECT_LE(bound, bootstrap_mean_95(values, 1).high);
  EXPECT_EQ(bootstrap_mean_quantile({}, 0.95, 1), 0.0);
}

}  // namespace
}  // namespace mneme::app
