// Fusion against what it stands for: ratio 1 is the full prefill; ratio 0 is what a plain sequence gives over the same
// KV; every selector, order, repeat and failure ends in a sequence that can go on.
#include "engine/fusion/fuser.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>

#include <gtest/gtest.h>

#include "engine/kv/chunk_kv.h"
#include "engine/language_model.h"
#include "tests/support/loaded_model.h"
#include "tests/support/random_gguf.h"
#include "tests/support/reference_model.h"

namespace mneme::engine {
namespace {

ModelOptions model_options() {
  return {.device = {.device = mneme::testing::test_device().name, .n_threads = 2}, .context_tokens = 0};
}

std::vector<TokenId> ids_of(int n, int seed) {
  std::vector<TokenId> ids;
  for (int i = 0; i < n; ++i) ids.push_back(3 + (i * 37 + seed * 101 + i * i % 11) % 300);
  return ids;
}

// Chunks in memory, as plain fp16.
class MemorySource final : public KvSource {
 public:
  int n_chunks() const override { return static_cast<int>(chunks.size()); }
  ChunkKvInfo chunk(int chunk) const override {
    const ChunkKv& kv = chunks[static_cast<size_t>(chunk)];
    return {kv.n_tokens, static_cast<int>(kv.keys.size()), 1, 1};
  }
  Status fetch_layer(int chunk, int layer, std::vector<std::byte>& out) override {
    if (chunk == damaged_chunk && layer == damaged_layer) return corruption("planted damage");
    const ChunkKv& kv = chunks[static_cast<size_t>(chunk)];
    out.clear();
    return codec->encode_layer(layer, kv.n_tokens, kv.keys[static_cast<size_t>(layer)],
                               kv.values[static_cast<size_t>(layer)], out);
  }

  std::vector<ChunkKv> chunks;
  const KvCodec* codec = nullptr;
  int damaged_chunk = -1;
  int damaged_layer = -1;
};

class FuserTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    shape_.architecture = GetParam();
    shape_.n_layers = 5;
    shape_.vocab_size = 320;
    shape_.vocabulary = true;
    shape_.type = gguf::TensorType::kF32;
    if (shape_.architecture == "gemma3") shape_.window = 24;
    const std::string path = mneme::testing::write_temporary(mneme::testing::random_gguf(shape_),
                                                             std::string("fuser-") + GetParam() + ".gguf");
    auto opened = LanguageModel::open(path, model_options());
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    model_ = std::move(opened).value();
    const ModelConfig& config = model_->config();
    codec_ = make_raw_codec({config.n_layers, config.n_kv_heads, config.head_dim});
    source_.codec = codec_.get();
    prefix_ = ids_of(7, 0);
    auto calculator = ChunkKvCalculator::make(*model_, prefix_, 200);
    ASSERT_TRUE(calculator.ok()) << calculator.status().message();
    for (const int n_tokens : {40, 1, 65, 17}) {
      chunk_ids_.push_back(ids_of(n_tokens, n_tokens));
      auto kv = (*calculator)->calculate(chunk_ids_.back());
      ASSERT_TRUE(kv.ok()) << kv.status().message();
      source_.chunks.push_back(std::move(kv).value());
    }
  }

  // [label][chunk]... [question], with a computed separator before each chunk.
  PromptPlan plan(const std::vector<int>& order) const {
    PromptPlan plan;
    int n = 1;
    for (const int chunk : order) {
      plan.segments.push_back({ids_of(3, 50 + n++), -1, false});
      plan.segments.push_back({chunk_ids_[static_cast<size_t>(chunk)], chunk, false});
    }
    plan.segments.push_back({ids_of(9, 99), -1, true});
    return plan;
  }

  std::unique_ptr<Sequence> sequence_with_prefix() const {
    auto sequence = model_->new_sequence(600);
    EXPECT_TRUE(sequence.ok());
    EXPECT_TRUE((*sequence)->append(prefix_).ok());
    return std::move(sequence).value();
  }

  std::vector<const KvCodec*> codecs() const {
    return std::vector<const KvCodec*>(source_.chunks.size(), codec_.get());
  }

  std::vector<float> full_prefill(const PromptPlan& plan) const {
    auto sequence = sequence_with_prefix();
    for (const PromptSegment& segment : plan.segments) EXPECT_TRUE(sequence->append(segment.ids).ok());
    return {sequence->logits().begin(), sequence->logits().end()};
  }

