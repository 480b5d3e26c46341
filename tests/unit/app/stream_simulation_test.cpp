// The adaptive streamer against fixed levels in virtual time: where a fixed level misses half of the goals, the
// adaptive one misses a tenth or less, at better quality than the coarsest level.
#include "app/bench/stream_simulation.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/random.h"

namespace mneme::app {
namespace {

using engine::KvLevel;
using rag::StreamForm;

constexpr int kChunks = 6;
constexpr int kTokens = 1536;
constexpr int kRequests = 200;
constexpr double kBytes = kTokens * 24.0 * 1024.0;  // fp16

// Sizes and decoding speeds as the levels are built for; 1500 tokens a second of prefill.
rag::StreamChunk chunk() {
  rag::StreamChunk chunk;
  chunk.n_tokens = kTokens;
  const double ratio[] = {1.17, 5.4, 11.0, 17.8};
  const double decode[] = {1000e6, 700e6, 900e6, 1000e6};
  for (size_t level = 0; level < 4; ++level) {
    chunk.level_bytes[level] = static_cast<uint64_t>(kBytes / ratio[level]);
    chunk.decode_seconds[level] = kBytes / decode[level];
  }
  chunk.recompute_seconds = kTokens / 1500.0;
  return chunk;
}

struct Outcome {
  double miss_rate = 0;
  double loss = 0;  // per token
};

Outcome run(const storage::BandwidthTrace& trace, double goal_seconds, std::optional<StreamForm> fixed) {
  const std::vector<rag::StreamChunk> chunks(kChunks, chunk());
  const rag::StreamGoal goal{.seconds = goal_seconds};
  storage::ThroughputMeter meter;
  Random random(17);
  Outcome outcome;
  double start = 0;
  for (int request = 0; request < kRequests; ++request) {
    start += 2 * random.uniform();
    const SimulatedStream done = simulate_stream(chunks, goal, fixed, trace, start, 24, meter);
    EXPECT_NEAR(std::accumulate(done.forms.begin(), done.forms.end(), 0.0), kChunks, 1e-6);
    outcome.miss_rate += done.seconds > goal_seconds ? 1.0 / kRequests : 0.0;
    outcome.loss += done.loss / (kChunks * kTokens) / kRequests;
    start += done.seconds;
  }
  return outcome;
}

std::vector<storage::BandwidthTrace> traces() {
  std::vector<storage::BandwidthTrace> traces;
  for (const double rate : {0.05e9, 0.2e9, 1e9, 6e9}) traces.push_back(storage::BandwidthTrace::steady(rate));
  for (const char* name : {"falling", "spiky"}) traces.push_back(*storage::BandwidthTrace::make(name, {}));
  return traces;
}

TEST(StreamSimulation, AdaptiveMissesATenthWhereAFixedLevelMissesHalf) {
  int compared = 0;
  for (const storage::BandwidthTrace& trace : traces()) {
    for (const double goal : {0.4, 0.6, 1.0, 2.0}) {
      const Outcome adaptive = run(trace, goal, std::nullopt);
      const Outcome low = run(trace, goal, StreamForm{KvLevel::kLow});
      for (const KvLevel level : {KvLevel::kExact, KvLevel::kHigh, KvLevel::kMedium}) {
        if (run(trace, goal, StreamForm{level}).miss_rate < 0.5) continue;
        if (low.miss_rate > 0.1) continue;  // no level would do: not a choice that was missed
        ++compared;
        EXPECT_LE(adaptive.miss_rate, 0.1) << goal;
        EXPECT_LT(adaptive.loss, low.loss) << goal;
      }
    }
  }
  EXPECT_GE(compared, 5);
}

TEST(StreamSimulation, OnAFastLinkNothingIsLost) {
  const Outcome adaptive = run(storage::BandwidthTrace::steady(6e9), 1.0, std::nullopt);
  EXPECT_EQ(adaptive.miss_rate, 0);
  EXPECT_LT(adaptive.loss, 0.0001);  // but for the first pieces of all, sent before anything was measured
}

TEST(StreamSimulation, TimeIsWhatTheLinkAndTheProcessorTake) {
  const std::vector<rag::StreamChunk> chunks(2, chunk());
  storage::ThroughputMeter meter;
  const auto medium = static_cast<size_t>(KvLevel::kMedium);
  const double link = 2 * static_cast<double>(chunks[0].level_bytes[medium]) / 1e8;
  const double decode = 2 * chunks[0].decode_seconds[medium];
  const SimulatedStream done =
      simulate_stream(chunks, {}, StreamForm{KvLevel::kMedium}, storage::BandwidthTrace::steady(1e8), 5.0, 24, meter);
  // Layer by layer: the slower of both all the way, and the other once, for its first or last layer.
  EXPECT_NEAR(done.seconds, std::max(link, decode) + std::min(link, decode) / 24, 1e-6);
  EXPECT_NEAR(meter.bytes_per_second(), 1e8, 1e3);
}

}  // namespace
}  // namespace mneme::app
