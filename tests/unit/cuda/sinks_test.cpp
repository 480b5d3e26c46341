// Models whose heads have sinks, as a whole: the processor's logits whatever a step does, also as graphs and where the
// processor has a share of the layers; each model its own sinks. (attention_test and retrieval_test have the kernels.)
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/backend/cpu/cpu_backend.h"
#include "engine/backend/cuda/cuda_backend.h"
#include "engine/backend/cuda/split_backend.h"
#include "tests/support/loaded_model.h"
#include "tests/support/random_gguf.h"
#include "tests/support/simt/simt.h"

namespace mneme::testing {
namespace {

using engine::RowGroup;
using engine::RowSet;
using engine::TokenId;
using engine::TokenPos;

class CudaSinks : public ::testing::Test {
 protected:
  void SetUp() override { opener_ = test_device().open; }
  void TearDown() override { test_device().open = opener_; }

  static Result<std::unique_ptr<engine::Backend>> open_processor(int n_threads) {
    return engine::make_cpu_backend(n_threads);
  }
  // A model with sinks on what the test device is now.
  static std::unique_ptr<LoadedModel> load(const RandomModel& family, uint64_t seed = 1) {
    auto model = load_model(random_gguf(family));
    if (model != nullptr) give_sinks(*model, seed);
    return model;
  }
  std::unique_ptr<LoadedModel> load_on_processor(const RandomModel& family, uint64_t seed = 1) const {
    test_device().open = open_processor;
    auto model = load(family, seed);
    test_device().open = opener_;
    return model;
  }

 private:
  decltype(TestDevice::open) opener_;
};

// One sequence, step by step.
class Steps {
 public:
  explicit Steps(LoadedModel& model) : model_(model), cache_(model.new_cache(512)) {}

  // Logits of the last of n_rows more rows.
  std::vector<double> append(int n_rows) {
    std::vector<TokenPos> positions;
    std::vector<TokenId> ids;
    for (int row = 0; row < n_rows; ++row) {
      positions.push_back(length_++);
      ids.push_back(static_cast<TokenId>(random_.below(97)));
    }
    const RowGroup group{cache_.get(), 0, n_rows};
    EXPECT_TRUE(model_.pass->begin(RowSet{positions, {&group, 1}}, ids).ok());
    for (int layer = 0; layer < model_.config.n_layers; ++layer) model_.pass->run_layer(layer);
    const int last = n_rows - 1;
    std::vector<float> logits;
    const Status status = model_.pass->logits({&last, 1}, logits);
    EXPECT_TRUE(status.ok()) << status.message();
    return {logits.begin(), logits.end()};
  }
  // Prompts, what drafts are checked by, single tokens.
  std::vector<std::vector<double>> talk() {
    std::vector<std::vector<double>> all;
    for (const int n_rows : {1, 40, 1, 4, 1, 1, 8, 90, 1, 5, 1}) all.push_back(append(n_rows));
    return all;
  }

 private:
  LoadedModel& model_;
  std::unique_ptr<engine::KvCache> cache_;
  int length_ = 0;
  Random random_{3};
};

double largest_error(const std::vector<std::vector<double>>& got, const std::vector<std::vector<double>>& expected) {
  double largest = 0;
  for (size_t step = 0; step < expected.size(); ++step) {
    const std::vector<float> row(got[step].begin(), got[step].end());
    largest = std::max(largest, relative_error(row.data(), expected[step]));
  }
  return largest;
}

std::vector<RandomModel> families() {
  return {{.architecture = "llama", .n_layers = 2},
          {.architecture = "gemma3", .n_layers = 6, .head_dim = 32, .window = 16},
          {.architecture = "qwen2", .dim = 96, .n_heads = 6, .n_kv_heads = 1, .head_dim = 64}};
}

TEST_F(CudaSinks, GiveTheProcessorsLogits) {
  for (const RandomModel& family : families()) {
    const auto on_processor = load_on_processor(family);
    ASSERT_NE(on_processor, nullptr);
    const auto expected = Steps(*on_processor).talk();
    const auto model = load(family);
    ASSERT_NE(model, nullptr);
    EXPECT_LE(largest_error(Steps(*model).talk(), expected), test_device().pass_tolerance) << family.architecture;
    const auto without = load_model(random_gguf(family));
    EXPECT_GT(largest_error(Steps(*without).talk(), expected), 0.1) << family.architecture << ": sinks matter";
  }
}

TEST_F(CudaSinks, OfAModelSharedWithTheProcessorAreTheirLayers) {
  const RandomModel family{.architecture = "gemma3", .n_layers = 6, .head_dim = 32, .window = 16};
  const auto on_processor = load_on_processor(family);
  const auto expected = Steps(*on_processor).talk();
  for (const int border : {1, 4}) {
    test_device().open = [=](int n_threads) -> Result<std::unique_ptr<engine::Backend>> {
      MNEME_ASSIGN_OR_RETURN(std::unique_ptr<engine::Backend> gpu, engine::cuda::make_cuda_backend({}));
      return engine::cuda::make_split_backend(engine::make_cpu_backend(n_threads), std::move(gpu), 6, border);
    };
    const auto model = load(family);
    ASSERT_NE(model, nullptr);
    EXPECT_LE(largest_error(Steps(*model).talk(), expected), test_device().pass_tolerance) << border;
  }
}

TEST_F(CudaSinks, ArePartOfGraphsAndCopiedUpOnce) {
  const RandomModel family{.n_layers = 3};
  const auto decode = [&](bool graphs, std::unique_ptr<LoadedModel>& model) {
    test_device().open = [=](int) { return engine::cuda::make_cuda_backend({.graphs = graphs}); };
    model = load(family);
    Steps steps(*model);
    std::vector<std::vector<double>> all = {steps.append(20)};
    const int64_t allocations = simt::counters().allocations;
    for (int i = 0; i < 30; ++i) all.push_back(steps.append(1));
    for (int i = 0; i < 6; ++i) all.push_back(steps.append(4));
    EXPECT_EQ(simt::counters().allocations, allocations);
    return all;
  };
  std::unique_ptr<LoadedModel> plain, replayed;
  const auto expected = decode(false, plain);
  EXPECT_EQ(decode(true, replayed), expected);
  EXPECT_GE(engine::cuda::graph_report(*replayed->backend).launched, 28);
}

// Two models that are open at once, and one whose numbers change under it, as another's in its place would.
TEST_F(CudaSinks, AreEachModelsOwn) {
  const RandomModel family{.n_layers = 2};
  const auto one = load(family, 1);
  const auto other = load(family, 2);
  const auto expected_one = Steps(*one).talk();
  const auto expected_other = Steps(*other).talk();
  EXPECT_GT(largest_error(expected_one, expected_other), 0.01);
  Steps steps_of_one(*one), steps_of_other(*other);
  size_t step = 0;
  for (const int n_rows : {1, 40, 1, 4, 1, 1, 8}) {
    EXPECT_EQ(steps_of_one.append(n_rows), expected_one[step]) << step;
    EXPECT_EQ(steps_of_other.append(n_rows), expected_other[step]) << step;
    ++step;
  }
  give_sinks(*one, 2);
  EXPECT_EQ(Steps(*one).talk(), expected_other);
  give_sinks(*one, 1);
  EXPECT_EQ(Steps(*one).talk(), expected_one);
}

}  // namespace
}  // namespace mneme::testing
