// A model shared between the processor and a GPU: the same logits, wherever the border is.
#include "engine/backend/cuda/split_backend.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/backend/cpu/cpu_backend.h"
#include "engine/backend/cuda/cuda_backend.h"
#include "engine/language_model.h"
#include "tests/support/loaded_model.h"
#include "tests/support/random_gguf.h"
#include "tests/support/reference_model.h"
#include "tests/support/simt/simt.h"

namespace mneme::testing {
namespace {

using engine::RowGroup;
using engine::RowSet;
using engine::TokenId;
using engine::TokenPos;

class SplitBackendTest : public ::testing::Test {
 protected:
  void SetUp() override { opener_ = test_device().open; }
  void TearDown() override {
    test_device().open = opener_;
    simt::machine() = {};
  }
  static void split_at(int first_gpu_layer, int n_layers) {
    test_device().open = [=](int n_threads) -> Result<std::unique_ptr<engine::Backend>> {
      MNEME_ASSIGN_OR_RETURN(std::unique_ptr<engine::Backend> gpu, engine::cuda::make_cuda_backend({}));
      return engine::cuda::make_split_backend(engine::make_cpu_backend(n_threads), std::move(gpu), n_layers,
                                              first_gpu_layer);
    };
  }

 private:
  decltype(TestDevice::open) opener_;
};

// Logits of the last row of a prefill, with all but every other row dropped before the last layer, and of one more
// token after it.
std::vector<std::vector<float>> run(LoadedModel& model, engine::KvCache& cache, const std::vector<TokenId>& ids) {
  std::vector<std::vector<float>> logits(2);
  std::vector<TokenPos> positions;
  for (size_t i = 0; i + 1 < ids.size(); ++i) positions.push_back(static_cast<TokenPos>(i));
  const auto n = static_cast<int>(positions.size());
  const RowGroup group{&cache, 0, n};
  EXPECT_TRUE(model.pass->begin(RowSet{positions, {&group, 1}}, std::span(ids).first(positions.size())).ok());
  for (int layer = 0; layer < model.config.n_layers; ++layer) {
    model.pass->project(layer);
    if (layer + 1 == model.config.n_layers) {
      std::vector<int> keep;
      for (int row = (n - 1) % 2; row < n; row += 2) keep.push_back(row);
      model.pass->keep_rows(keep);
    }
    model.pass->finish(layer);
  }
  int row = model.pass->rows().n_rows() - 1;
  EXPECT_TRUE(model.pass->logits({&row, 1}, logits[0]).ok());
  const TokenPos position = n;
  const RowGroup next{&cache, 0, 1};
  EXPECT_TRUE(model.pass->begin(RowSet{{&position, 1}, {&next, 1}}, {&ids.back(), 1}).ok());
  for (int layer = 0; layer < model.config.n_layers; ++layer) model.pass->run_layer(layer);
  row = 0;
  EXPECT_TRUE(model.pass->logits({&row, 1}, logits[1]).ok());
  return logits;
}

TEST_F(SplitBackendTest, MatchesTheReferenceAtEveryBorder) {
  const RandomModel families[] = {{.architecture = "llama", .n_layers = 4, .tied = true},
                                  {.architecture = "gemma3", .n_layers = 8, .head_dim = 32, .window = 16},
                                  {.architecture = "qwen3moe", .n_layers = 3, .n_experts = 4, .n_experts_used = 2},
                                  {.architecture = "bailingmoe2",
                                   .n_layers = 4,
                                   .n_experts = 16,
                                   .n_experts_used = 3,
                                   .expert_ffn_dim = 48,
                                   .n_shared = 2,
                                   .leading_dense = 2,
                                   .n_groups = 4,
                                   .n_groups_used = 2,
                                   .gating = 2,
                                   .normalise = true}};
  for (const RandomModel& family : families)
    for (int border = 1; border < static_cast<int>(family.n_layers); border += 2) {
      split_at(border, static_cast<int>(family.n_layers));
      const auto model = load_model(random_gguf(family));
      ASSERT_NE(model, nullptr);
      const auto cache = model->new_cache(64);
      Random random(5);
      std::vector<TokenId> ids(30);
      for (TokenId& id : ids) id = static_cast<TokenId>(random.below(97));
      const auto logits = run(*model, *cache, ids);
      const auto expected = ReferenceModel(*model->file).all_logits({ids.begin(), ids.end()});
      EXPECT_LE(relative_error(logits[0].data(), expected[28]), 1e-3) << family.architecture << " " << border;
      EXPECT_LE(relative_error(logits[1].data(), expected[29]), 1e-3) << family.architecture << " " << border;
    }
}

TEST_F(SplitBackendTest, StoredKvGoesToTheSideOfItsLayer) {
  split_at(2, 3);
  const auto model = load_model(random_gguf({.n_layers = 3}));
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(model->backend->name(), "cuda:0+cpu");
  EXPECT_EQ(model->backend->description().rfind("1 of 3 layers on pretended GPU", 0), 0u);
  const auto cache = model->new_cache(200, true);
  Random random(6);
  std::vector<f16> keys(150 * 32), values(keys.size()), got_keys(keys.size()), got_values(keys.size());
  for (int layer = 0; layer < 3; ++layer) {
    for (f16& x : keys) x = to_f16(random.gaussian());
    for (f16& x : values) x = to_f16(random.gaussian());
    cache->place(layer, 20, 150, keys, values, &model->config.ropes[0]);
    ASSERT_TRUE(model->backend->synchronize().ok());
    ASSERT_TRUE(cache->read(layer, 20, 150, true, got_keys, got_values).ok());
    const auto same = [](f16 a, f16 b) { return a.bits == b.bits; };
    EXPECT_TRUE(std::equal(keys.begin(), keys.end(), got_keys.begin(), same)) << layer;
    EXPECT_TRUE(std::equal(values.begin(), values.end(), got_values.begin(), same)) << layer;
  }
}

TEST_F(SplitBackendTest, ALostGpuFailsTheStep) {
  split_at(1, 3);
  const auto model = load_model(random_gguf({.n_layers = 3}));
  ASSERT_NE(model, nullptr);
  const auto cache = model->new_cache(16);
  simt::machine().launches_before_failure = 3;
  const std::vector<TokenPos> positions = {0, 1};
  const RowGroup group{cache.get(), 0, 2};
  ASSERT_TRUE(model->pass->begin(RowSet{positions, {&group, 1}}, std::vector<TokenId>{1, 2}).ok());
  for (int layer = 0; layer < 3; ++layer) model->pass->run_layer(layer);
  std::vector<float> logits;
  const int row = 1;
  EXPECT_EQ(model->pass->logits({&row, 1}, logits).code(), StatusCode::kIo);
}

#if MNEME_HAVE_CUDA
TEST_F(SplitBackendTest, AModelTooLargeForTheGpuIsShared) {
  const RandomModel description{.n_layers = 10, .dim = 256, .ffn_dim = 1024, .vocab_size = 320, .vocabulary = true};
  const std::string path = write_temporary(random_gguf(description), "shared.gguf");
  simt::machine().memory_bytes = static_cast<size_t>(simt::counters().bytes_in_use) + (size_t{24} << 20);
  for (const char* device : {"cuda", "auto"}) {
    auto model = engine::LanguageModel::open(path, {.device = {.device = device, .n_threads = 1}});
    ASSERT_TRUE(model.ok()) << model.status().message();
    EXPECT_EQ((*model)->backend().name(), "cuda:0+cpu");
    auto sequence = *(*model)->new_sequence(32);
    EXPECT_TRUE(sequence->append(std::vector<TokenId>{5, 6, 7}).ok());
  }
  // Not one layer fits.
  simt::machine().memory_bytes = static_cast<size_t>(simt::counters().bytes_in_use) + (size_t{4} << 20);
  const engine::ModelOptions options{.device = {.device = "cuda", .n_threads = 1}};
  EXPECT_EQ(engine::LanguageModel::open(path, options).status().code(), StatusCode::kResource);
  auto model = engine::LanguageModel::open(path, {.device = {.device = "auto", .n_threads = 1}});
  ASSERT_TRUE(model.ok()) << model.status().message();
  EXPECT_EQ((*model)->backend().name(), "cpu");
  std::remove(path.c_str());
}
#endif

#if MNEME_HAVE_CUDA
class LayersOnTheGpu : public SplitBackendTest {
 protected:
  static constexpr int kLayers = 10;
  void SetUp() override {
    SplitBackendTest::SetUp();
    path_ = write_temporary(
        random_gguf({.n_layers = kLayers, .dim = 256, .ffn_dim = 1024, .vocab_size = 320, .vocabulary = true}),
        "layers.gguf");
  }
  void TearDown() override {
    std::remove(path_.c_str());
    SplitBackendTest::TearDown();
  }
  Result<std::unique_ptr<engine::LanguageModel>> open(std::optional<int> n, const char* device = "auto",
                                                      int context_tokens = 0) const {
    return engine::LanguageModel::open(
        path_, {.device = {.device = device, .n_threads = 1, .gpu_layers = n}, .context_tokens = context_tokens});
  }
  // Room on the GPU for so many bytes more than are in use.
  static void leave_mebibytes(size_t n) {
    simt::machine().memory_bytes = static_cast<size_t>(simt::counters().bytes_in_use) + (n << 20);
  }
  std::string path_;
};

TEST_F(LayersOnTheGpu, AreAsManyAsWereAskedFor) {
  struct Case {
    std::optional<int> asked;
    const char* device;
    const char* name;
    int got;
  };
  for (const Case& c :
       {Case{{}, "auto", "cuda:0", kLayers}, Case{0, "auto", "cpu", 0}, Case{0, "cuda", "cpu", 0},
        Case{1, "auto", "cuda:0+cpu", 1}, Case{7, "cuda", "cuda:0+cpu", 7}, Case{kLayers, "auto", "cuda:0", kLayers},
        Case{999999, "cuda:0", "cuda:0", kLayers}, Case{7, "cpu", "cpu", 0}}) {
    auto model = open(c.asked, c.device);
    ASSERT_TRUE(model.ok()) << model.status().message();
    EXPECT_EQ((*model)->backend().name(), c.name) << c.device;
    EXPECT_EQ((*model)->backend().gpu_layers(kLayers), c.got) << c.device;
    auto sequence = *(*model)->new_sequence(32);
    EXPECT_TRUE(sequence->append(std::vector<TokenId>{5, 6, 7}).ok());
  }
}

TEST_F(LayersOnTheGpu, ThatDoNotFitAreRefusedWithThoseThatWould) {
  const auto expect_refused = [](const Result<std::unique_ptr<engine::LanguageModel>>& model, const char* words) {
    ASSERT_FALSE(model.ok());
    EXPECT_EQ(model.status().code(), StatusCode::kResource);
    EXPECT_NE(model.status().message().find(words), std::string::npos) << model.status().message();
  };
  const auto named = [](const std::string& message) {
    const std::string before = "use --gpu-layers ";
    const size_t at = message.find(before);
    return at == std::string::npos ? -1 : std::stoi(message.substr(at + before.size()));
  };
  leave_mebibytes(24);
  for (const int asked : {kLayers - 1, kLayers}) {
    const auto refused = open(asked);
    expect_refused(refused, "of its 10 layers would fit there");
    const int fits = named(refused.status().message());
    ASSERT_GT(fits, 0);
    ASSERT_LT(fits, asked);
    auto model = open(fits);
    ASSERT_TRUE(model.ok()) << model.status().message();
    EXPECT_EQ((*model)->backend().gpu_layers(kLayers), fits);
  }
  // A context that was asked for takes room from layers.
  const int without = named(open(kLayers - 1).status().message());
  const int with = named(open(kLayers - 1, "cuda", 8192).status().message());
  EXPECT_LT(with, without);
  leave_mebibytes(2);
  expect_refused(open(3), "not one of its layers would fit there: use --gpu-layers 0");
}

TEST_F(LayersOnTheGpu, NeedAGpu) {
  simt::machine().n_devices = 0;
  EXPECT_TRUE(open({}).ok());
  EXPECT_TRUE(open(0).ok());
  const auto refused = open(4);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.status().message().find("--device cpu"), std::string::npos) << refused.status().message();
}
#endif

TEST(FirstLayerThatFits, CountsFromTheLast) {
  const std::vector<int64_t> layers = {100, 100, 100, 100};
  EXPECT_EQ(engine::cuda::first_layer_that_fits(layers, 50, 10000), 0);
  EXPECT_EQ(engine::cuda::first_layer_that_fits(layers, 50, 400), 2);
  EXPECT_EQ(engine::cuda::first_layer_that_fits(layers, 50, 150), 4);
  EXPECT_EQ(engine::cuda::first_layer_that_fits(layers, 500, 600), 4);
  EXPECT_EQ(engine::cuda::first_layer_that_fits(layers, 50, 400, 16), 1) << "with less left to other uses";
}

}  // namespace
}  // namespace mneme::testing