  std::vector<float> fused(const PromptPlan& plan, const FuseOptions& options, FuseReport* report = nullptr) {
    auto sequence = sequence_with_prefix();
    const auto result = fuse(*model_, *sequence, plan, source_, codecs(), options);
    EXPECT_TRUE(result.ok()) << result.status().message();
    if (!result.ok()) return {};
    if (report != nullptr) *report = *result;
    EXPECT_EQ(sequence->n_tokens(), static_cast<int>(prefix_.size()) + plan.n_tokens());
    std::vector<float> logits(sequence->logits().begin(), sequence->logits().end());
    // The sequence must go on as any other.
    const std::vector<TokenId> next{5};
    EXPECT_TRUE(sequence->append(next).ok());
    return logits;
  }

  // Largest difference in units of the standard deviation of `expected`.
  static double difference(const std::vector<float>& got, const std::vector<float>& expected) {
    EXPECT_EQ(got.size(), expected.size());
    double mean = 0.0;
    for (const float x : expected) mean += x;
    mean /= static_cast<double>(expected.size());
    double variance = 0.0;
    double largest = 0.0;
    for (size_t i = 0; i < expected.size(); ++i) {
      variance += (expected[i] - mean) * (expected[i] - mean);
      largest = std::max(largest, std::abs(static_cast<double>(got[i]) - expected[i]));
    }
    return largest / std::sqrt(variance / static_cast<double>(expected.size()));
  }

  mneme::testing::RandomModel shape_;
  std::unique_ptr<LanguageModel> model_;
  std::unique_ptr<KvCodec> codec_;
  MemorySource source_;
  std::vector<TokenId> prefix_;
  std::vector<std::vector<TokenId>> chunk_ids_;
};

const std::vector<std::vector<int>> kOrders = {{0}, {1}, {0, 1, 2, 3}, {3, 2, 1, 0}, {2, 2}, {1, 0, 1, 2, 1}};

