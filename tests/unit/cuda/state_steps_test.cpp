// Models with layers that keep a state on a GPU: the processor's logits, whatever steps come in what order, states that
// are come back to, and decoding steps that run as graphs.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/backend/cpu/cpu_backend.h"
#include "tests/support/loaded_model.h"
#include "tests/support/random_gguf.h"
#include "tests/unit/cuda/graph_bed.h"

namespace mneme::testing {
namespace {

using engine::RowGroup;
using engine::RowSet;
using engine::TokenId;
using engine::TokenPos;

class StateSteps : public GraphBed {
 protected:
  static std::unique_ptr<LoadedModel> load_on_processor(const RandomModel& family) {
    test_device().open = [](int n_threads) -> Result<std::unique_ptr<engine::Backend>> {
      return engine::make_cpu_backend(n_threads);
    };
    return load_model(random_gguf(family));
  }
  static std::vector<RandomModel> families() {
    return {{.architecture = "qwen35", .n_layers = 4, .head_dim = 32, .n_rot = 8, .attention_interval = 4},
            // A state of more columns than a block takes, a length that fills no part, quantised weights.
            {.architecture = "qwen35",
             .n_layers = 3,
             .dim = 128,
             .head_dim = 32,
             .ffn_dim = 160,
             .type = gguf::TensorType::kQ8_0,
             .attention_interval = 3,
             .state_dim = 96,
             .state_key_heads = 1,
             .state_value_heads = 3,
             .conv_width = 3},
            {.architecture = "qwen3next",
             .n_layers = 3,
             .n_experts = 4,
             .n_experts_used = 2,
             .shared_ffn_dim = 64,
             .attention_interval = 2,
             .state_dim = 10},
            {.architecture = "lfm2", .n_layers = 4, .attention_interval = 3, .conv_width = 3},
            {.architecture = "granitehybrid",
             .n_layers = 3,
             .n_experts = 4,
             .n_experts_used = 2,
             .shared_ffn_dim = 64,
             .attention_interval = 3,
             .state_dim = 20,
             .state_value_dim = 40,
             .state_key_heads = 2,
             .state_value_heads = 6},
            {.architecture = "nemotron_h", .n_layers = 6, .conv_bias = false},
            {.architecture = "nemotron_h_moe",
             .n_layers = 3,
             .n_experts = 4,
             .n_experts_used = 2,
             .shared_ffn_dim = 64,
             .gating = 2},
            {.architecture = "falcon-h1", .n_layers = 3, .state_dim = 64, .state_value_dim = 8, .state_norm = false},
            {.architecture = "lfm2moe",
             .n_layers = 3,
             .dim = 160,
             .n_heads = 10,
             .n_experts = 4,
             .n_experts_used = 2,
             .expert_ffn_dim = 64,
             .leading_dense = 1,
             .gating = 2,
             .attention_interval = 2}};
  }
};

// Two sequences, stepped together.
class Talk {
 public:
  explicit Talk(LoadedModel& model) : model_(model) {
    for (int i = 0; i < 2; ++i) caches_.push_back(model.new_cache(512));
  }
  // Logits of the last of n_rows more rows of the first sequences.
  void step(int n_rows, int n_sequences = 1) {
    std::vector<TokenPos> positions;
    std::vector<TokenId> ids;
    std::vector<RowGroup> groups;
    std::vector<int> wanted;
    for (int i = 0; i < n_sequences; ++i) {
      groups.push_back({caches_[static_cast<size_t>(i)].get(), static_cast<int>(ids.size()), n_rows});
      for (int row = 0; row < n_rows; ++row) {
        positions.push_back(lengths_[i]++);
        ids.push_back(static_cast<TokenId>(random_.below(97)));
      }
      wanted.push_back(static_cast<int>(ids.size()) - 1);
    }
    EXPECT_TRUE(model_.pass->begin(RowSet{positions, groups}, ids).ok());
    for (int layer = 0; layer < model_.config.n_layers; ++layer) model_.pass->run_layer(layer);
    std::vector<float> logits;
    const Status status = model_.pass->logits(wanted, logits);
    EXPECT_TRUE(status.ok()) << status.message();
    all.push_back(std::move(logits));
  }
  void keep() { caches_[0]->keep_state(); }
  void go_back(int n_tokens) { lengths_[0] = caches_[0]->restore_state(n_tokens); }

  std::vector<std::vector<float>> all;

 private:
  LoadedModel& model_;
  std::vector<std::unique_ptr<engine::KvCache>> caches_;
  int lengths_[2] = {0, 0};
  Random random_{3};
};

std::vector<std::vector<float>> talk(LoadedModel& model) {
  Talk talk(model);
  talk.step(40);
  talk.keep();
  for (int i = 0; i < 6; ++i) talk.step(1);
  talk.step(2);
  talk.step(17);
  talk.go_back(60);
  for (int i = 0; i < 6; ++i) talk.step(1);
  for (int i = 0; i < 5; ++i) talk.step(1, 2);
  talk.step(3, 2);
  talk.go_back(10);  // to the beginning
  talk.step(1);
  talk.step(9);
  for (int i = 0; i < 4; ++i) talk.step(1);
  return talk.all;
}

TEST_F(StateSteps, AreThoseOfTheProcessor) {
  for (const RandomModel& family : families()) {
    SCOPED_TRACE(family.architecture + " " + std::to_string(family.state_dim));
    auto on_processor = load_on_processor(family);
    ASSERT_NE(on_processor, nullptr);
    const auto expected = talk(*on_processor);
    auto model = load(family, false);
    ASSERT_NE(model, nullptr);
    const auto got = talk(*model);
    // Both sides round activations for quantised weights, .1 from fp64 each; what a state took up of that stays in it.
    const double tolerance = family.type == gguf::TensorType::kF32 ? 1e-3 : 0.2;
    ASSERT_EQ(got.size(), expected.size());
    for (size_t i = 0; i < got.size(); ++i)
      EXPECT_LE(relative_error(got[i].data(), {expected[i].begin(), expected[i].end()}), tolerance) << "step " << i;
  }
}

TEST_F(StateSteps, GraphsGiveTheBitsOfPlainLaunches) {
  for (const RandomModel& family : families()) {
    auto plain_model = load(family, false);
    ASSERT_NE(plain_model, nullptr);
    const auto plain = talk(*plain_model);
    for (const bool overlap : {false, true}) {
      auto model = load(family, true, overlap);
      ASSERT_NE(model, nullptr);
      EXPECT_EQ(talk(*model), plain) << family.architecture;
      const auto report = engine::cuda::graph_report(*model->backend);
      EXPECT_FALSE(report.failed);
      EXPECT_GT(report.launched, 0) << family.architecture;
    }
  }
}

}  // namespace
}  // namespace mneme::testing
