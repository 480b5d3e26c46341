// Fusion against what it stands for: ratio 1 is the full prefill; ratio 0 is what a plain sequence gives over the same
// KV; every selector, order, repeat and failure ends in a sequence that can go on.
#include "engine/fusion/fuser.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/codec/codec_list.h"
#include "engine/engine_queue.h"
#include "tests/unit/fusion/fuser_bed.h"
#include "tests/unit/fusion/reference_fusion.h"

namespace mneme::engine {
namespace {

class FuserTest : public FuserBed, public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { open(GetParam(), 5); }
};

const std::vector<std::vector<int>> kOrders = {{0}, {1}, {0, 1, 2, 3}, {3, 2, 1, 0}, {2, 2}, {1, 0, 1, 2, 1}};

TEST_P(FuserTest, RatioOneEqualsTheFullPrefill) {
  for (const std::vector<int>& order : kOrders) {
    const std::vector<float> expected = full_prefill(plan(order));
    for (const Selector& selector : selectors()) {
      FuseReport report;
      const std::vector<float> got = fused(plan(order), {.selector = selector, .ratio = 1.0}, &report);
      EXPECT_LT(difference(got, expected), mneme::testing::test_device().pass_tolerance) << selector.name;
      EXPECT_EQ(report.recompute_ratio(), 1.0);
    }
  }
}

// The likeliest token, and how far it is ahead of the second.
std::pair<TokenId, float> likeliest(std::span<const float> logits) {
  const auto best = std::max_element(logits.begin(), logits.end());
  float second = -INFINITY;
  for (auto other = logits.begin(); other != logits.end(); ++other) {
    if (other != best) second = std::max(second, *other);
  }
  return {static_cast<TokenId>(best - logits.begin()), *best - second};
}

TEST_P(FuserTest, GreedyTokensBehindRatioOneAreThoseOfTheFullPrefill) {
  constexpr int kTokens = 12;
  constexpr float kTie = 1e-2f;  // rounding may decide between two as near
  for (const std::vector<int>& order : {std::vector<int>{3, 2, 1, 0}, {2, 2}}) {
    auto computed = sequence_with_prefix();
    for (const PromptSegment& segment : plan(order).segments) ASSERT_TRUE(computed->append(segment.ids).ok());
    auto fused_sequence = sequence_with_prefix();
    ASSERT_TRUE(fuse(*model_, *fused_sequence, plan(order), source_, codecs(), {.ratio = 1.0}).ok());
    for (int i = 0; i < kTokens; ++i) {
      const auto [expected, lead] = likeliest(computed->logits());
      if (lead < kTie) break;
      ASSERT_EQ(likeliest(fused_sequence->logits()).first, expected) << "token " << i;
      ASSERT_TRUE(computed->append(std::span(&expected, 1)).ok());
      ASSERT_TRUE(fused_sequence->append(std::span(&expected, 1)).ok());
    }
  }
}

// One chunk right behind the prefix it was computed behind: its cache is exact, so any ratio is the full prefill.
TEST_P(FuserTest, AChunkBehindItsOwnPrefixIsExactAtEveryRatio) {
  PromptPlan behind_prefix;
  behind_prefix.segments.push_back({chunk_ids_[2], 2, false});
  behind_prefix.segments.push_back({ids_of(9, 99), -1, true});
  const std::vector<float> expected = full_prefill(behind_prefix);
  for (const double ratio : {0.0, 0.15, 0.5}) {
    for (const Selector& selector : selectors()) {
      // fp16 keys rotated once more than in the prefill: a rounding, not an error.
      EXPECT_LT(difference(fused(behind_prefix, {.selector = selector, .ratio = ratio}), expected), 1e-2)
          << selector.name;
    }
  }
}

TEST_P(FuserTest, RepairBringsTheAnswerNearerToTheFullPrefill) {
  const PromptPlan prompt = plan({0, 2, 3});
  const std::vector<float> expected = full_prefill(prompt);
  const double reuse = difference(fused(prompt, {.ratio = 0.0}), expected);
  EXPECT_GT(reuse, 1e-3);
  for (const Selector& selector : selectors()) {
    EXPECT_LT(difference(fused(prompt, {.selector = selector, .ratio = 0.95}), expected), reuse) << selector.name;
  }
}

TEST_P(FuserTest, AnyRowsThatASelectorTakesAreWhatTheReferenceMakesOfThem) {
  const std::vector<std::byte> bytes = mneme::testing::random_gguf(shape_);
  const auto file = gguf::GgufFile::parse(bytes, "fuser");
  ASSERT_TRUE(file.ok()) << file.status().message();
  const mneme::testing::ReferenceModel reference(*file);
  const PromptPlan prompt = plan({2, 1, 0});
  const mneme::testing::TestDevice& device = mneme::testing::test_device();
  const double tolerance = shape_.n_experts > 0 ? device.fused_expert_tolerance : device.fused_tolerance;
  for (const char* name : {"focus", "boundary", "hkvd", "query"}) {
    const Selector selector = *selector_by_name(name);
    for (const double ratio : {0.0, 0.15, 0.6}) {
      if (ratio != 0.15 && selector.name != default_selector().name) continue;  // the reference is slow
      FuseReport report;
      const std::vector<float> got = fused(prompt, {.selector = selector, .ratio = ratio}, &report);
      const mneme::testing::Vector expected =
          ReferenceFusion(reference, prefix_).logits(prompt, report.layers_computed);
      EXPECT_LT(mneme::testing::relative_error(got.data(), expected), tolerance) << selector.name << " at " << ratio;
    }
  }
}

TEST_P(FuserTest, ASelectorTakesTheSameRowsEveryTime) {
  const PromptPlan prompt = plan({2, 0, 3});
  for (const Selector& selector : selectors()) {
    FuseReport first, second;
    const std::vector<float> logits = fused(prompt, {.selector = selector, .ratio = 0.2, .seed = 3}, &first);
    EXPECT_EQ(fused(prompt, {.selector = selector, .ratio = 0.2, .seed = 3}, &second), logits) << selector.name;
    EXPECT_EQ(first.layers_computed, second.layers_computed) << selector.name;
  }
}

TEST_P(FuserTest, ReportsWhatWasRecomputed) {
  FuseReport report;
  const PromptPlan prompt = plan({0, 2});
  fused(prompt, {.ratio = 0.0}, &report);
  EXPECT_EQ(report.recompute_ratio(), 0.0);
  EXPECT_EQ(report.chunk_tokens, 105);
  EXPECT_EQ(report.bytes_read, int64_t{105} * model_->config().kv_bytes_per_token());
  fused(prompt, {.selector = *selector_by_name("boundary"), .ratio = 0.2}, &report);
  EXPECT_NEAR(report.recompute_ratio(), 0.2, 0.01);
  // Two full layers of five, the rest a little above and at 0.2; layer 0 is never read.
  fused(prompt, {.selector = *selector_by_name("hkvd-one-layer"), .ratio = 0.2}, &report);
  EXPECT_NEAR(report.recompute_ratio(), (2.0 + 3 * 0.2) / 5, 0.02);
  EXPECT_EQ(report.bytes_read, 105 * kv_bytes_from(1));
}

// The question looks at some layers first; those stay in place.
TEST_P(FuserTest, ALookReadsNoLayerTwice) {
  FuseReport report;
  for (const Selector& selector : selectors()) {
    if (selector.rank != RankBy::kQuestion) continue;
    fused(plan({0, 2}), {.selector = selector, .ratio = 0.2}, &report);
    EXPECT_NEAR(report.recompute_ratio(), 0.2, 0.01) << selector.name;
    EXPECT_EQ(report.bytes_read, int64_t{105} * model_->config().kv_bytes_per_token()) << selector.name;
  }
}

TEST_P(FuserTest, AShareByDepthIsComputedOnTheFirstLayersOnly) {
  const Selector half{.name = "half", .rank = RankBy::kQuestion, .look_depth = 0.6, .look_scored = 0.2, .depth = 0.4};
  FuseReport report;
  fused(plan({0, 2}), {.selector = half, .ratio = 0.2}, &report);
  EXPECT_NEAR(report.recompute_ratio(), 0.2, 0.01);
  const int n_layers = model_->config().n_kv_layers();
  for (const int depth : report.layers_computed) EXPECT_TRUE(depth == 0 || depth == 2 || depth == n_layers) << depth;
  // More than the first layers can take: all rows there, and some behind them.
  fused(plan({0, 2}), {.selector = half, .ratio = 0.6}, &report);
  EXPECT_NEAR(report.recompute_ratio(), 0.6, 0.01);
  for (const int depth : report.layers_computed) EXPECT_TRUE(depth == 2 || depth == n_layers) << depth;
}

TEST_P(FuserTest, DamagedChunksAreComputedInstead) {
  const PromptPlan prompt = plan({0, 2, 3});
  for (const double ratio : {0.0, 0.2}) {
    for (int layer = 1; layer < model_->config().n_kv_layers(); ++layer) {
      source_.damaged_chunk = 2;
      source_.damaged_layer = layer;
      FuseReport report;
      const std::vector<float> logits = fused(prompt, {.ratio = ratio}, &report);
      EXPECT_EQ(report.failed_chunks, std::vector<int>{2});
      // The same as asking for chunk 2 to be computed from the start.
      PromptPlan by_hand = prompt;
      by_hand.segments[3].chunk = -1;
      EXPECT_EQ(logits, fused(by_hand, {.ratio = ratio}));
    }
  }
}

TEST_P(FuserTest, NoHitsAtAllIsThePlainPrefill) {
  PromptPlan prompt = plan({0, 2});
  for (PromptSegment& segment : prompt.segments) segment.chunk = -1;
  EXPECT_LT(difference(fused(prompt, {}), full_prefill(prompt)), 1e-3);
}

// A long prompt of which nothing is stored runs in steps, as any prefill: scratch for all of its rows at once would be
// gigabytes with a large model, and stays with it.
TEST_P(FuserTest, NoHitsAtAllRunInSteps) {
  PromptPlan prompt = plan({2, 2, 2, 2, 2, 2, 2, 0});
  for (PromptSegment& segment : prompt.segments) segment.chunk = -1;
  const int most = model_->backend().most_step_rows();
  if (prompt.n_tokens() <= most) GTEST_SKIP() << "a step of this device takes " << most << " rows";
  FuseReport report;
  EXPECT_LT(difference(fused(prompt, {}, &report), full_prefill(prompt)), 1e-3);
  const int n_layers = model_->config().n_kv_layers();
  EXPECT_EQ(report.row_layers, int64_t{n_layers} * prompt.n_tokens());
  EXPECT_EQ(report.layers_computed, std::vector<int>(static_cast<size_t>(prompt.n_tokens()), n_layers));
  EXPECT_LE((*model_->forward_pass(1))->max_rows(), most);
}

TEST_P(FuserTest, TakesScratchForTheRowsThatRunOnly) {
  const PromptPlan prompt = plan({0, 2, 3});
  for (const char* name : {"focus", "boundary", "random"}) {
    (void)fused(prompt, {.selector = *selector_by_name(name), .ratio = 0.2});
    EXPECT_LT((*model_->forward_pass(1))->max_rows(), prompt.n_tokens() / 2) << name;
  }
}

TEST_P(FuserTest, ACancelledFusionDoesNotWaitForItsTurn) {
  auto sequence = sequence_with_prefix();
  CancelToken cancel;
  Status status;
  const EngineQueue::Turn turn = model_->queue().enter(Priority::kInteractive);
  std::thread thread([&] { status = fuse(*model_, *sequence, plan({0}), source_, codecs(), {}, cancel).status(); });
  while (model_->queue().n_waiting(Priority::kInteractive) < 1) std::this_thread::yield();
  cancel.cancel();
  thread.join();  // ends although the turn is held
  EXPECT_EQ(status.code(), StatusCode::kCancelled);
  EXPECT_EQ(sequence->n_tokens(), static_cast<int>(prefix_.size()));
}

TEST_P(FuserTest, RefusesWhatDoesNotFit) {
  auto sequence = sequence_with_prefix();
  PromptPlan no_question = plan({0});
  no_question.segments.pop_back();
  EXPECT_EQ(fuse(*model_, *sequence, no_question, source_, codecs(), {}).status().code(), StatusCode::kUsage);
  PromptPlan unknown = plan({0});
  unknown.segments[1].chunk = 9;
  EXPECT_EQ(fuse(*model_, *sequence, unknown, source_, codecs(), {}).status().code(), StatusCode::kUsage);
  PromptPlan wrong_tokens = plan({0});
  wrong_tokens.segments[1].ids.pop_back();
  EXPECT_EQ(fuse(*model_, *sequence, wrong_tokens, source_, codecs(), {}).status().code(), StatusCode::kUsage);
  EXPECT_EQ(fuse(*model_, *sequence, plan({0, 2, 0, 2, 0, 2, 0, 2, 0, 2, 0, 2}), source_, codecs(), {}).status().code(),
            StatusCode::kResource);
  EXPECT_EQ(sequence->n_tokens(), static_cast<int>(prefix_.size()));
}

// Before anything is computed, with what would fit; the system would end the program in the middle. On the processor,
// whatever device the others run on: on that one the host's memory would be taken.
TEST(FuserMemory, RefusesWhatMemoryDoesNotHold) {
  const mneme::testing::RandomModel shape{
      .n_layers = 8, .n_heads = 64, .n_kv_heads = 64, .head_dim = 64, .context = 1 << 24};
  const std::string path = mneme::testing::write_temporary(mneme::testing::random_gguf(shape), "fuser-memory.gguf");
  const auto model = LanguageModel::open(path, {.device = {.device = "cpu", .n_threads = 2}});
  ASSERT_TRUE(model.ok()) << model.status().message();
  const int64_t per_token = (*model)->config().kv_bytes_per_token();
  const int64_t n_tokens = (*model)->backend().free_memory_bytes() / per_token * 5 / 4 + 1;
  if (n_tokens > (*model)->config().context_length) GTEST_SKIP() << "so much memory no context fills";
  const auto sequence = (*model)->new_sequence(static_cast<int>(n_tokens));
  ASSERT_TRUE(sequence.ok()) << sequence.status().message();
  ChunksInMemory nothing;
  const PromptPlan plan{.segments = {{std::vector<TokenId>(static_cast<size_t>(n_tokens), 3), -1, true}}};
  const Status status = fuse(**model, **sequence, plan, nothing, {}, {}).status();
  EXPECT_EQ(status.code(), StatusCode::kResource);
  EXPECT_NE(status.message().find("would fit"), std::string::npos) << status.message();
  EXPECT_EQ((*sequence)->n_tokens(), 0);
}

// Whatever layer is on its way, looked at or computed, when the user stops it.
TEST_P(FuserTest, CancellingAtAnyLayerLeavesTheSequenceAsItWas) {
  const PromptPlan prompt = plan({0, 2});
  const std::vector<float> expected = fused(prompt, {.ratio = 0.2});
  for (const char* name : {"focus", "boundary"}) {
    const FuseOptions options{.selector = *selector_by_name(name), .ratio = 0.2, .decode_beside = false};
    for (int layer = 0; layer < model_->config().n_kv_layers(); ++layer) {
      auto sequence = sequence_with_prefix();
      CancelToken cancel;
      source_.before_fetch = [&](int chunk, int at) {
        if (chunk == 2 && at == layer) cancel.cancel();
      };
      EXPECT_EQ(fuse(*model_, *sequence, prompt, source_, codecs(), options, cancel).status().code(),
                StatusCode::kCancelled)
          << name << " at layer " << layer;
      EXPECT_EQ(sequence->n_tokens(), static_cast<int>(prefix_.size()));
      source_.before_fetch = {};
      ASSERT_TRUE(fuse(*model_, *sequence, prompt, source_, codecs(), {.ratio = 0.2}).ok());
      EXPECT_EQ(std::vector<float>(sequence->logits().begin(), sequence->logits().end()), expected);
    }
  }
}

// Each chunk through a codec of its own.
TEST_P(FuserTest, ChunksOfDifferentCodecsMix) {
  auto made = make_kv_codec(kv_shape_of(model_->config()), KvLevel::kExact, nullptr);
  ASSERT_TRUE(made.ok()) << made.status().message();
  const std::unique_ptr<KvCodec> exact = std::move(made).value();
  const PromptPlan prompt = plan({0, 2, 3});
  const std::vector<float> expected = fused(prompt, {.ratio = 0.2});
  source_.other_codecs = {{2, exact.get()}};
  std::vector<const KvCodec*> mixed = codecs();
  mixed[2] = exact.get();
  auto sequence = sequence_with_prefix();
  ASSERT_TRUE(fuse(*model_, *sequence, prompt, source_, mixed, {.ratio = 0.2}).ok());
  EXPECT_EQ(std::vector<float>(sequence->logits().begin(), sequence->logits().end()), expected);
}

TEST_P(FuserTest, CancellingLeavesTheSequenceAsItWas) {
  auto sequence = sequence_with_prefix();
  CancelToken cancel;
  cancel.cancel();
  EXPECT_EQ(fuse(*model_, *sequence, plan({0, 2}), source_, codecs(), {}, cancel).status().code(),
            StatusCode::kCancelled);
  EXPECT_EQ(sequence->n_tokens(), static_cast<int>(prefix_.size()));
  EXPECT_TRUE(fuse(*model_, *sequence, plan({0, 2}), source_, codecs(), {}).ok());
}

INSTANTIATE_TEST_SUITE_P(Families, FuserTest, ::testing::ValuesIn(kFamilies));

}  // namespace
}  // namespace mneme::engine
