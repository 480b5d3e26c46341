// The streamer at work, and the loading controller under a time goal: quality first as long as the goal is kept,
// whatever the link does meanwhile.
#include "rag/kv_reuse/timed_plan.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/random.h"
#include "rag/kv_reuse/timed_loading.h"

namespace mneme::rag {
namespace {

using engine::KvLevel;

constexpr int kLayers = 10;
constexpr std::array<uint64_t, 4> kLayerBytes = {10'000'000, 2'000'000, 1'000'000, 600'000};

std::array<std::vector<uint64_t>, kStreamLevels> all_levels() {
  std::array<std::vector<uint64_t>, kStreamLevels> layers;
  for (size_t level = 0; level < layers.size(); ++level) layers[level].assign(kLayers, kLayerBytes[level]);
  return layers;
}

// 512 tokens: 100, 20, 10, 6 MB; decoding takes 10 ms.
TimedChunk chunk(std::optional<double> recompute_seconds = 2.0) {
  TimedChunk chunk;
  chunk.costs = {.n_tokens = 512,
                 .level_bytes = {},
                 .decode_seconds = {0.01, 0.01, 0.01, 0.01},
                 .recompute_seconds = recompute_seconds};
  chunk.layer_bytes = all_levels();
  return chunk;
}

// When everything has come, the link giving rate(seconds) bytes a second, which is known at every moment.
template <typename Rate>
double stream(TimedPlan& plan, int n_chunks, const Rate& rate) {
  plan.begin(0.0, rate(0.0));
  double now = 0.0;
  for (int layer = 0; layer < kLayers; ++layer) {
    for (int c = 0; c < n_chunks; ++c) {
      if (plan.plan().forms[static_cast<size_t>(c)].is_text()) continue;
      const KvLevel level = plan.choose(c, layer, now, rate(now));
      now += static_cast<double>(kLayerBytes[static_cast<size_t>(level)]) / rate(now);
    }
  }
  return now;
}

TEST(TimedPlan, ASteadyLinkGetsTheBestLevelThatKeepsTheGoal) {
  for (const auto& [rate, level] : std::vector<std::pair<double, KvLevel>>{
           {1e9, KvLevel::kExact}, {150e6, KvLevel::kHigh}, {75e6, KvLevel::kMedium}, {42e6, KvLevel::kLow}}) {
    TimedPlan plan(std::vector<TimedChunk>(6, chunk()), kLayers, {.seconds = 1.0}, 0.0);
    plan.begin(0.0, rate);
    EXPECT_EQ(plan.plan().forms.back(), StreamForm{level}) << rate;
    EXPECT_LE(stream(plan, 6, [rate = rate](double) { return rate; }), 1.0) << rate;
  }
}

TEST(TimedPlan, ALinkThatSlowsDownIsAnsweredPieceByPiece) {
  TimedPlan plan(std::vector<TimedChunk>(6, chunk()), kLayers, {.seconds = 1.0}, 0.0);
  const auto rate = [](double now) { return now < 0.3 ? 700e6 : 60e6; };
  EXPECT_LE(stream(plan, 6, rate), 1.0);
  // What was planned at the beginning would have come too late.
  double bytes = 0.0;
  for (const StreamForm& form : plan.plan().forms) {
    bytes += kLayers * static_cast<double>(kLayerBytes[static_cast<size_t>(*form.level)]);
  }
  EXPECT_GT(0.3 + (bytes - 0.3 * 700e6) / 60e6, 1.0);
}

TEST(TimedPlan, DecodingThatFallsBehindTheLinkIsReckonedWith) {
  std::vector<TimedChunk> chunks(6, chunk());
  for (TimedChunk& one : chunks) one.costs.decode_seconds = {0.5, 0.4, 0.2, 0.1};
  TimedPlan plan(chunks, kLayers, {.seconds = 1.0}, 0.0);
  constexpr double kRate = 10e9;
  plan.begin(0.0, kRate);
  double link = 0.0;
  double decoded = 0.0;
  for (int layer = 0; layer < kLayers; ++layer) {
    for (int c = 0; c < 6; ++c) {
      const KvLevel level = plan.choose(c, layer, link, kRate);
      link += static_cast<double>(kLayerBytes[static_cast<size_t>(level)]) / kRate;
      decoded = std::max(decoded, link) + chunks[0].costs.decode_seconds[static_cast<size_t>(level)] / kLayers;
    }
  }
  EXPECT_LE(decoded, 1.0);
}

TEST(TimedPlan, OnlyWhatIsStoredIsChosen) {
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<TimedChunk> chunks;
    for (uint64_t n = 1 + random.below(5); n > 0; --n) {
      chunks.push_back(chunk(0.02 + random.uniform()));
      for (auto& layers : chunks.back().layer_bytes) {
        if (random.below(2) == 0) layers.clear();
      }
    }
    TimedPlan plan(chunks, kLayers, {.seconds = 0.1 + random.uniform()}, 0.01);
    plan.begin(0.0, 1e7 * static_cast<double>(random.below(100)));
    for (size_t c = 0; c < chunks.size(); ++c) {
      if (plan.plan().forms[c].is_text()) continue;
      const KvLevel level = plan.choose(static_cast<int>(c), static_cast<int>(random.below(kLayers)), random.uniform(),
                                        1e7 * static_cast<double>(random.below(100)));
      EXPECT_FALSE(chunks[c].layer_bytes[static_cast<size_t>(level)].empty());
    }
  }
}

TEST(TimedPlan, ADeadLinkLeavesTheText) {
  TimedPlan plan(std::vector<TimedChunk>(3, chunk(0.1)), kLayers, {.seconds = 0.5}, 0.0);
  for (const StreamForm& form : plan.begin(0.0, 1.0).forms) EXPECT_TRUE(form.is_text());
}

// A prompt of four chunks over a model that computes a row in a tenth of a millisecond.
TimedQuestion question(double seconds, double bytes_per_second) {
  TimedQuestion question{.loading = {}, .layer_bytes = {}, .seconds = seconds, .bytes_per_second = bytes_per_second};
  for (int i = 0; i < 4; ++i) {
    question.loading.chunks.push_back({.n_tokens = 512, .stored = std::nullopt});
    question.layer_bytes.push_back(all_levels());
  }
  question.loading.other_tokens = 50;
  question.loading.fp16_bytes_per_token = 200'000;
  question.loading.n_layers = kLayers;
  question.loading.n_cores = 4;
  return question;
}

SpeedProfile profile() {
  SpeedProfile speed;
  speed.row_ms = 0.4;
  speed.decode_bytes_per_s = {2e9, 2e9, 2e9, 2e9};
  return speed;
}

double mean_loss(const TimedLoading& loading) {
  return loading.plan->plan().loss;
}

TEST(TimedLoading, LessTimeMeansCoarserLevels) {
  double before = -1.0;
  for (const double seconds : {20.0, 1.2, 0.7, 0.5}) {
    const TimedLoading loading = plan_timed_loading(question(seconds, 100e6), profile());
    EXPECT_GE(mean_loss(loading), before) << seconds;
    EXPECT_LE(loading.first_token_seconds, seconds) << seconds;
    before = mean_loss(loading);
  }
  EXPECT_GT(before, 0.0);
}

TEST(TimedLoading, RepairTakesTheTimeThatLoadingLeaves) {
  const TimedLoading fast = plan_timed_loading(question(60.0, 50e9), profile());
  EXPECT_NEAR(fast.ratio, 0.15, 0.02) << "nothing to hide behind";
  const TimedLoading slow = plan_timed_loading(question(60.0, 60e6), profile());
  EXPECT_GT(slow.ratio, 0.3);
  TimedQuestion fixed = question(60.0, 60e6);
  fixed.loading.ratio = 0.2;
  EXPECT_EQ(plan_timed_loading(fixed, profile()).ratio, 0.2);
}

// With one chunk loaded, a selector that looks first reads the three others nearly twice.
TEST(TimedLoading, WhereMostIsMissingAllOfItIsComputed) {
  TimedQuestion mostly_missing = question(0.2, 50e9);
  for (size_t c : {0, 1, 2})
    for (auto& layers : mostly_missing.layer_bytes[c]) layers.clear();
  const TimedLoading text = plan_timed_loading(mostly_missing, profile());
  for (const StreamForm& form : text.plan->plan().forms) EXPECT_TRUE(form.is_text());
  EXPECT_NEAR(text.first_token_seconds, (4 * 512 + 50) * 0.4e-3, 1e-6);
  const TimedLoading loaded = plan_timed_loading(question(0.2, 50e9), profile());
  for (const StreamForm& form : loaded.plan->plan().forms) EXPECT_FALSE(form.is_text()) << "all of it is stored";
  // Exact caches lose nothing either, and are sooner.
  const TimedLoading patient = plan_timed_loading(question(60.0, 50e9), profile());
  EXPECT_EQ(patient.plan->plan().forms[0], StreamForm{KvLevel::kExact});
}

TEST(TimedLoading, WithoutAProfileWhatIsStoredIsLoaded) {
  TimedQuestion some = question(0.001, 1e6);
  for (auto& layers : some.layer_bytes[2]) layers.clear();
  const TimedLoading loading = plan_timed_loading(some, SpeedProfile{});
  for (size_t c = 0; c < 4; ++c) EXPECT_EQ(loading.plan->plan().forms[c].is_text(), c == 2);
  EXPECT_EQ(loading.ratio, 0.15);
}

}  // namespace
}  // namespace mneme::rag
