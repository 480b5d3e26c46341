#include "engine/model/config_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "engine/devices/open_backend.h"
#include "engine/model/rope_scaling.h"
#include "engine/model_parts.h"
#include "engine/transformer/model_weights.h"
#include "tests/support/random_gguf.h"

namespace mneme::testing {
namespace {

using engine::ModelConfig;
using ::testing::HasSubstr;

// Everything between bytes and weights on a device; Ok when the model could run.
Status load(const std::vector<std::byte>& bytes) {
  MNEME_ASSIGN_OR_RETURN(const gguf::GgufFile file, gguf::GgufFile::parse(bytes, "m.gguf"));
  MNEME_ASSIGN_OR_RETURN(const engine::Architecture* architecture, engine::read_architecture(file));
  MNEME_ASSIGN_OR_RETURN(const ModelConfig config, engine::read_model_config(file));
  MNEME_ASSIGN_OR_RETURN(const auto backend, engine::open_backend({.device = "cpu", .n_threads = 1}));
  return engine::load_model_weights(file, *architecture, config, *backend).status();
}

ModelConfig config_of(const RandomModel& model, int context_tokens = 0) {
  const auto bytes = random_gguf(model);
  const auto file = gguf::GgufFile::parse(bytes, "m.gguf");
  auto config = engine::read_model_config(*file, context_tokens);
  EXPECT_TRUE(config.ok()) << config.status().message();
  return config.ok() ? std::move(*config) : ModelConfig{};
}

TEST(ModelConfig, ReadsLlama) {
  const ModelConfig config = config_of({.n_rot = 8});
  EXPECT_EQ(config.architecture, "llama");
  EXPECT_EQ(config.n_layers, 2);
  EXPECT_EQ(config.dim, 64);
  EXPECT_EQ(config.n_heads, 4);
  EXPECT_EQ(config.n_kv_heads, 2);
  EXPECT_EQ(config.head_dim, 16);
  EXPECT_EQ(config.ffn_dim, 96);
  EXPECT_EQ(config.vocab_size, 97);
  EXPECT_EQ(config.context_length, 1024);
  EXPECT_FLOAT_EQ(config.norm_epsilon, 1e-6f);
  EXPECT_FLOAT_EQ(config.attention_scale, 0.25f);
  EXPECT_EQ(config.kv_bytes_per_token(), 2 * 2 * 2 * 32);
  ASSERT_EQ(config.ropes.size(), 1u);
  EXPECT_EQ(config.ropes[0].layout, engine::RopeLayout::kInterleaved);
  EXPECT_EQ(config.ropes[0].n_rot, 8);
  EXPECT_EQ(config.layers.size(), 2u);
}

TEST(ModelConfig, GemmaLayersAlternateWindows) {
  const ModelConfig two = config_of({.architecture = "gemma2", .n_layers = 4, .window = 16});
  EXPECT_EQ(two.layers[0].sliding_window, 16);
  EXPECT_EQ(two.layers[1].sliding_window, 0);
  EXPECT_FLOAT_EQ(two.embedding_scale, 8.0f);
  EXPECT_FLOAT_EQ(two.attention_softcap, 5.0f);
  const ModelConfig three = config_of({.architecture = "gemma3", .n_layers = 7, .window = 16, .rope_base = 1e6f});
  for (const int layer : {0, 1, 2, 3, 4, 6}) {
    EXPECT_EQ(three.layers[static_cast<size_t>(layer)].sliding_window, 16);
    EXPECT_EQ(three.layers[static_cast<size_t>(layer)].rope_index, 1);
  }
  EXPECT_EQ(three.layers[5].sliding_window, 0);
  EXPECT_EQ(three.layers[5].rope_index, 0);
  EXPECT_LT(three.ropes[0].inverse_frequencies[1], three.ropes[1].inverse_frequencies[1]);
}

TEST(ModelConfig, WindowLayersMayBeListed) {
  const char* const key = "gemma3.attention.sliding_window_pattern";
  RandomModel model{.architecture = "gemma3", .n_layers = 3, .window = 16};
  model.extra_lists[key] = {0, 1, 1};
  const ModelConfig listed = config_of(model);
  EXPECT_EQ(listed.layers[0].sliding_window, 0);
  EXPECT_EQ(listed.layers[1].sliding_window, 16);
  EXPECT_EQ(listed.layers[2].sliding_window, 16);
  model.extra_lists[key] = {1, 0};
  EXPECT_EQ(load(random_gguf(model)).code(), StatusCode::kCorruption) << "a layer is missing";
  model.extra_lists.clear();
  model.extra_texts[key] = "every other";
  EXPECT_EQ(load(random_gguf(model)).code(), StatusCode::kUnsupported);
}

TEST(ModelConfig, Gemma4LayersDiffer) {
  const RandomModel model{.architecture = "gemma4",
                          .n_layers = 9,
                          .n_kv_heads = 4,
                          .head_dim = 32,
                          .window = 16,
                          .window_step = 3,
                          .window_head_dim = 16,
                          .full_kv_heads = 2,
                          .shared_kv = 4,
                          .shared_ffn = 192,
                          .layer_input_dim = 8};
  const ModelConfig config = config_of(model);
  EXPECT_FALSE(config.has_equal_kv());
  EXPECT_EQ(config.n_kv_layers(), 5);
  EXPECT_EQ(config.heads(0), (engine::LayerHeads{4, 4, 16}));
  EXPECT_EQ(config.heads(2), (engine::LayerHeads{4, 2, 32}));
  EXPECT_EQ(config.ropes[1].n_rot, 16);
  EXPECT_LT(config.ropes[0].inverse_frequencies[15], 1e-20f) << "most of a full layer's pairs do not turn";
  EXPECT_FLOAT_EQ(config.attention_scale, 1.0f);
  const int sources[] = {0, 1, 2, 3, 4, 2, 4, 4, 2};  // the last before layer 5 of each layer's kind
  for (int layer = 0; layer < 9; ++layer) {
    EXPECT_EQ(config.kv_layer(layer), sources[layer]);
    EXPECT_EQ(config.dense_width(layer), layer < 5 ? 96 : 192);
    EXPECT_NE(config.layers[static_cast<size_t>(layer)].output_scale, 1.0f);
  }
  EXPECT_EQ(config.widest_ffn_dim(), 192);
  EXPECT_EQ(config.layer_input_dim, 8);
  EXPECT_EQ(config.kv_bytes_per_token(), 4 * (4 * 4 * 16 + 2 * 32));
}

TEST(ModelConfig, Gemma4WithImpossibleLayersIsRefused) {
  RandomModel model{.architecture = "gemma4", .n_layers = 6, .head_dim = 32, .window = 16, .window_step = 3};
  model.overrides["gemma4.attention.shared_kv_layers"] = 4;
  EXPECT_EQ(load(random_gguf(model)).code(), StatusCode::kCorruption) << "no full layer is left to be read";
  model.overrides = {{"gemma4.attention.shared_kv_layers", 6}};
  EXPECT_EQ(load(random_gguf(model)).code(), StatusCode::kCorruption);
  model.overrides = {{"gemma4.attention.value_length_swa", 16}};
  EXPECT_EQ(load(random_gguf(model)).code(), StatusCode::kUnsupported);
  model.overrides = {{"gemma4.attention.key_length_swa", 64}};
  EXPECT_EQ(load(random_gguf(model)).code(), StatusCode::kCorruption);
  model.overrides = {{"gemma4.rope.dimension_count_swa", 31}};
  EXPECT_EQ(load(random_gguf(model)).code(), StatusCode::kCorruption);
  model.overrides = {};
  EXPECT_TRUE(load(random_gguf(model)).ok());
  model.full_kv_heads = 3;
  EXPECT_EQ(load(random_gguf(model)).code(), StatusCode::kCorruption) << "4 heads cannot share 3";
}

TEST(ModelConfig, TokensThatAreNotToBeWrittenAreListed) {
  RandomModel model{.architecture = "gemma4", .n_layers = 3, .window = 16};
  model.extra_lists["tokenizer.ggml.suppress_tokens"] = {7, 3, 7, -1, 97};
  EXPECT_EQ(config_of(model).unwritten_tokens, (std::vector<int>{3, 7})) << "of those that there are";
  model.extra_lists.clear();
  model.extra_numbers["tokenizer.ggml.suppress_tokens"] = 3;
  EXPECT_EQ(load(random_gguf(model)).code(), StatusCode::kCorruption);
}

TEST(ModelConfig, ListsOfLayersMustNameAllOfThem) {
  RandomModel model{.architecture = "gemma4", .n_layers = 3, .window = 16, .shared_kv = 1, .shared_ffn = 96};
  EXPECT_TRUE(load(random_gguf(model)).ok());
  model.overrides["gemma4.block_count"] = 2;
  const Status status = load(random_gguf(model));
  EXPECT_EQ(status.code(), StatusCode::kCorruption);
  EXPECT_THAT(status.message(), HasSubstr("lists 3 layers of 2"));
}

TEST(ModelConfig, FilesThatAreNoWholeModelSaySo) {
  RandomModel part;
  part.extra_numbers = {{"split.no", 1}, {"split.count", 3}};
  const Status of_three = load(random_gguf(part));
  EXPECT_EQ(of_three.code(), StatusCode::kUnsupported);
  EXPECT_THAT(of_three.message(), HasSubstr("part 2 of 3"));
  part.extra_numbers = {{"split.no", 0}, {"split.count", 1}};
  EXPECT_TRUE(load(random_gguf(part)).ok()) << "one part is the whole";
  for (const char* kind : {"adapter", "mmproj", "imatrix"}) {
    RandomModel other;
    other.extra_texts["general.type"] = kind;
    const Status status = load(random_gguf(other));
    EXPECT_EQ(status.code(), StatusCode::kUnsupported);
    EXPECT_THAT(status.message(), HasSubstr(kind));
  }
  RandomModel model;
  model.extra_texts["general.type"] = "model";
  EXPECT_TRUE(load(random_gguf(model)).ok());
}

TEST(ModelConfig, EncodersHaveNoRopeOrAreNotCausal) {
  const ModelConfig bert = config_of({.architecture = "bert", .n_kv_heads = 4, .pooling = 2});
  EXPECT_FALSE(bert.causal);
  EXPECT_FALSE(bert.layers[0].uses_rope);
  EXPECT_EQ(bert.norm, engine::NormKind::kLayer);
  EXPECT_EQ(bert.pooling, engine::Pooling::kFirst);
  const ModelConfig nomic = config_of({.architecture = "nomic-bert", .n_kv_heads = 4});
  EXPECT_FALSE(nomic.causal);
  EXPECT_TRUE(nomic.layers[0].uses_rope);
  EXPECT_TRUE(nomic.gated_ffn);
}

TEST(ModelConfig, EveryArchitectureOfTheTableLoads) {
  for (const engine::Architecture& architecture : engine::architectures()) {
    RandomModel model{.architecture = std::string(architecture.name), .n_kv_heads = 4};
    if (architecture.experts == engine::Presence::kRequired) model.n_experts = 4, model.n_experts_used = 2;
    const Status status = load(random_gguf(model));
    EXPECT_TRUE(status.ok()) << architecture.name << ": " << status.message();
  }
}

// Layers with windows rotate without the model's scaling (OLMo 3), or they alone rotate (EXAONE 4).
TEST(ModelConfig, WindowsMayDecideHowLayersRotate) {
  RandomModel model{.architecture = "olmo2", .n_layers = 5, .rope_scaling = "yarn", .original_context = 64};
  EXPECT_EQ(config_of(model).ropes.size(), 1u);  // OLMo 2 has none
  model.window = 16;
  const ModelConfig olmo = config_of(model);
  ASSERT_EQ(olmo.ropes.size(), 2u);
  EXPECT_EQ(olmo.layers[2].rope_index, 1);
  EXPECT_EQ(olmo.layers[3].rope_index, 0);
  EXPECT_EQ(olmo.layers[3].sliding_window, 0);
  EXPECT_FLOAT_EQ(olmo.ropes[1].attention_factor, 1.0f);
  EXPECT_GT(olmo.ropes[0].attention_factor, 1.1f);
  const ModelConfig small = config_of({.architecture = "exaone4", .n_layers = 5});
  const ModelConfig large = config_of({.architecture = "exaone4", .n_layers = 5, .window = 16});
  for (size_t layer = 0; layer < 5; ++layer) {
    EXPECT_TRUE(small.layers[layer].uses_rope) << layer;
    EXPECT_EQ(large.layers[layer].uses_rope, layer != 3) << layer;
  }
}

TEST(ModelConfig, SinksAreNumbersOfEveryHead) {
  RandomModel model{.architecture = "gpt-oss", .n_experts = 4, .n_experts_used = 2, .window = 16};
  const ModelConfig config = config_of(model);
  for (const engine::LayerConfig& layer : config.layers) EXPECT_EQ(layer.sinks.size(), 4u);
  EXPECT_EQ(config.layers[0].sliding_window, 16);
  EXPECT_EQ(config.layers[1].sliding_window, 0);
  EXPECT_EQ(load(random_gguf(model)).message(), "");
  for (const char* tensor : {"blk.1.attn_sinks.weight", "blk.0.ffn_gate_inp.bias", "blk.1.ffn_up_exps.bias"}) {
    model.without_tensor = tensor;
    EXPECT_EQ(load(random_gguf(model)).code(), StatusCode::kCorruption) << tensor;
    EXPECT_THAT(load(random_gguf(model)).message(), HasSubstr(tensor));
  }
}

TEST(ModelConfig, SharedExpertsAndStepsOfExperts) {
  RandomModel model{.architecture = "qwen2moe", .n_experts = 4, .n_experts_used = 2, .shared_ffn_dim = 160};
  const ModelConfig qwen = config_of(model);
  EXPECT_EQ(qwen.ffn_dim, 96);
  EXPECT_EQ(qwen.shared_ffn_dim, 160);
  for (const char* tensor : {"blk.1.ffn_gate_inp_shexp.weight", "blk.0.ffn_down_shexp.weight"}) {
    model.without_tensor = tensor;
    EXPECT_THAT(load(random_gguf(model)).message(), HasSubstr(tensor));
  }
  model = {.architecture = "nomic-bert-moe", .n_layers = 4, .n_kv_heads = 4, .n_experts = 4, .n_experts_used = 2};
  const ModelConfig nomic = config_of(model);
  for (size_t layer = 0; layer < 4; ++layer) EXPECT_EQ(nomic.layers[layer].has_experts, layer % 2 == 1) << layer;
  EXPECT_FALSE(nomic.gated_experts);
  model.overrides["nomic-bert-moe.moe_every_n_layers"] = 0;
  EXPECT_EQ(load(random_gguf(model)).code(), StatusCode::kCorruption);
}

// Every feature that the families of the last years brought, each said by the metadata.
TEST(ModelConfig, MetadataSaysHowExpertsAreChosen) {
  RandomModel model{.architecture = "bailingmoe2",
                    .n_layers = 3,
                    .n_experts = 16,
                    .n_experts_used = 3,
                    .expert_ffn_dim = 48,
                    .n_shared = 2,
                    .leading_dense = 1,
                    .n_groups = 4,
                    .n_groups_used = 2,
                    .gating = 2,
                    .normalise = true,
                    .expert_scale = 2.5f,
                    .draft_layers = 2};
  const ModelConfig config = config_of(model);
  EXPECT_EQ(config.n_layers, 3);
  EXPECT_EQ(config.n_draft_layers, 2);
  ASSERT_EQ(config.layers.size(), 3u);
  for (size_t layer = 0; layer < 3; ++layer) EXPECT_EQ(config.layers[layer].has_experts, layer >= 1) << layer;
  EXPECT_EQ(config.ffn_dim, 48);
  EXPECT_EQ(config.dense_width(), 96);
  EXPECT_EQ(config.shared_ffn_dim, 96);
  EXPECT_TRUE(config.routing.sigmoid);
  EXPECT_TRUE(config.routing.normalise);
  EXPECT_FLOAT_EQ(config.routing.scale, 2.5f);
  EXPECT_EQ(config.routing.n_groups, 4);
  EXPECT_EQ(config.routing.n_groups_used, 2);
  EXPECT_EQ(load(random_gguf(model)).message(), "");
  model.gating = 0;
  model.normalise = false;
  EXPECT_TRUE(config_of(model).routing.sigmoid) << "as the family does where the file does not say";
  EXPECT_FALSE(config_of(model).routing.normalise);
  model.gating = 1;
  EXPECT_FALSE(config_of(model).routing.sigmoid);
}

TEST(ModelConfig, ExpertsOfEveryFewLayers) {
  RandomModel model{.architecture = "ernie4_5-moe", .n_layers = 4, .n_experts = 4, .n_experts_used = 2};
  model.overrides["ernie4_5-moe.interleave_moe_layer_step"] = 2;
  const ModelConfig config = config_of(model);
  EXPECT_TRUE(config.routing.normalise);
  EXPECT_FALSE(config.routing.sigmoid);
  for (size_t layer = 0; layer < 4; ++layer) EXPECT_EQ(config.layers[layer].has_experts, layer % 2 == 1) << layer;
}

TEST(ModelConfig, RoutingThatCannotBeIsRefusedInASentence) {
  const RandomModel sound{.architecture = "glm4moe",
                          .n_layers = 3,
                          .n_experts = 8,
                          .n_experts_used = 3,
                          .n_shared = 1,
                          .leading_dense = 1,
                          .n_groups = 4,
                          .n_groups_used = 2,
                          .gating = 2,
                          .draft_layers = 1};
  ASSERT_EQ(load(random_gguf(sound)).message(), "");
  struct Case {
    const char* key;
    uint32_t value;
    const char* said;
  };
  for (const Case& damage : {Case{"expert_gating_func", 3, "supported are 1 (softmax) and 2 (sigmoid)"},
                             {"expert_gating_func", 0xffffffffu, "expert_gating_func"},
                             {"expert_group_count", 3, "8 experts cannot be 3 groups of two or more"},
                             {"expert_group_count", 8, "8 experts cannot be 8 groups of two or more"},
                             {"expert_group_used_count", 5, "possible are 1 to 4"},
                             {"expert_group_used_count", 1, "a token cannot use 3 experts of 1 groups of 2"},
                             {"expert_shared_count", 0x7fffffffu, "expert_shared_count"},
                             {"leading_dense_block_count", 4, "leading_dense_block_count"},
                             {"nextn_predict_layers", 4, "nextn_predict_layers"},
                             {"nextn_predict_layers", 0, "nextn.eh_proj"},
                             {"feed_forward_length", 0, "layer 0 has no experts"}}) {
    RandomModel model = sound;
    model.overrides[std::string("glm4moe.") + damage.key] = damage.value;
    if (std::string_view(damage.key) == "feed_forward_length") model.expert_ffn_dim = 96;
    const Status status = load(random_gguf(model));
    EXPECT_FALSE(status.ok()) << damage.key << " = " << damage.value;
    EXPECT_THAT(status.message(), HasSubstr(damage.said)) << damage.key << " = " << damage.value;
    EXPECT_THAT(status.message(), HasSubstr("m.gguf"));
  }
  for (const float scale : {-1.0f, 1e9f, std::nanf("")}) {
    RandomModel model = sound;
    model.expert_scale = scale;
    EXPECT_THAT(load(random_gguf(model)).message(), HasSubstr("expert_weights_scale")) << scale;
  }
  RandomModel model = sound;
  model.extra_texts["glm4moe.expert_weights_norm"] = "yes";
  EXPECT_THAT(load(random_gguf(model)).message(), HasSubstr("neither true nor false"));
  model = sound;
  model.without_tensor = "blk.1.exp_probs_b.bias";
  EXPECT_THAT(load(random_gguf(model)).message(), HasSubstr(model.without_tensor));
}

TEST(ModelConfig, TheFirstOfModernBertsLayersSeesAll) {
  RandomModel model{.architecture = "modern-bert", .n_layers = 5, .n_kv_heads = 4, .window = 16};
  const ModelConfig config = config_of(model);
  for (size_t layer = 0; layer < 5; ++layer) {
    EXPECT_EQ(config.layers[layer].sliding_window, layer % 3 == 0 ? 0 : 16) << layer;
    EXPECT_EQ(config.layers[layer].rope_index, layer % 3 == 0 ? 0 : 1) << layer;
  }
  model.without_tensor = "blk.1.attn_norm.weight";  // the first layer's alone is left out
  EXPECT_THAT(load(random_gguf(model)).message(), HasSubstr("blk.1.attn_norm.weight"));
}

std::vector<bool> state_layers_of(const RandomModel& model) {
  std::vector<bool> keeps;
  for (const engine::LayerConfig& layer : config_of(model).layers) keeps.push_back(layer.keeps_state);
  return keeps;
}

TEST(ModelConfig, LayersMayKeepAState) {
  RandomModel model{.architecture = "qwen35", .n_layers = 6, .n_rot = 8, .draft_layers = 1, .attention_interval = 3};
  const ModelConfig config = config_of(model);
  EXPECT_EQ(config.state,
            (engine::StateConfig{engine::StateKind::kDeltaNet, 4, 2, 4, 16, 16, false, config.norm_epsilon}));
  EXPECT_TRUE(config.gated_attention);
  EXPECT_EQ(config.query_width(2), 2 * 64);
  EXPECT_EQ(config.n_layers, 6);
  EXPECT_EQ(config.n_attending_layers(), 2);
  EXPECT_EQ(config.kv_bytes_per_token(), 2 * 2 * 2 * 32);
  EXPECT_EQ(config.state.value_head(1, 1), 3) << "value heads take key heads in turn";
  EXPECT_EQ(state_layers_of(model), (std::vector<bool>{true, true, false, true, true, false}));
  model.extra_lists["qwen35.attention.recurrent_layers"] = {1, 0, 1, 1, 0, 1, 0};  // the drafting layer's at the end
  EXPECT_EQ(state_layers_of(model), (std::vector<bool>{true, false, true, true, false, true}));
  const ModelConfig next = config_of({.architecture = "qwen3next", .n_experts = 4, .n_experts_used = 2});
  EXPECT_TRUE(next.state.neighbours_share);
  EXPECT_EQ(next.state.value_head(1, 1), 3);
  EXPECT_EQ(next.state.value_head(0, 1), 1) << "neighbours share a key head";
  EXPECT_FALSE(config_of({}).has_state());
}

// Liquid's files mark the layers that attend by their KV heads.
TEST(ModelConfig, LayersWithoutKvHeadsAreShortConvolutions) {
  RandomModel model{.architecture = "lfm2", .n_layers = 5, .attention_interval = 2, .conv_width = 3};
  const ModelConfig config = config_of(model);
  EXPECT_EQ(config.state.kind, engine::StateKind::kConvolution);
  EXPECT_EQ(config.state.channels(), 64);
  EXPECT_EQ(config.state_floats(), 2 * 64) << "two rows before, and no matrix";
  EXPECT_EQ(state_layers_of(model), (std::vector<bool>{true, false, true, false, true}));
  EXPECT_EQ(config.n_kv_heads, 2);
  EXPECT_EQ(config.kv_bytes_per_token(), 2 * 2 * 2 * 32);
  const auto refused = [&](const std::string& key, uint32_t value) {
    RandomModel broken = model;
    broken.overrides["lfm2." + key] = value;
    return load(random_gguf(broken));
  };
  EXPECT_EQ(refused("shortconv.l_cache", 1).code(), StatusCode::kCorruption);
  EXPECT_EQ(refused("shortconv.l_cache", 0xffffffff).code(), StatusCode::kCorruption);
  EXPECT_THAT(refused("shortconv.l_cache", 4).message(), HasSubstr("shortconv.conv.weight"));
  for (const char* tensor : {"shortconv.in_proj.weight", "shortconv.conv.weight", "shortconv.out_proj.weight"}) {
    model.without_tensor = std::string("blk.0.") + tensor;
    EXPECT_THAT(load(random_gguf(model)).message(), HasSubstr(model.without_tensor)) << "is missing";
  }
}

TEST(ModelConfig, StatesThatCannotBeAreRefusedInASentence) {
  const auto refused = [](const std::string& key, uint32_t value) {
    RandomModel model{.architecture = "qwen35"};
    model.overrides["qwen35." + key] = value;
    return load(random_gguf(model));
  };
  for (const char* key : {"ssm.conv_kernel", "ssm.state_size", "ssm.group_count", "ssm.time_step_rank"}) {
    EXPECT_EQ(refused(key, 0).code(), StatusCode::kCorruption) << key;
    EXPECT_EQ(refused(key, 0xffffffff).code(), StatusCode::kCorruption) << key;
  }
  EXPECT_THAT(refused("ssm.group_count", 3).message(), HasSubstr("4 value heads cannot share 3 key heads"));
  EXPECT_EQ(refused("ssm.inner_size", 128).code(), StatusCode::kUnsupported) << "values of another length than keys";
  EXPECT_EQ(refused("ssm.conv_kernel", 5).code(), StatusCode::kCorruption) << "a kernel of another width";
  EXPECT_EQ(refused("full_attention_interval", 0).code(), StatusCode::kCorruption);
  RandomModel model{.architecture = "qwen35"};
  model.extra_lists["qwen35.attention.recurrent_layers"] = {1};
  EXPECT_THAT(load(random_gguf(model)).message(), HasSubstr("lists 1 layers of 2"));
  model.extra_lists.clear();
  model.extra_texts["qwen35.attention.recurrent_layers"] = "most";
  EXPECT_EQ(load(random_gguf(model)).code(), StatusCode::kCorruption);
  model.extra_texts.clear();
  for (const char* tensor : {"ssm_conv1d.weight", "ssm_a", "ssm_dt.bias", "ssm_norm.weight", "ssm_beta.weight",
                             "ssm_alpha.weight", "ssm_out.weight", "attn_gate.weight"}) {
    model.without_tensor = std::string("blk.0.") + tensor;
    EXPECT_THAT(load(random_gguf(model)).message(), HasSubstr(model.without_tensor)) << "is missing";
  }
  model.without_tensor.clear();
  model.extra_numbers["qwen35.pooling_type"] = 3;
  EXPECT_THAT(load(random_gguf(model)).message(), HasSubstr("vectors of texts"));
}

TEST(ModelConfig, LayersOfMambaKeepMatricesOfKeysAndValues) {
  RandomModel model{
      .architecture = "granitehybrid", .n_layers = 4, .attention_interval = 4, .state_dim = 20, .state_value_dim = 12};
  const ModelConfig config = config_of(model);
  EXPECT_EQ(config.state.kind, engine::StateKind::kMamba);
  EXPECT_EQ(config.state.channels(), 2 * 2 * 20 + 4 * 12);
  EXPECT_EQ(config.state_floats(), 3 * (2 * 2 * 20 + 4 * 12) + 4 * 20 * 12);
  EXPECT_EQ(config.state.value_head(1, 1), 3);
  EXPECT_EQ(state_layers_of(model), (std::vector<bool>{true, true, true, false}));
  EXPECT_FLOAT_EQ(config.state.epsilon, 1e-6f) << "which the scale of what blocks add does not change";
  EXPECT_FALSE(config.layers[3].uses_rope);
  model.rotates = true;
  EXPECT_TRUE(config_of(model).layers[3].uses_rope);
}

TEST(ModelConfig, LayersMayBeOfOneBlock) {
  const RandomModel model{.architecture = "nemotron_h", .n_layers = 6};
  const ModelConfig config = config_of(model);
  EXPECT_EQ(state_layers_of(model), (std::vector<bool>{true, false, false, true, false, false}));
  for (int layer = 0; layer < 6; ++layer) {
    EXPECT_EQ(config.feeds_forward(layer), layer % 3 == 1) << layer;
    EXPECT_EQ(config.attends(layer), layer % 3 == 2) << layer;
  }
  EXPECT_EQ(config.kv_bytes_per_token(), 2 * 2 * 2 * 32);
  const ModelConfig experts = config_of(
      {.architecture = "nemotron_h_moe", .n_layers = 3, .n_experts = 4, .n_experts_used = 2, .shared_ffn_dim = 32});
  EXPECT_TRUE(experts.layers[1].has_experts);
  EXPECT_FALSE(experts.layers[0].has_experts);
  EXPECT_FALSE(experts.gated_experts);
  EXPECT_TRUE(experts.routing.sigmoid);
}

TEST(ModelConfig, LayersMayKeepAStateBesideTheirKeys) {
  const ModelConfig config = config_of({.architecture = "falcon-h1"});
  for (int layer = 0; layer < config.n_layers; ++layer)
    EXPECT_TRUE(config.keeps_state(layer) && config.attends(layer) && config.feeds_forward(layer)) << layer;
  EXPECT_EQ(config.n_attending_layers(), 2);
  EXPECT_EQ(config.kv_bytes_per_token(), 2 * 2 * 2 * 32);
}

TEST(ModelConfig, MambaThatCannotBeIsRefusedInASentence) {
  const auto refused = [](const std::string& key, uint32_t value) {
    RandomModel model{.architecture = "granitehybrid"};
    model.overrides["granitehybrid." + key] = value;
    return load(random_gguf(model));
  };
  EXPECT_THAT(refused("ssm.inner_size", 130).message(), HasSubstr("cannot be values of 4 heads"));
  EXPECT_EQ(refused("ssm.inner_size", 4 * 1024).code(), StatusCode::kCorruption);
  EXPECT_EQ(refused("ssm.time_step_rank", 3).code(), StatusCode::kCorruption);
  EXPECT_THAT(refused("ssm.state_size", 17).message(), HasSubstr("ssm_in.weight"));
  RandomModel model{.architecture = "granitehybrid"};
  for (const char* tensor :
       {"ssm_in.weight", "ssm_conv1d.weight", "ssm_dt.bias", "ssm_a", "ssm_d", "ssm_norm.weight", "ssm_out.weight"}) {
    model.without_tensor = std::string("blk.0.") + tensor;
    EXPECT_THAT(load(random_gguf(model)).message(), HasSubstr(model.without_tensor)) << "is missing";
  }
}

// The paper's example: eight heads have 1/2 to 1/256; beyond a power of two, every other slope of twice as many.
TEST(ModelConfig, SlopesOfDistanceFollowThePaper) {
  ModelConfig config = config_of({.architecture = "jina-bert-v2", .dim = 128, .n_heads = 8, .n_kv_heads = 8});
  for (int head = 0; head < 8; ++head) EXPECT_FLOAT_EQ(config.slope_of(head), std::exp2(-1.0f - head)) << head;
  config.n_heads = 12;
  EXPECT_FLOAT_EQ(config.slope_of(7), std::exp2(-8.0f));
  for (int head = 8; head < 12; ++head) EXPECT_FLOAT_EQ(config.slope_of(head), std::exp2(-(head - 8) - 0.5f)) << head;
}

// A head of another form than BERT's would give scores that mean nothing.
TEST(ModelConfig, EncodersWhoseHeadsAreNotKnownDoNotRank) {
  for (const char* architecture : {"jina-bert-v2", "nomic-bert-moe"}) {
    RandomModel model{.architecture = architecture, .n_kv_heads = 4, .pooling = 4};
    if (model.architecture == "nomic-bert-moe") model.n_experts = 4, model.n_experts_used = 2;
    const Status status = load(random_gguf(model));
    EXPECT_EQ(status.code(), StatusCode::kUnsupported) << architecture;
    EXPECT_THAT(status.message(), HasSubstr("ranking"));
  }
}

TEST(ModelConfig, QueriesMayGrowWithTheirPositions) {
  RandomModel model{.architecture = "mistral3", .rope_scaling = "yarn", .original_context = 32};
  EXPECT_EQ(config_of(model).query_growth.scale_at(1000), 1.0f);
  EXPECT_NEAR(config_of(model).ropes[0].attention_factor, 1.0 + 0.1 * std::log(4.0), 1e-6);
  model.temperature_scale = 0.1f;
  model.yarn_log_multiplier = 1.0f;
  const ModelConfig config = config_of(model);
  EXPECT_EQ(config.query_growth.scale_at(31), 1.0f);
  EXPECT_NEAR(config.query_growth.scale_at(32), 1.0 + 0.1 * std::log(2.0), 1e-6);
  EXPECT_FLOAT_EQ(config.ropes[0].attention_factor, 1.0f);
  for (const float impossible : {-1.0f, 1e9f, std::nanf("")}) {
    model.temperature_scale = impossible;
    EXPECT_EQ(load(random_gguf(model)).code(), StatusCode::kCorruption) << impossible;
  }
}

// Files of newer and of older converters name the lengths of heads differently.
TEST(ModelConfig, LatentAttentionIsOneHeadOfKeysAndValues) {
  RandomModel model{.architecture = "deepseek2", .n_rot = 16, .kv_rank = 48, .q_rank = 40, .plain_dim = 24};
  for (const bool whole : {false, true}) {
    model.whole_kv_b = whole;
    const ModelConfig config = config_of(model);
    EXPECT_EQ(config.n_kv_heads, 1);
    EXPECT_EQ(config.head_dim, 16 + 48);
    EXPECT_EQ(config.latent, (engine::LatentAttention{48, 40, 24, 20}));
    EXPECT_EQ(config.made_query_dim(), 24 + 16);
    EXPECT_EQ(config.head_output_dim(), 20);
    EXPECT_FLOAT_EQ(config.attention_scale, 1.0f / std::sqrt(40.0f));
    EXPECT_EQ(config.ropes[0].n_rot, 16);
    EXPECT_EQ(load(random_gguf(model)).message(), "");
  }
  EXPECT_FALSE(config_of({.architecture = "llama"}).is_latent());
}

// DeepSeek sharpens all scores, not the rotated part of them alone; files have a tenth of mscale_all_dim.
TEST(ModelConfig, YarnScalesTheScoresOfLatentAttention) {
  RandomModel model{.architecture = "deepseek2",
                    .rope_scaling = "yarn",
                    .rope_factor = 40.0f,
                    .original_context = 64,
                    .yarn_log_multiplier = 0.0707f};
  const float plain = 1.0f / std::sqrt(32.0f);
  const ModelConfig lite = config_of(model);
  EXPECT_FLOAT_EQ(lite.ropes[0].attention_factor, 1.0f);
  EXPECT_NEAR(lite.attention_scale / plain, std::pow(0.0707 * std::log(40.0) + 1.0, 2.0), 1e-5);
  model.yarn_log_multiplier = 0.0f;
  const ModelConfig unsaid = config_of(model);
  EXPECT_NEAR(unsaid.ropes[0].attention_factor, 0.1 * std::log(40.0) + 1.0, 1e-5);
  EXPECT_FLOAT_EQ(unsaid.attention_scale, plain);
}

TEST(ModelConfig, ABiasOfTheChoiceMeansSigmoidsWhereDeepseekSaysNothing) {
  RandomModel model{.architecture = "deepseek2", .n_experts = 4, .n_experts_used = 2, .choice_bias = true};
  EXPECT_TRUE(config_of(model).routing.sigmoid);
  model.gating = 1;
  EXPECT_FALSE(config_of(model).routing.sigmoid);
  model.gating = 0;
  model.choice_bias = false;
  EXPECT_FALSE(config_of(model).routing.sigmoid);
}

TEST(ModelConfig, LatentAttentionThatCannotBeIsRefusedInASentence) {
  struct Case {
    const char* key;
    uint32_t value;
    const char* said;
  };
  for (const Case& damage : {Case{"attention.kv_lora_rank", 0, "kv_lora_rank"},
                             {"attention.kv_lora_rank", 1 << 20, "kv_lora_rank"},
                             {"attention.kv_lora_rank", 31, "are impossible"},
                             {"attention.kv_lora_rank", 1024, "are impossible"},
                             {"attention.kv_lora_rank", 64, "attn_kv_a_mqa"},
                             {"attention.q_lora_rank", 0x7fffffff, "q_lora_rank"},
                             {"attention.q_lora_rank", 64, "attn_q_a"},
                             {"attention.key_length_mla", 8, "are impossible"},
                             {"attention.key_length_mla", 2000, "key_length_mla"},
                             {"attention.key_length_mla", 40, "attn_q_b"},
                             {"attention.value_length_mla", 0, "value_length_mla"},
                             {"attention.value_length_mla", 24, "attn_v_b"},
                             {"attention.head_count", 8, "attn_q_b"},
                             {"rope.dimension_count", 7, "are impossible"},
                             {"rope.dimension_count", 32, "are impossible"}}) {
    RandomModel model{.architecture = "deepseek2", .q_rank = 40};
    model.overrides[std::string("deepseek2.") + damage.key] = damage.value;
    const Status status = load(random_gguf(model));
    EXPECT_FALSE(status.ok()) << damage.key << " = " << damage.value;
    EXPECT_THAT(status.message(), HasSubstr(damage.said)) << damage.key << " = " << damage.value;
    EXPECT_THAT(status.message(), HasSubstr("m.gguf"));
  }
  for (const char* tensor : {"blk.0.attn_q_a.weight", "blk.1.attn_q_a_norm.weight", "blk.1.attn_kv_a_norm.weight",
                             "blk.0.attn_k_b.weight", "blk.1.attn_v_b.weight"}) {
    const RandomModel model{.architecture = "deepseek2", .q_rank = 40, .without_tensor = tensor};
    EXPECT_THAT(load(random_gguf(model)).message(), HasSubstr(tensor));
  }
}

TEST(ModelConfig, ImpossibleNumbersAreRefused) {
  const char* keys[] = {"llama.block_count",          "llama.context_length",         "llama.embedding_length",
                        "llama.feed_forward_length",  "llama.attention.head_count",   "llama.attention.head_count_kv",
                        "llama.attention.key_length", "llama.attention.value_length", "llama.rope.dimension_count"};
  for (const char* key : keys) {
    for (const uint32_t value : {0u, 3u, 7u, 1023u, 65535u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
      RandomModel model;
      model.overrides[key] = value;
      const Status status = load(random_gguf(model));
      const bool harmless = std::string_view(key) == "llama.context_length" && value >= 1 && value < (1u << 28);
      EXPECT_EQ(status.ok(), harmless) << key << " = " << value << ": " << status.message();
      EXPECT_THAT(status.ok() ? "m.gguf" : status.message(), HasSubstr("m.gguf"));
    }
  }
}

TEST(ModelConfig, ExpertCountsAreChecked) {
  for (const auto& [key, value] : std::map<std::string, uint32_t>{{"llama.expert_count", 0xffffffffu},
                                                                  {"llama.expert_count", 5},
                                                                  {"llama.expert_used_count", 0},
                                                                  {"llama.expert_used_count", 7}}) {
    RandomModel model{.n_experts = 6, .n_experts_used = 2};
    model.overrides[key] = value;
    EXPECT_FALSE(load(random_gguf(model)).ok()) << key << " = " << value;
  }
}

TEST(ModelWeights, NamesTheMissingTensor) {
  for (const char* name : {"token_embd.weight", "output_norm.weight", "blk.1.attn_q.weight", "blk.0.ffn_down.weight",
                           "blk.1.attn_norm.weight"}) {
    const Status status = load(random_gguf({.without_tensor = name}));
    EXPECT_EQ(status.code(), StatusCode::kCorruption);
    EXPECT_THAT(status.message(), HasSubstr(name));
  }
}

// Looking at a file without loading it must say what loading says.
TEST(ModelWeights, AreLookedAtAsTheyAreLoaded) {
  const auto look = [](const RandomModel& model) -> Status {
    const auto bytes = random_gguf(model);
    MNEME_ASSIGN_OR_RETURN(const gguf::GgufFile file, gguf::GgufFile::parse(bytes, "m.gguf"));
    return engine::check_model(file).status();
  };
  for (const engine::Architecture& architecture : engine::architectures()) {
    RandomModel model{.architecture = std::string(architecture.name), .n_kv_heads = 4};
    if (architecture.experts == engine::Presence::kRequired) model.n_experts = 4, model.n_experts_used = 2;
    EXPECT_TRUE(look(model).ok()) << architecture.name << ": " << look(model).message();
    model.fused_qkv = architecture.fused_qkv == engine::Presence::kRequired;
    EXPECT_TRUE(look(model).ok()) << architecture.name << ": " << look(model).message();
    for (const char* name : {"token_embd.weight", "blk.1.attn_output.weight", "blk.0.ffn_gate_inp.weight",
                             "blk.0.attn_q.weight", "blk.1.attn_norm.weight", "output.weight"}) {
      model.without_tensor = name;
      EXPECT_EQ(look(model).message(), load(random_gguf(model)).message()) << architecture.name << " without " << name;
    }
  }
  EXPECT_EQ(look({.extra_tensor = "blk.0.attn_sinks.weight"}).code(), StatusCode::kUnsupported);
  RandomModel ranker{.architecture = "bert", .n_kv_heads = 4, .pooling = 4};
  EXPECT_TRUE(look(ranker).ok()) << look(ranker).message();
  ranker.overrides["bert.pooling_type"] = 1;
  EXPECT_EQ(look(ranker).code(), StatusCode::kUnsupported) << "it has a head that nobody would use";
  ranker = {.architecture = "bert", .n_kv_heads = 4};
  ranker.overrides["bert.pooling_type"] = 4;
  EXPECT_EQ(look(ranker).code(), StatusCode::kUnsupported) << "it has no head";
}

TEST(ModelWeights, RefusesTensorsThatWouldBeIgnored) {
  const Status status = load(random_gguf({.extra_tensor = "blk.0.attn_sinks.weight"}));
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("blk.0.attn_sinks.weight"));
}

TEST(ModelWeights, DamagedMetadataNeverCrashes) {
  const auto original = random_gguf({.architecture = "gemma3", .window = 8});
  Random random(3);
  int n_loaded = 0;
  for (int round = 0; round < 1500; ++round) {
    auto bytes = original;
    const size_t n_flips = 1 + random.below(3);
    for (size_t i = 0; i < n_flips; ++i) bytes[random.below(2200)] = static_cast<std::byte>(random.next());
    if (load(bytes).ok()) ++n_loaded;
  }
  EXPECT_LT(n_loaded, 1500);
}

TEST(RopeScaling, PlainLinearAndDivided) {
  const auto plain = engine::make_rope(engine::RopeLayout::kSplitHalf, 8, 10000.0, {}, {});
  ASSERT_EQ(plain.inverse_frequencies.size(), 4u);
  EXPECT_FLOAT_EQ(plain.inverse_frequencies[0], 1.0f);
  EXPECT_FLOAT_EQ(plain.inverse_frequencies[2], 0.01f);
  EXPECT_FLOAT_EQ(plain.attention_factor, 1.0f);
  const auto linear = engine::make_rope(engine::RopeLayout::kSplitHalf, 8, 10000.0,
                                        {.kind = engine::RopeScalingKind::kLinear, .factor = 4.0}, {});
  EXPECT_FLOAT_EQ(linear.inverse_frequencies[2], 0.0025f);
  const std::vector<float> divisors = {1, 2, 4, 8};
  const auto divided = engine::make_rope(engine::RopeLayout::kSplitHalf, 8, 10000.0, {}, divisors);
  EXPECT_FLOAT_EQ(divided.inverse_frequencies[1], 0.05f);
}

TEST(RopeScaling, YarnKeepsFastPairsAndInterpolatesSlowOnes) {
  const auto yarn =
      engine::make_rope(engine::RopeLayout::kSplitHalf, 128, 10000.0,
                        {.kind = engine::RopeScalingKind::kYarn, .factor = 8.0, .original_context = 4096}, {});
  const auto plain = engine::make_rope(engine::RopeLayout::kSplitHalf, 128, 10000.0, {}, {});
  EXPECT_FLOAT_EQ(yarn.inverse_frequencies[0], plain.inverse_frequencies[0]);
  EXPECT_FLOAT_EQ(yarn.inverse_frequencies[63], plain.inverse_frequencies[63] / 8.0f);
  EXPECT_NEAR(yarn.attention_factor, 1.0 + 0.1 * std::log(8.0), 1e-6);
}

}  // namespace
}  // namespace mneme::testing
