// The default selector on models of other depths than the one it was found on, and the rows it takes in a fixed case.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/fusion/selection_fingerprint.h"
#include "tests/unit/fusion/fuser_bed.h"
#include "tests/unit/fusion/reference_fusion.h"

namespace mneme::engine {
namespace {

class FocusOfDepth : public FuserBed, public ::testing::TestWithParam<uint32_t> {
 protected:
  void SetUp() override { open("llama", GetParam()); }
  int n_layers() const { return model_->config().n_layers; }
};

TEST_P(FocusOfDepth, LooksAndComputesOnSharesOfTheLayers) {
  const Selector& focus = default_selector();
  const LookLayers look = look_layers(focus, n_layers());
  EXPECT_GE(look.first_scored, 0);
  EXPECT_GT(look.end, look.first_scored) << "at least one layer is looked at";
  EXPECT_LE(look.end, n_layers());
  EXPECT_NEAR(look.end, 0.75 * n_layers(), 0.5);
  EXPECT_NEAR(look.end - look.first_scored, std::max(1.0, n_layers() / 8.0), 0.5);
  for (const double ratio : {0.15, 0.5}) {
    FuseReport report;
    const PromptPlan prompt = plan({2, 1, 0});
    fused(prompt, {.ratio = ratio}, &report);
    EXPECT_NEAR(report.recompute_ratio(), ratio, 0.01) << "the share is of all layers, whatever their number";
    int n_repaired = 0;
    for (const int depth : report.layers_computed) {
      EXPECT_TRUE(depth == 0 || depth == look.end || depth == n_layers()) << depth;
      n_repaired += depth == look.end ? 1 : 0;
    }
    EXPECT_GT(n_repaired, 0);
  }
}

TEST_P(FocusOfDepth, IsExactWhereEverythingIsComputed) {
  const std::vector<std::vector<int>> orders = {{0, 1, 2, 3}, {3, 2}, {1}};
  for (const std::vector<int>& order : orders) {
    const PromptPlan prompt = plan(order);
    EXPECT_LT(difference(fused(prompt, {.ratio = 1.0}), full_prefill(prompt)), 1e-3);
  }
}

TEST_P(FocusOfDepth, ItsRowsAreWhatTheReferenceMakesOfThem) {
  const std::vector<std::byte> bytes = mneme::testing::random_gguf(shape_);
  const auto file = gguf::GgufFile::parse(bytes, "focus");
  ASSERT_TRUE(file.ok()) << file.status().message();
  const mneme::testing::ReferenceModel reference(*file);
  const PromptPlan prompt = plan({3, 1, 3});
  FuseReport report;
  const std::vector<float> got = fused(prompt, {.ratio = 0.3}, &report);
  const mneme::testing::Vector expected = ReferenceFusion(reference, prefix_).logits(prompt, report.layers_computed);
  EXPECT_LT(mneme::testing::relative_error(got.data(), expected), 1e-2);
}

INSTANTIATE_TEST_SUITE_P(Layers, FocusOfDepth, ::testing::Values(1, 2, 4, 24));

class FocusTest : public FuserBed, public ::testing::Test {
 protected:
  void SetUp() override { open("llama", 4); }
};

// What is judged of a selector (the quality gate) is kept under its fingerprint. That sees each step, but not how the
// fuser puts them together: where this fails, raise kAttemptVersion in selection_fingerprint.cpp and put the new rows
// here.
TEST_F(FocusTest, TakesTheRowsOfItsVersion) {
  FuseReport report;
  PromptPlan prompt = plan({0, 2, 3});
  prompt.prefix_tokens = static_cast<int>(prefix_.size());
  fused(prompt, {.ratio = 0.15}, &report);
  std::string repaired;
  for (size_t row = 0; row < report.layers_computed.size(); ++row) {
    if (report.layers_computed[row] == 3) repaired += std::to_string(row) + " ";
  }
  EXPECT_EQ(repaired, "49 50 51 70 71 72 73 74 75 76 77 78 79 80 81 82 83 90 91 109 114 115 125 129 ");
}

}  // namespace
}  // namespace mneme::engine
