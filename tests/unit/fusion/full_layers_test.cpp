// First layers computed for all rows while what is stored of the others is read: against the full prefill, the same
// partial recompute in fp64, and what the source is asked for.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/mutex.h"
#include "engine/fusion/fuser.h"
#include "tests/unit/fusion/fuser_bed.h"
#include "tests/unit/fusion/reference_fusion.h"

namespace mneme::engine {
namespace {

constexpr int kLayers = 5;

class FullLayersTest : public FuserBed, public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { open(GetParam(), kLayers); }
};

TEST_P(FullLayersTest, AllOfThemAreTheFullPrefillAndReadNothing) {
  source_.before_fetch = [](int chunk, int layer) { ADD_FAILURE() << "chunk " << chunk << ", layer " << layer; };
  for (const std::vector<int>& order : {std::vector<int>{0}, {1, 0, 1, 2, 1}, {3, 2}}) {
    const std::vector<float> expected = full_prefill(plan(order));
    for (const Selector& selector : selectors()) {
      const double ratio = selector.name == default_selector().name ? 0.15 : 0.0;
      FuseReport report;
      const std::vector<float> got =
          fused(plan(order), {.selector = selector, .ratio = ratio, .n_full_layers = kLayers}, &report);
      EXPECT_LT(difference(got, expected), mneme::testing::test_device().pass_tolerance) << selector.name;
      EXPECT_EQ(report.recompute_ratio(), 1.0);
      EXPECT_EQ(report.bytes_read, 0);
      EXPECT_EQ(report.full_layers, kLayers);
    }
  }
}

TEST_P(FullLayersTest, WhatTheyAndChosenRowsGiveIsWhatTheReferenceMakesOfThem) {
  const std::vector<std::byte> bytes = mneme::testing::random_gguf(shape_);
  const auto file = gguf::GgufFile::parse(bytes, "full-layers");
  ASSERT_TRUE(file.ok()) << file.status().message();
  const mneme::testing::ReferenceModel reference(*file);
  const PromptPlan prompt = plan({2, 1, 0});
  const mneme::testing::TestDevice& device = mneme::testing::test_device();
  const double tolerance = shape_.n_experts > 0 ? device.fused_expert_tolerance : device.fused_tolerance;
  // In the middle of the look, before the layers that count, and behind it; one layer; no repair at all.
  const std::vector<std::pair<const char*, std::pair<int, double>>> cases = {
      {"focus", {1, 0.15}}, {"focus", {2, 0.15}},   {"focus", {4, 0.15}}, {"focus", {2, 0.0}},
      {"hkvd", {2, 0.3}},   {"boundary", {3, 0.2}}, {"query", {2, 0.3}}};
  for (const auto& [name, depth_and_ratio] : cases) {
    const auto [n_full, ratio] = depth_and_ratio;
    FuseReport report;
    const std::vector<float> got =
        fused(prompt, {.selector = *selector_by_name(name), .ratio = ratio, .n_full_layers = n_full}, &report);
    for (const int depth : report.layers_computed) EXPECT_GE(depth, n_full);
    const mneme::testing::Vector expected = ReferenceFusion(reference, prefix_).logits(prompt, report.layers_computed);
    EXPECT_LT(mneme::testing::relative_error(got.data(), expected), tolerance)
        << name << ", " << n_full << " layers, at " << ratio;
  }
}

TEST_P(FullLayersTest, TheirStoredKvIsNotAskedForTheOthersOnce) {
  const PromptPlan prompt = plan({0, 2, 2, 3});
  Mutex mutex;
  std::map<std::pair<int, int>, int> fetched;
  source_.before_fetch = [&](int chunk, int layer) {
    MutexLock lock(mutex);
    ++fetched[{chunk, layer}];
  };
  for (const bool beside : {true, false}) {
    for (const Selector& selector : selectors()) {
      fetched.clear();
      FuseReport report;
      (void)fused(prompt, {.selector = selector, .ratio = 0.2, .n_full_layers = 2, .decode_beside = beside}, &report);
      EXPECT_EQ(fetched.size(), static_cast<size_t>(3 * (kLayers - 2))) << selector.name;
      for (const auto& [at, n] : fetched) {
        EXPECT_GE(at.second, 2) << selector.name;
        EXPECT_EQ(n, at.first == 2 ? 2 : 1) << selector.name << ": chunk 2 stands in the prompt twice";
      }
      EXPECT_EQ(report.bytes_read, 187 * kv_bytes_from(2));
      EXPECT_EQ(report.full_layers, 2);
    }
  }
  source_.before_fetch = {};
}

TEST_P(FullLayersTest, BehindThemTheShareIsComputed) {
  const PromptPlan prompt = plan({0, 2});
  FuseReport report;
  const auto ratio_of = [&](const char* selector, double ratio, int n_full) {
    fused(prompt, {.selector = *selector_by_name(selector), .ratio = ratio, .n_full_layers = n_full}, &report);
    return report.recompute_ratio();
  };
  EXPECT_NEAR(ratio_of("boundary", 0.2, 2), (2 + 3 * 0.2) / kLayers, 0.01);
  EXPECT_NEAR(ratio_of("boundary", 0.0, 3), 3.0 / kLayers, 1e-9);
  // Looks through four of five layers, and computes on them.
  EXPECT_NEAR(ratio_of("focus", 0.2, 2), (2 + 2 * 0.25) / kLayers, 0.01);
  EXPECT_NEAR(ratio_of("focus", 0.2, 4), 4.0 / kLayers, 0.01);
  // Compares on the first layer that is read.
  EXPECT_NEAR(ratio_of("hkvd-one-layer", 0.2, 2), (3 + 2 * 0.2) / kLayers, 0.01);
  EXPECT_NEAR(ratio_of("hkvd-one-layer", 0.2, 1), (2 + 3 * 0.2) / kLayers, 0.01);
}

TEST_P(FullLayersTest, DamageBehindThemIsComputedInstead) {
  const PromptPlan prompt = plan({0, 2, 3});
  PromptPlan by_hand = prompt;
  by_hand.segments[3].chunk = -1;
  const FuseOptions options{.ratio = 0.2, .n_full_layers = 2};
  const std::vector<float> expected = fused(by_hand, options);
  source_.damaged_chunk = 2;
  for (const int layer : {2, kLayers - 1}) {
    source_.damaged_layer = layer;
    FuseReport report;
    EXPECT_EQ(fused(prompt, options, &report), expected) << layer;
    EXPECT_EQ(report.failed_chunks, std::vector<int>{2});
  }
  // What is not read cannot be damaged.
  source_.damaged_layer = 1;
  FuseReport report;
  (void)fused(prompt, options, &report);
  EXPECT_TRUE(report.failed_chunks.empty());
}

TEST_P(FullLayersTest, NothingStoredIsThePlainPrefill) {
  PromptPlan prompt = plan({0, 2});
  for (PromptSegment& segment : prompt.segments) segment.chunk = -1;
  FuseReport report;
  EXPECT_LT(difference(fused(prompt, {.n_full_layers = 2}, &report), full_prefill(prompt)), 1e-3);
  EXPECT_EQ(report.full_layers, 0);
}

TEST_P(FullLayersTest, CancellingLeavesTheSequenceAsItWas) {
  const PromptPlan prompt = plan({0, 2});
  const std::vector<float> expected = fused(prompt, {.ratio = 0.2});
  const FuseOptions options{.ratio = 0.2, .n_full_layers = 2, .decode_beside = false};
  for (int layer = 2; layer < kLayers; ++layer) {
    auto sequence = sequence_with_prefix();
    CancelToken cancel;
    source_.before_fetch = [&](int chunk, int at) {
      if (chunk == 2 && at == layer) cancel.cancel();
    };
    EXPECT_EQ(fuse(*model_, *sequence, prompt, source_, codecs(), options, cancel).status().code(),
              StatusCode::kCancelled);
    EXPECT_EQ(sequence->n_tokens(), static_cast<int>(prefix_.size()));
    source_.before_fetch = {};
    ASSERT_TRUE(fuse(*model_, *sequence, prompt, source_, codecs(), {.ratio = 0.2}).ok());
    EXPECT_EQ(std::vector<float>(sequence->logits().begin(), sequence->logits().end()), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Families, FullLayersTest, ::testing::ValuesIn(kFamilies));

}  // namespace
}  // namespace mneme::engine
