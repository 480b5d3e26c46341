// A small random model, chunks of it in memory, prompts over them, and what computing everything gives: what the tests
// of fusion stand on.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/fusion/fuser.h"
#include "engine/kv/chunk_kv.h"
#include "engine/kv/kv_shape.h"
#include "engine/language_model.h"
#include "tests/support/loaded_model.h"
#include "tests/support/random_gguf.h"

namespace mneme::engine {

inline ModelOptions model_options() {
  return {.device = {.device = mneme::testing::test_device().name, .n_threads = 2}, .context_tokens = 0};
}

inline std::vector<TokenId> ids_of(int n, int seed) {
  std::vector<TokenId> ids;
  for (int i = 0; i < n; ++i) ids.push_back(3 + (i * 37 + seed * 101 + i * i % 11) % 300);
  return ids;
}

// Chunks in memory, as plain fp16.
class ChunksInMemory final : public KvSource {
 public:
  int n_chunks() const override { return static_cast<int>(chunks.size()); }
  ChunkKvInfo chunk(int chunk) const override {
    const ChunkKv& kv = chunks[static_cast<size_t>(chunk)];
    return {kv.n_tokens, static_cast<int>(kv.keys.size()), 1, 1};
  }
  Status fetch_layer(int chunk, int layer, std::vector<std::byte>& out) override {
    if (before_fetch) before_fetch(chunk, layer);
    if (chunk == damaged_chunk && layer == damaged_layer) return corruption("planted damage");
    const ChunkKv& kv = chunks[static_cast<size_t>(chunk)];
    out.clear();
    const auto other = other_codecs.find(chunk);
    const KvCodec& own = other != other_codecs.end() ? *other->second : *codec;
    return own.encode_layer(layer, kv.n_tokens, kv.keys[static_cast<size_t>(layer)],
                            kv.values[static_cast<size_t>(layer)], out);
  }

  std::vector<ChunkKv> chunks;
  const KvCodec* codec = nullptr;
  std::map<int, const KvCodec*> other_codecs;  // of chunks that do not go through `codec`
  int damaged_chunk = -1;
  int damaged_layer = -1;
  std::function<void(int chunk, int layer)> before_fetch;
};

// Every family of language models, and what of a family changes where keys and rows stand: scaled and partial rotation,
// windows, sinks, experts; and heads of other widths and numbers.
inline constexpr const char* kFamilies[] = {
    "llama",  "mixtral",       "llama3.1",  "qwen2",      "qwen3",        "qwen3moe", "qwen2-long",
    "phi3",   "phi3-window",   "gemma2",    "gemma3",     "smollm3",      "granite",  "mistral3",
    "olmo2",  "exaone4",       "cohere2",   "gpt-oss",    "command-r",    "heads-80", "one-head-256",
    "gemma4", "gemma4-shared", "deepseek2", "latent-576", "hunyuan-dense"};

// Window layers with other heads than full ones; with layers behind that read what those have, and inputs of all
// layers.
inline mneme::testing::RandomModel gemma4_of(bool shared) {
  mneme::testing::RandomModel model{.architecture = "gemma4",
                                    .head_dim = 32,
                                    .window = 24,
                                    .window_step = 3,
                                    .window_head_dim = 16,
                                    .full_kv_heads = shared ? 2u : 1u,
                                    .keys_as_values = !shared};
  if (shared) model.shared_kv = 3;
  if (shared) model.layer_input_dim = 24;
  return model;
}

inline mneme::testing::RandomModel model_of(const std::string& family) {
  using mneme::testing::RandomModel;
  if (family == "heads-80") return {.n_heads = 3, .n_kv_heads = 3, .head_dim = 80};
  if (family == "one-head-256") return {.n_heads = 3, .n_kv_heads = 1, .head_dim = 256};
  if (family == "deepseek2")
    return {.architecture = family,
            .n_rot = 16,
            .n_experts = 8,
            .n_experts_used = 3,
            .expert_ffn_dim = 48,
            .n_shared = 1,
            .leading_dense = 1,
            .normalise = true,
            .q_rank = 40,
            .choice_bias = true,
            .rope_scaling = "yarn",
            .original_context = 64,
            .yarn_log_multiplier = 0.1f};
  if (family == "latent-576")
    return {
        .architecture = "deepseek2", .n_rot = 64, .kv_rank = 512, .plain_dim = 8, .value_dim = 8, .whole_kv_b = true};
  if (family == "gpt-oss") return {.architecture = family, .n_experts = 4, .n_experts_used = 2, .window = 24};
  if (family == "smollm3") return {.architecture = family, .n_layers = 5};
  if (family == "mixtral") return {.n_experts = 6, .n_experts_used = 2};
  if (family == "llama3.1") return {.rope_scaling = "llama3"};
  if (family == "qwen3moe") return {.architecture = family, .n_experts = 8, .n_experts_used = 3};
  if (family == "qwen2-long") {
    return {.architecture = "qwen2", .head_dim = 64, .rope_scaling = "yarn", .original_context = 64};
  }
  if (family == "phi3")
    return {.architecture = family, .n_rot = 12, .rope_scaling = "longrope", .original_context = 128};
  if (family == "phi3-window") return {.architecture = "phi3", .window = 24};
  if (family == "mistral3")
    return {.architecture = family,
            .head_dim = 64,
            .rope_scaling = "yarn",
            .original_context = 32,
            .yarn_log_multiplier = 1.0f,
            .temperature_scale = 0.1f};
  if (family == "olmo2")
    return {.architecture = family, .head_dim = 64, .window = 24, .rope_scaling = "yarn", .original_context = 64};
  if (family == "gemma2" || family == "gemma3" || family == "exaone4" || family == "cohere2")
    return {.architecture = family, .window = 24};
  if (family.starts_with("gemma4")) return gemma4_of(family == "gemma4-shared");
  return {.architecture = family};
}

class FuserBed {
 protected:
  // n_layers: with keys and values of their own.
  void open(const std::string& family, uint32_t n_layers, const ModelOptions& options = model_options()) {
    shape_ = model_of(family);
    shape_.n_layers = n_layers + shape_.shared_kv;
    shape_.vocab_size = 320;
    shape_.vocabulary = true;
    shape_.type = gguf::TensorType::kF32;
    const std::string path = mneme::testing::write_temporary(
        mneme::testing::random_gguf(shape_), "fuser-" + family + "-" + std::to_string(n_layers) + ".gguf");
    auto opened = LanguageModel::open(path, options);
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    model_ = std::move(opened).value();
    codec_ = make_raw_codec(kv_shape_of(model_->config()));
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

  // Of a token's keys and values from this layer on.
  int64_t kv_bytes_from(int first_layer) const {
    int64_t bytes = 0;
    for (int layer = first_layer; layer < model_->config().n_kv_layers(); ++layer)
      bytes += int64_t{4} * model_->config().heads(layer).kv_dim();
    return bytes;
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
  ChunksInMemory source_;
  std::vector<TokenId> prefix_;
  std::vector<std::vector<TokenId>> chunk_ids_;
};

}  // namespace mneme::engine
