// Decoding of one row with quantised weights: norms, activations and rounding within the products give the bits of
// launches of their own, and a layer is five launches instead of eight.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/backend/cuda/cuda_backend.h"
#include "tests/support/loaded_model.h"
#include "tests/support/random_gguf.h"
#include "tests/support/simt/simt.h"

namespace mneme::testing {
namespace {

using engine::RowGroup;
using engine::RowSet;
using engine::TokenId;
using engine::TokenPos;
using engine::cuda::CudaOptions;

class QuantisedSteps : public ::testing::Test {
 protected:
  void SetUp() override { opener_ = test_device().open; }
  void TearDown() override {
    test_device().open = opener_;
    simt::machine() = {};
  }
  static std::unique_ptr<LoadedModel> load(const RandomModel& family, const CudaOptions& options) {
    test_device().open = [=](int) { return engine::cuda::make_cuda_backend(options); };
    return load_model(random_gguf(family));
  }

 private:
  decltype(TestDevice::open) opener_;
};

// The logits of a prompt of three tokens and of eight steps of one.
struct Decoded {
  std::vector<std::vector<float>> logits;
  int64_t launches = 0;  // of a layer of the last step
};
Decoded decode(LoadedModel& model) {
  Decoded out;
  const auto cache = model.new_cache(64);
  for (int step = 0, length = 0; step < 9; ++step) {
    const int n = step == 0 ? 3 : 1;
    std::vector<TokenPos> positions;
    std::vector<TokenId> ids;
    for (int row = 0; row < n; ++row, ++length) {
      positions.push_back(length);
      ids.push_back((7 * length + 5) % 97);
    }
    EXPECT_TRUE(cache->reserve(length).ok());
    const RowGroup group{cache.get(), 0, n};
    EXPECT_TRUE(model.pass->begin(RowSet{positions, {&group, 1}}, ids).ok());
    for (int layer = 0; layer < model.config.n_layers; ++layer) {
      const int64_t before = simt::counters().launches;
      model.pass->run_layer(layer);
      out.launches = simt::counters().launches - before;
    }
    const int wanted = n - 1;
    EXPECT_TRUE(model.pass->logits({&wanted, 1}, out.logits.emplace_back()).ok());
  }
  return out;
}

// Rows of whole pieces of 128, so that their products norm them, but for the last's.
std::vector<RandomModel> families() {
  using enum gguf::TensorType;
  return {{.architecture = "llama", .dim = 128, .head_dim = 32, .ffn_dim = 160, .type = kQ8_0},
          {.architecture = "llama", .dim = 256, .head_dim = 64, .ffn_dim = 512, .type = kQ4_K},
          {.architecture = "qwen2", .dim = 256, .head_dim = 64, .ffn_dim = 256, .type = kQ6_K},
          {.architecture = "phi3", .dim = 128, .head_dim = 32, .ffn_dim = 96, .type = kQ4_0},
          {.architecture = "gemma3", .n_layers = 6, .dim = 128, .head_dim = 32, .type = kQ5_1, .window = 16},
          {.architecture = "qwen2moe",
           .dim = 128,
           .head_dim = 32,
           .type = kMXFP4,
           .n_experts = 4,
           .n_experts_used = 2,
           .shared_ffn_dim = 160},
          {.architecture = "command-r", .dim = 128, .head_dim = 32, .type = kQ8_0},
          {.architecture = "llama", .dim = 64, .type = kQ8_0}};
}

TEST_F(QuantisedSteps, GiveTheSameBitsHoweverTheyAreLaunched) {
  simt::machine().major = 9;
  for (const RandomModel& family : families()) {
    auto model = load(family, {.norms_within = false, .gates_within = false, .rings = false});
    ASSERT_NE(model, nullptr);
    const Decoded apart = decode(*model);
    model = load(family, {.rings = false, .reads_early = false, .overlap = true});
    ASSERT_NE(model, nullptr);
    EXPECT_EQ(decode(*model).logits, apart.logits) << family.architecture << " " << family.dim;
    model = load(family, {.overlap = true, .graphs = true});
    ASSERT_NE(model, nullptr);
    EXPECT_EQ(decode(*model).logits, apart.logits) << family.architecture << " " << family.dim;
    EXPECT_GE(engine::cuda::graph_report(*model->backend).launched, 5);
  }
}

TEST_F(QuantisedSteps, AreFiveLaunchesALayer) {
  const RandomModel family = families().front();
  auto apart = load(family, {.norms_within = false});
  auto gated_apart = load(family, {.gates_within = false});
  auto within = load(family, {});
  ASSERT_TRUE(apart != nullptr && gated_apart != nullptr && within != nullptr);
  const Decoded of_eight = decode(*apart);
  const Decoded of_six = decode(*gated_apart);
  const Decoded of_five = decode(*within);
  EXPECT_EQ(of_eight.launches, 8);
  EXPECT_EQ(of_six.launches, 6);
  EXPECT_EQ(of_five.launches, 5);
  EXPECT_EQ(of_six.logits, of_eight.logits);
  EXPECT_EQ(of_five.logits, of_eight.logits);
}

}  // namespace
}  // namespace mneme::testing
