// Decoding steps whose attention makes its queries, and the newest token's keys and values, of the products' outputs:
// the bits of steps that do it beforehand.
#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/backend/cuda/cuda_backend.h"
#include "engine/backend/kv_memory.h"
#include "tests/support/loaded_model.h"
#include "tests/support/random_gguf.h"
#include "tests/support/simt/simt.h"

namespace mneme::testing {
namespace {

using engine::KvCache;
using engine::RowGroup;
using engine::RowSet;
using engine::TokenId;
using engine::TokenPos;

struct Case {
  std::string name;
  RandomModel model = {};
  engine::KvType kv = engine::KvType::kF16;
};
std::ostream& operator<<(std::ostream& out, const Case& of) {
  return out << of.name;
}

std::vector<Case> cases() {
  using enum gguf::TensorType;
  const RandomModel wide{.n_heads = 8, .n_kv_heads = 1, .head_dim = 64};
  std::vector<Case> all = {
      {"llama", {.type = kF16}},
      {"llama_q8_0", {.head_dim = 32, .type = kQ8_0}},
      {"bytes", {.head_dim = 32}, engine::KvType::kQ8_0},
      {"tiles_of_heads", wide},
      {"tiles_of_heads_in_bytes", wide, engine::KvType::kQ8_0},
      {"one_query", {.n_heads = 2, .n_kv_heads = 2, .head_dim = 128}},
      {"broad", {.n_heads = 2, .n_kv_heads = 1, .head_dim = 256}},
      {"odd", {.head_dim = 20}},
      {"biases", {.architecture = "qwen2"}},
      {"norms_of_heads", {.architecture = "qwen3", .head_dim = 64}},
      {"norms_of_all_heads", {.architecture = "olmo2"}},
      {"part_of_a_head_turns", {.architecture = "chatglm", .head_dim = 32, .n_rot = 16}},
      {"windows", {.architecture = "gemma3", .n_layers = 6, .head_dim = 32, .window = 16}},
      {"normed_values",
       {.architecture = "gemma4",
        .n_layers = 6,
        .head_dim = 64,
        .window = 16,
        .window_step = 2,
        .window_head_dim = 32,
        .full_kv_heads = 1,
        .shared_kv = 2}},
      {"growing", {.architecture = "mistral3", .original_context = 8, .temperature_scale = 0.1f}},
      {"parallel", {.architecture = "command-r"}},
      {"experts", {.architecture = "qwen3moe", .n_experts = 4, .n_experts_used = 2}},
  };
  return all;
}

class HeadsInAttention : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    opener_ = test_device().open;
    test_device().open = [](int) { return engine::cuda::make_cuda_backend({}); };
    model_ = load_model(random_gguf(GetParam().model));
    ASSERT_NE(model_, nullptr);
  }
  void TearDown() override { test_device().open = opener_; }

  // Two sequences, one ahead of the other, and the logits of their steps.
  std::vector<float> decode(bool apart) {
    std::vector<std::unique_ptr<KvCache>> caches;
    for (int i = 0; i < 2; ++i) {
      engine::KvCacheOptions options = engine::kv_options_of(model_->config);
      options.max_tokens = 400;
      options.keep_unrotated_keys = i == 1;
      options.type = GetParam().kv;
      auto cache = model_->backend->make_kv_cache(options);
      EXPECT_TRUE(cache.ok());
      caches.push_back(std::move(*cache));
    }
    std::vector<float> all;
    std::vector<int> lengths = {0, 0};
    // Ends of pages and of parts of the keys are passed on the way.
    for (const int prompt : {62, 0, 63, 126}) {
      if (prompt > 0) step(apart, {{caches[0].get(), lengths[0], prompt}}, all);
      lengths[0] += prompt;
      for (int i = 0; i < 3; ++i) step(apart, {{caches[0].get(), lengths[0]++, 1}}, all);
      step(apart, {{caches[0].get(), lengths[0]++, 1}, {caches[1].get(), lengths[1]++, 1}}, all);
    }
    const int n_tokens = lengths[1];
    std::vector<f16> keys(static_cast<size_t>(n_tokens) * static_cast<size_t>(model_->config.heads(0).kv_dim()));
    std::vector<f16> values(keys.size());
    EXPECT_TRUE(caches[1]->read(0, 0, n_tokens, true, keys, values).ok());
    for (const f16 key : keys) all.push_back(to_f32(key));
    return all;
  }

 private:
  struct Rows {
    KvCache* cache;
    int first;
    int n;
  };
  void step(bool apart, const std::vector<Rows>& sequences, std::vector<float>& all) {
    std::vector<TokenPos> positions;
    std::vector<TokenId> ids;
    std::vector<RowGroup> groups;
    for (const auto& [cache, first, n] : sequences) {
      groups.push_back({cache, static_cast<int>(ids.size()), n});
      for (int i = 0; i < n; ++i) {
        positions.push_back(first + i);
        ids.push_back((first + i) * 7 % 97);
      }
      ASSERT_TRUE(cache->reserve(first + n).ok());
    }
    ASSERT_TRUE(model_->pass->begin(RowSet{positions, groups}, ids).ok());
    for (int layer = 0; layer < model_->config.n_layers; ++layer) {
      if (apart) {
        model_->pass->project(layer);
        model_->pass->finish(layer);
      } else {
        model_->pass->run_layer(layer);
      }
    }
    const int last[] = {static_cast<int>(ids.size()) - 1};
    std::vector<float> logits;
    ASSERT_TRUE(model_->pass->logits(last, logits).ok());
    all.insert(all.end(), logits.begin(), logits.end());
  }

  std::unique_ptr<LoadedModel> model_;
  decltype(TestDevice::open) opener_;
};

TEST_P(HeadsInAttention, GiveTheBitsOfHeadsBeforehand) {
  const int64_t before = simt::counters().launches;
  const std::vector<float> apart = decode(true);
  const int64_t of_apart = simt::counters().launches - before;
  const std::vector<float> together = decode(false);
  const int64_t of_together = simt::counters().launches - before - of_apart;
  EXPECT_EQ(together, apart);
  // A launch less in each layer of the sixteen decoding steps that has keys and values to finish.
  EXPECT_EQ(of_apart - of_together, 16 * (GetParam().model.n_layers - GetParam().model.shared_kv));
}

INSTANTIATE_TEST_SUITE_P(Families, HeadsInAttention, ::testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace mneme::testing
