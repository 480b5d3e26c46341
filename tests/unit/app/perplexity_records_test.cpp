// Windows of perplexity measurements: they come back from a kept file as they went, add up, and pair.
#include "app/eval/perplexity_records.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace mneme::app {
namespace {

using nlohmann::json;

RetrievalWindow retrieval_example(double full_nll, double lane_nll) {
  const RetrievalScore lane{
      .nll = lane_nll, .kl = 1.0 / 3.0, .steps = 7, .recall = 3.1, .mass = 6.5, .attended = 700.25};
  return {.tokens = 10, .full_nll = full_nll, .lanes = {lane, RetrievalScore{}}};
}

// Through the text that a file holds.
json through_text(const json& record) {
  return json::parse(record.dump());
}

TEST(PerplexityRecords, ComeBackAsTheyWent) {
  const std::optional<PlainWindow> plain = plain_window(through_text(window_json(PlainWindow{5, 1.0 / 7.0})));
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->tokens, 5);
  EXPECT_EQ(plain->nll, 1.0 / 7.0);

  const LevelWindow coded{.tokens = 31, .exact_nll = 2.0 / 3.0, .codecs = {{0.1, 1000, 4096}, {0.3, 500, 4096}}};
  const std::optional<LevelWindow> level = level_window(through_text(window_json(coded)), 2);
  ASSERT_TRUE(level);
  EXPECT_EQ(level->exact_nll, 2.0 / 3.0);
  EXPECT_EQ(level->codecs[1].nll, 0.3);
  EXPECT_EQ(level->codecs[1].encoded_bytes, 500u);
  EXPECT_EQ(level->codecs[0].elements, 4096u);

  const json record = through_text(window_json(retrieval_example(0.1, 0.7)));
  const std::optional<RetrievalWindow> retrieval = retrieval_window(record, 2);
  ASSERT_TRUE(retrieval);
  EXPECT_EQ(window_json(*retrieval), record);
}

TEST(PerplexityRecords, OfOtherThingsAreNotTaken) {
  EXPECT_FALSE(plain_window(json(3)));
  EXPECT_FALSE(plain_window(json{{"tokens", "many"}, {"nll", 1.0}}));
  const json retrieval = window_json(retrieval_example(1, 1));
  EXPECT_FALSE(retrieval_window(retrieval, 3));
  EXPECT_FALSE(level_window(retrieval, 2));
  json damaged = retrieval;
  damaged["lanes"][1].erase("mass");
  EXPECT_FALSE(retrieval_window(damaged, 2));
}

TEST(RetrievalWindows, AddUp) {
  const std::vector<RetrievalWindow> windows{retrieval_example(10, 11), retrieval_example(20, 23)};
  const RetrievalWindow sum = sum_of(windows);
  EXPECT_EQ(sum.tokens, 20);
  EXPECT_EQ(sum.full_nll, 30);
  ASSERT_EQ(sum.lanes.size(), 2u);
  EXPECT_EQ(sum.lanes[0].nll, 34);
  EXPECT_EQ(sum.lanes[0].steps, 14);
  EXPECT_DOUBLE_EQ(sum.lanes[0].attended, 1400.5);
  EXPECT_EQ(sum_of({}).tokens, 0);
}

TEST(RetrievalWindows, LossPairsWindowByWindow) {
  // One nat is lost in ten tokens, three in ten: whatever is drawn, the mean lies between.
  const std::vector<RetrievalWindow> windows{retrieval_example(10, 11), retrieval_example(20, 23)};
  const Interval loss = loss_95(windows, 0);
  EXPECT_NEAR(loss.low, std::expm1(0.1), 1e-12);
  EXPECT_NEAR(loss.high, std::expm1(0.3), 1e-12);
  // The same loss everywhere is certain, however much the windows differ.
  const std::vector<RetrievalWindow> even{retrieval_example(10, 11), retrieval_example(90, 91)};
  EXPECT_NEAR(loss_95(even, 0).high, loss_95(even, 0).low, 1e-12);
  EXPECT_EQ(loss_95({}, 0).high, 0);
}

}  // namespace
}  // namespace mneme::app