TEST_P(FuserTest, RatioOneEqualsTheFullPrefill) {
  for (const std::vector<int>& order : kOrders) {
    const std::vector<float> expected = full_prefill(plan(order));
    for (const Selector& selector : selectors()) {
      FuseReport report;
      EXPECT_LT(difference(fused(plan(order), {.selector = selector, .ratio = 1.0}, &report), expected), 1e-3)
          << selector.name;
      EXPECT_EQ(report.recompute_ratio(), 1.0);
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

// The same partial recompute in fp64: chunks computed alone behind the prefix, their keys turned to where they stand,
// the rows that were computed, as deep as they were, computed over them, layer by layer.
class ReferenceFusion {
 public:
  using Rows = std::vector<mneme::testing::ReferenceModel::Row>;

  ReferenceFusion(const mneme::testing::ReferenceModel& reference, const std::vector<TokenId>& prefix)
      : reference_(reference), prefix_(prefix.begin(), prefix.end()), cache_(reference.empty_cache()) {
    reference_.prefill(prefix_, cache_);
  }

  // layers_computed: as FuseReport has them.
  mneme::testing::Vector logits(const PromptPlan& plan, const std::vector<int>& layers_computed) {
    lay_out(plan);
    Rows running = rows_;
    std::vector<int> depths = layers_computed;
    for (int layer = 0; layer < reference_.n_layers(); ++layer) {
      for (Alone& chunk : alone_) place(layer, chunk);
      drop_shallow(running, depths, layer);
      reference_.run_layer(layer, running, cache_);
    }
    return reference_.logits(running.back());
  }

 private:
  // A chunk behind the prefix alone, and where it stands in the prompt.
  struct Alone {
    Rows rows;
    mneme::testing::ReferenceModel::Cache cache;
    int first = 0;
  };

  void place(int layer, Alone& chunk) {
    Rows moved = chunk.rows;
    for (size_t i = 0; i < moved.size(); ++i) moved[i].position = chunk.first + static_cast<int>(i);
    reference_.project(layer, moved, cache_);
    reference_.run_layer(layer, chunk.rows, chunk.cache);
  }

  static void drop_shallow(Rows& rows, std::vector<int>& depths, int layer) {
    size_t kept = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (depths[i] <= layer) continue;
      depths[kept] = depths[i];
      if (kept != i) rows[kept] = std::move(rows[i]);
      ++kept;
    }
    rows.resize(kept);
    depths.resize(kept);
  }

  void lay_out(const PromptPlan& plan) {
    for (const PromptSegment& segment : plan.segments) {
      const int first = static_cast<int>(prefix_.size() + rows_.size());
      if (segment.chunk >= 0) add_chunk(segment, first);
      for (size_t i = 0; i < segment.ids.size(); ++i) {
        rows_.push_back(reference_.begin(segment.ids[i], first + static_cast<int>(i)));
      }
    }
  }

  void add_chunk(const PromptSegment& segment, int first) {
    Alone chunk{.rows = {}, .cache = reference_.empty_cache(), .first = first};
    reference_.prefill(prefix_, chunk.cache);
    for (size_t i = 0; i < segment.ids.size(); ++i) {
      chunk.rows.push_back(reference_.begin(segment.ids[i], static_cast<int>(prefix_.size() + i)));
    }
    alone_.push_back(std::move(chunk));
  }

  const mneme::testing::ReferenceModel& reference_;
  const std::vector<int> prefix_;
  mneme::testing::ReferenceModel::Cache cache_;
  std::vector<Alone> alone_;
  Rows rows_;  // of the whole prompt
};

TEST_P(FuserTest, AnyRowsThatASelectorTakesAreWhatTheReferenceMakesOfThem) {
  const std::vector<std::byte> bytes = mneme::testing::random_gguf(shape_);
  const auto file = gguf::GgufFile::parse(bytes, "fuser");
  ASSERT_TRUE(file.ok()) << file.status().message();
  const mneme::testing::ReferenceModel reference(*file);
  const PromptPlan prompt = plan({2, 1, 0});
  for (const char* name : {"focus", "boundary", "hkvd", "query"}) {
    const Selector selector = *selector_by_name(name);
    for (const double ratio : {0.0, 0.15, 0.6}) {
      if (ratio != 0.15 && selector.name != default_selector().name) continue;  // the reference is slow
      FuseReport report;
      const std::vector<float> got = fused(prompt, {.selector = selector, .ratio = ratio}, &report);
      const mneme::testing::Vector expected =
          ReferenceFusion(reference, prefix_).logits(prompt, report.layers_computed);
      // Stored keys are rounded to fp16 before they are turned, and once more after it.
      EXPECT_LT(mneme::testing::relative_error(got.data(), expected), 5e-3) << selector.name << " at " << ratio;
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
  EXPECT_EQ(report.bytes_read, int64_t{105} * model_->config().kv_bytes_per_token() * 4 / 5);
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
  const int n_layers = model_->config().n_layers;
  for (const int depth : report.layers_computed) EXPECT_TRUE(depth == 0 || depth == 2 || depth == n_layers) << depth;
  // More than the first layers can take: all rows there, and some behind them.
  fused(plan({0, 2}), {.selector = half, .ratio = 0.6}, &report);
  EXPECT_NEAR(report.recompute_ratio(), 0.6, 0.01);
  for (const int depth : report.layers_computed) EXPECT_TRUE(depth == 2 || depth == n_layers) << depth;
}

TEST_P(FuserTest, DamagedChunksAreComputedInstead) {
  const PromptPlan prompt = plan({0, 2, 3});
  for (const double ratio : {0.0, 0.2}) {
    for (int layer = 1; layer < model_->config().n_layers; ++layer) {
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

TEST_P(FuserTest, CancellingLeavesTheSequenceAsItWas) {
  auto sequence = sequence_with_prefix();
  CancelToken cancel;
  cancel.cancel();
  EXPECT_EQ(fuse(*model_, *sequence, plan({0, 2}), source_, codecs(), {}, cancel).status().code(),
            StatusCode::kCancelled);
  EXPECT_EQ(sequence->n_tokens(), static_cast<int>(prefix_.size()));
  EXPECT_TRUE(fuse(*model_, *sequence, plan({0, 2}), source_, codecs(), {}).ok());
}

INSTANTIATE_TEST_SUITE_P(Architectures, FuserTest,
                         ::testing::Values("llama", "qwen2", "qwen3", "phi3", "gemma2", "gemma3"));

}  // namespace
}  // namespace mneme::engine
