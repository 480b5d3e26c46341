// The streamer's choices: quality first as long as the goal is kept, the soonest where nothing keeps it.
#include "rag/kv_reuse/stream_plan.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace mneme::rag {
namespace {

using engine::KvLevel;

// 512 tokens: 100, 20, 10, 6 MB; decoding takes 10 ms, computing the text 2 s.
StreamChunk chunk(std::optional<double> recompute_seconds = 2.0) {
  return {.n_tokens = 512,
          .level_bytes = {100'000'000, 20'000'000, 10'000'000, 6'000'000},
          .decode_seconds = {0.01, 0.01, 0.01, 0.01},
          .recompute_seconds = recompute_seconds};
}

StreamState at(double bytes_per_second, double now = 0) {
  return {.now = now, .link_free = now, .compute_free = now, .bytes_per_second = bytes_per_second};
}

std::vector<StreamForm> forms_of(const std::vector<StreamChunk>& chunks, double bytes_per_second, double goal,
                                 double now = 0) {
  return plan_stream(chunks, at(bytes_per_second, now), {.seconds = goal, .margin = 0.0}).forms;
}

TEST(StreamPlan, TakesTheBestLevelThatKeepsTheGoal) {
  const std::vector<StreamChunk> chunks(6, chunk());
  // 6 chunks in 1 s (less decoding of the last).
  const std::vector<std::pair<double, KvLevel>> expected = {
      {1e9, KvLevel::kExact}, {130e6, KvLevel::kHigh}, {65e6, KvLevel::kMedium}, {40e6, KvLevel::kLow}};
  for (const auto& [rate, level] : expected) {
    const auto forms = forms_of(chunks, rate, 1.0);
    EXPECT_EQ(forms.back(), StreamForm{level}) << rate;
  }
}

TEST(StreamPlan, WithoutKnownThroughputTakesTheMiddle) {
  const auto plan = plan_stream(std::vector<StreamChunk>(3, chunk()), at(0), {});
  for (const StreamForm& form : plan.forms) EXPECT_EQ(form, StreamForm{KvLevel::kMedium});
}

TEST(StreamPlan, NeverMissesAGoalThatAnyPlanOfItsOwnKeeps) {
  Random random(5);
  for (int round = 0; round < 300; ++round) {
    std::vector<StreamChunk> chunks;
    for (uint64_t n = 1 + random.below(4); n > 0; --n) {
      StreamChunk own = chunk(random.below(2) ? std::optional(0.02 + random.uniform()) : std::nullopt);
      for (uint64_t& bytes : own.level_bytes) bytes = random.below(3) == 0 ? 0 : bytes;
      own.level_bytes[2] = 10'000'000;
      chunks.push_back(own);
    }
    const StreamState state = at(1e7 * (1 + static_cast<double>(random.below(100))));
    const StreamGoal goal{.seconds = 0.1 + 2 * random.uniform(), .margin = 0.0};
    const StreamPlan plan = plan_stream(chunks, state, goal);
    ASSERT_EQ(plan.forms.size(), chunks.size());
    EXPECT_DOUBLE_EQ(plan.finish_seconds, predict_finish(chunks, plan.forms, state));
    // All chunks alike at any level: when that keeps the goal, so does the plan, and loses no more.
    for (int level = 0; level < kStreamLevels; ++level) {
      const std::vector<StreamForm> alike(chunks.size(), StreamForm{static_cast<KvLevel>(level)});
      const double finish = predict_finish(chunks, alike, state);
      double loss = 0;
      for (const StreamChunk& own : chunks) loss += own.n_tokens * goal.loss[static_cast<size_t>(level)];
      if (finish > goal.seconds) continue;
      EXPECT_LE(plan.finish_seconds, goal.seconds);
      EXPECT_LE(plan.loss, loss + 1e-9);
    }
  }
}

TEST(StreamPlan, ShortChunksComeAsText) {
  // Computing 30 tokens takes 5 ms, sooner than 1 MB over a slow link, and loses nothing.
  StreamChunk little{
      .n_tokens = 30, .level_bytes = {0, 0, 1'000'000, 0}, .decode_seconds = {}, .recompute_seconds = 0.005};
  EXPECT_TRUE(forms_of({little}, 50e6, 0.5).front().is_text());
  little.recompute_seconds.reset();
  EXPECT_EQ(forms_of({little}, 50e6, 0.5).front(), StreamForm{KvLevel::kMedium});
}

TEST(StreamPlan, AHopelessGoalGetsTheSoonest) {
  const auto forms = forms_of(std::vector<StreamChunk>(4, chunk()), 10e6, 0.5);
  for (const StreamForm& form : forms) EXPECT_EQ(form, StreamForm{KvLevel::kLow});
  // A dead link leaves the text.
  for (const StreamForm& form : forms_of(std::vector<StreamChunk>(4, chunk()), 1.0, 0.5)) EXPECT_TRUE(form.is_text());
}

TEST(StreamPlan, LessTimeLeftMeansCoarserLevels) {
  const std::vector<StreamChunk> rest(3, chunk());
  const double early = plan_stream(rest, at(100e6, 0.0), {.seconds = 1.0}).loss;
  const double late = plan_stream(rest, at(100e6, 0.6), {.seconds = 1.0}).loss;
  EXPECT_LT(early, late);
}

TEST(StreamPlan, ComputingAndLoadingOverlapInThePrediction) {
  const std::vector<StreamChunk> chunks = {chunk(0.5), chunk(0.5)};
  const std::vector<StreamForm> forms = {StreamForm{}, StreamForm{KvLevel::kMedium}};
  // Text 0.5 s; meanwhile 10 MB at 50 MB/s arrive in 0.2 s and are decoded after it.
  EXPECT_NEAR(predict_finish(chunks, forms, at(50e6)), 0.51, 1e-9);
}

}  // namespace
}  // namespace mneme::rag
