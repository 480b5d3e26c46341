// Decoding steps that run as graphs: the bits of steps that do not, whatever changes on the way.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/backend/cuda/cuda_backend.h"
#include "tests/support/loaded_model.h"
#include "tests/support/random_gguf.h"
#include "tests/support/simt/simt.h"
#include "tests/unit/cuda/graph_bed.h"

namespace mneme::testing {
namespace {

using engine::KvCache;
using engine::RowGroup;
using engine::RowSet;
using engine::TokenId;
using engine::TokenPos;

using StepGraph = GraphBed;

// Sequences on one model, stepped together.
class Chats {
 public:
  Chats(LoadedModel& model, int n, int max_tokens = 512) : model_(model) {
    for (int i = 0; i < n; ++i) caches_.push_back(model.new_cache(max_tokens));
    lengths_.resize(static_cast<size_t>(n));
  }
  // One row for each of the first n sequences, or n_rows rows of the first. Logits of all rows, or of the first.
  std::vector<float> step(int n, int n_rows = 1, size_t n_wanted = SIZE_MAX) {
    std::vector<TokenPos> positions;
    std::vector<TokenId> ids;
    std::vector<RowGroup> groups;
    std::vector<int> wanted;
    for (int i = 0; i < n; ++i) {
      int& length = lengths_[static_cast<size_t>(i)];
      groups.push_back({caches_[static_cast<size_t>(i)].get(), static_cast<int>(ids.size()), n_rows});
      for (int row = 0; row < n_rows; ++row) {
        positions.push_back(length++);
        ids.push_back(static_cast<TokenId>(random_.below(97)));
        wanted.push_back(static_cast<int>(wanted.size()));
      }
      EXPECT_TRUE(caches_[static_cast<size_t>(i)]->reserve(length).ok());
    }
    EXPECT_TRUE(model_.pass->begin(RowSet{positions, groups}, ids).ok());
    for (int layer = 0; layer < model_.config.n_layers; ++layer) model_.pass->run_layer(layer);
    wanted.resize(std::min(wanted.size(), n_wanted));
    std::vector<float> logits;
    EXPECT_TRUE(model_.pass->logits(wanted, logits).ok());
    return logits;
  }
  // A step of one row that is given up behind some of its layers; its position is written again.
  void give_up(int n_layers) {
    const TokenPos position = lengths_[0];
    const TokenId id = 3;
    const RowGroup group{caches_[0].get(), 0, 1};
    EXPECT_TRUE(caches_[0]->reserve(position + 1).ok());
    EXPECT_TRUE(model_.pass->begin(RowSet{{&position, 1}, {&group, 1}}, {&id, 1}).ok());
    for (int layer = 0; layer < n_layers; ++layer) model_.pass->run_layer(layer);
  }
  void truncate(int length) { lengths_[0] = length; }

 private:
  LoadedModel& model_;
  std::vector<std::unique_ptr<KvCache>> caches_;
  std::vector<int> lengths_;
  Random random_{9};
};

// Everything that a day of decoding does; the logits of every step.
std::vector<std::vector<float>> decode(LoadedModel& model) {
  Chats chats(model, 3);
  std::vector<std::vector<float>> all;
  all.push_back(chats.step(1, 7));
  for (int i = 0; i < 8; ++i) all.push_back(chats.step(1));
  chats.give_up(1);
  for (int i = 0; i < 4; ++i) all.push_back(chats.step(1));
  for (int i = 0; i < 8; ++i) all.push_back(chats.step(3));
  chats.truncate(6);
  for (int i = 0; i < 4; ++i) all.push_back(chats.step(1));
  chats.give_up(model.config.n_layers - 1);
  for (int i = 0; i < 4; ++i) all.push_back(chats.step(1, 4));
  all.push_back(chats.step(1, 4, 2));  // what differs comes last
  all.push_back(chats.step(1, 230));   // another page, and soon another plan of attention
  for (int i = 0; i < 16; ++i) all.push_back(chats.step(1));
  return all;
}

// Turns of a chat: prompts of any length and answers that go on over several plans of attention, one of them asked for
// anew.
std::vector<std::vector<float>> chat(LoadedModel& model) {
  Chats chats(model, 1, 1024);
  std::vector<std::vector<float>> all;
  for (const int prompt : {40, 3, 300, 9}) {
    all.push_back(chats.step(1, prompt));
    for (int i = 0; i < 60; ++i) all.push_back(chats.step(1));
  }
  chats.truncate(360);
  for (int i = 0; i < 150; ++i) all.push_back(chats.step(1));
  return all;
}

std::vector<RandomModel> families() {
  return {{.architecture = "llama", .n_layers = 2},
          {.architecture = "llama", .n_layers = 8},
          {.architecture = "llama", .dim = 128, .head_dim = 32, .ffn_dim = 160, .type = gguf::TensorType::kQ8_0},
          {.architecture = "gemma3", .n_layers = 6, .head_dim = 32, .window = 16},
          {.architecture = "qwen3moe", .n_layers = 2, .n_experts = 4, .n_experts_used = 2},
          {.architecture = "qwen2moe", .n_layers = 2, .n_experts = 4, .n_experts_used = 2, .shared_ffn_dim = 160},
          {.architecture = "glm4moe",
           .n_layers = 3,
           .n_experts = 8,
           .n_experts_used = 3,
           .n_shared = 1,
           .leading_dense = 1,
           .n_groups = 4,
           .n_groups_used = 2,
           .gating = 2},
          {.architecture = "gemma4",
           .n_layers = 6,
           .n_kv_heads = 1,
           .head_dim = 32,
           .window = 16,
           .window_step = 2,
           .window_head_dim = 16,
           .shared_kv = 2,
           .layer_input_dim = 24},
          {.architecture = "gemma4",
           .n_layers = 3,
           .head_dim = 32,
           .n_experts = 4,
           .n_experts_used = 2,
           .window = 16,
           .window_step = 3,
           .full_kv_heads = 1,
           .keys_as_values = true},
          {.architecture = "qwen2", .n_layers = 2}};
}

TEST_F(StepGraph, GivesTheBitsOfPlainLaunches) {
  for (const RandomModel& family : families()) {
    auto plain_model = load(family, false);
    ASSERT_NE(plain_model, nullptr);
    const auto plain = decode(*plain_model);
    auto model = load(family, true);
    ASSERT_NE(model, nullptr);
    const int64_t before = simt::counters().graph_launches;
    const auto graphs = decode(*model);
    ASSERT_EQ(plain.size(), graphs.size());
    for (size_t i = 0; i < plain.size(); ++i) ASSERT_EQ(plain[i], graphs[i]) << family.architecture << " step " << i;
    const engine::cuda::StepGraphReport report = engine::cuda::graph_report(*model->backend);
    EXPECT_GE(simt::counters().graph_launches - before, report.launched) << "long steps are graphs of two parts";
    EXPECT_GE(report.launched, 24) << family.architecture;
    EXPECT_GE(report.made, 3) << "one for each kind of step";
    EXPECT_GE(report.left, 1) << "the step that was given up";
    EXPECT_FALSE(report.failed);
  }
}

TEST_F(StepGraph, GivesTheBitsOfPlainLaunchesInALongChat) {
  simt::machine().major = 9;
  const RandomModel family{.n_layers = 2};
  auto plain_model = load(family, false);
  const auto plain = chat(*plain_model);
  auto model = load(family, true, true);
  const auto graphs = chat(*model);
  ASSERT_EQ(plain.size(), graphs.size());
  for (size_t i = 0; i < plain.size(); ++i) ASSERT_EQ(plain[i], graphs[i]) << i;
  const engine::cuda::StepGraphReport report = engine::cuda::graph_report(*model->backend);
  EXPECT_GE(report.launched, 360) << "of 390 steps of one row";
  EXPECT_LE(report.made, 10);
}

TEST_F(StepGraph, AllocatesNothingFromStepToStep) {
  auto model = load({.n_layers = 2}, true);
  ASSERT_NE(model, nullptr);
  Chats chats(*model, 1);
  chats.step(1, 40);
  for (int i = 0; i < 4; ++i) chats.step(1);
  const int64_t allocations = simt::counters().allocations;
  const int64_t launches = simt::counters().graph_launches;
  for (int i = 0; i < 100; ++i) chats.step(1);
  EXPECT_EQ(simt::counters().allocations, allocations);
  EXPECT_EQ(simt::counters().graph_launches - launches, 100) << "all within one plan of attention";
}

TEST_F(StepGraph, IsDoneWithoutWhereNoneCanBeMade) {
  const RandomModel family{.n_layers = 2};
  auto plain_model = load(family, false);
  const auto plain = decode(*plain_model);
  for (const bool pins : {false, true}) {  // no pinned memory; a driver that refuses
    simt::machine().pins_memory = pins;
    simt::machine().makes_graphs = !pins;
    auto model = load(family, true);
    ASSERT_NE(model, nullptr);
    EXPECT_EQ(decode(*model), plain);
    const engine::cuda::StepGraphReport report = engine::cuda::graph_report(*model->backend);
    EXPECT_TRUE(report.failed);
    EXPECT_EQ(report.launched, 0);
    simt::machine() = {};
  }
}

TEST_F(StepGraph, MayHoldLaunchesThatOverlap) {
  simt::machine().major = 9;
  const RandomModel family{.n_layers = 2};
  auto plain_model = load(family, false);
  const auto plain = decode(*plain_model);
  auto model = load(family, true, true);
  EXPECT_EQ(decode(*model), plain);
  EXPECT_GE(engine::cuda::graph_report(*model->backend).launched, 24);
}

TEST_F(StepGraph, OfADeviceThatIsLostFailsTheStep) {
  auto model = load({.n_layers = 2}, true);
  ASSERT_NE(model, nullptr);
  Chats chats(*model, 1);
  for (int i = 0; i < 6; ++i) chats.step(1);
  simt::machine().launches_before_failure = 5;
  const auto cache = model->new_cache(16);
  const TokenPos position = 0;
  const TokenId id = 3;
  const RowGroup group{cache.get(), 0, 1};
  ASSERT_TRUE(model->pass->begin(RowSet{{&position, 1}, {&group, 1}}, {&id, 1}).ok());
  for (int layer = 0; layer < model->config.n_layers; ++layer) model->pass->run_layer(layer);
  std::vector<float> logits;
  const int row = 0;
  EXPECT_EQ(model->pass->logits({&row, 1}, logits).code(), StatusCode::kIo);
}

}  // namespace
}  // namespace mneme::testing
