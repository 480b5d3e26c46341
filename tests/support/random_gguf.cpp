#include "tests/support/random_gguf.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <deque>
#include <initializer_list>

#include "base/random.h"
#include "engine/gguf/quantize.h"

namespace mneme::testing {

namespace {

using gguf::TensorType;

constexpr uint32_t kRankPooling = 4;

class Builder {
 public:
  explicit Builder(const RandomModel& model) : model_(model), random_(model.seed) {}

  std::vector<std::byte> build() {
    add_metadata();
    add_rope();
    add_global_tensors();
    for (uint32_t layer = 0; layer < model_.n_layers + model_.draft_layers; ++layer)
      add_layer(layer, "blk." + std::to_string(layer) + ".");
    if (!model_.extra_tensor.empty()) add_vector(model_.extra_tensor, model_.dim, 0.0f, 1.0f);
    return writer_.finish();
  }

 private:
  bool is(std::string_view name) const { return model_.architecture == name; }
  bool is_one_of(std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names) {
      if (is(name)) return true;
    }
    return false;
  }
  bool is_encoder() const { return is_one_of({"bert", "nomic-bert", "nomic-bert-moe", "jina-bert-v2"}); }
  bool is_cohere() const { return is("command-r") || is("cohere2"); }
  bool has_norm_bias() const { return is_encoder() || is("starcoder2") || is("stablelm") || is("nemotron"); }
  bool has_layer_norms() const { return has_norm_bias() || is_cohere() || is("modern-bert"); }
  bool is_delta_net() const { return is_one_of({"qwen3next", "qwen35", "qwen35moe"}); }
  bool is_convolution() const { return is("lfm2") || is("lfm2moe"); }
  bool is_nemotron_h() const { return is("nemotron_h") || is("nemotron_h_moe"); }
  bool is_mamba() const { return is_nemotron_h() || is("granitehybrid") || is("falcon-h1"); }
  bool has_states() const { return is_delta_net() || is_convolution() || is_mamba(); }
  // Whose layers with a state are those without KV heads.
  bool has_states_without_kv() const { return is_convolution() || is_nemotron_h() || is("granitehybrid"); }
  bool keeps_state(uint32_t layer) const {
    if (is("falcon-h1")) return true;
    if (is_nemotron_h()) return layer % 3 == 0;
    return has_states() && layer < model_.n_layers && (layer + 1) % model_.attention_interval != 0;
  }
  bool attends(uint32_t layer) const {
    return is_nemotron_h() ? layer % 3 == 2 : is("falcon-h1") || !keeps_state(layer);
  }
  bool feeds_forward(uint32_t layer) const { return !is_nemotron_h() || layer % 3 == 1; }
  bool has_linear_bias() const { return is_one_of({"bert", "nomic-bert-moe", "starcoder2"}); }
  bool has_gates() const { return !has_linear_bias() && !is("arcee") && !is("nemotron") && !is_nemotron_h(); }
  bool fuses_gates() const { return is_one_of({"phi3", "glm4", "chatglm", "modern-bert"}) || model_.fused_gate; }
  // Encoders are, and language models that are asked to pool otherwise than by default.
  bool pools() const {
    return is_encoder() || is("gemma-embedding") || is("modern-bert") || (is("qwen3") && model_.pooling > 2);
  }
  bool has_qk_norm() const {
    return model_.qk_norm || is_delta_net() || is_convolution() ||
           is_one_of({"qwen3", "qwen3moe", "qwen3vl", "qwen3vlmoe", "gemma3", "gemma4", "gemma-embedding", "olmo2",
                      "olmoe", "exaone4", "dots1", "bailingmoe2", "hunyuan-dense", "hunyuan-moe", "minimax-m2"});
  }
  bool has_whole_norms() const { return is_one_of({"olmo2", "olmoe", "minimax-m2"}); }
  bool is_latent() const { return is("deepseek2") || is("mistral4"); }
  // Whose metadata says how experts are chosen.
  bool has_routing() const {
    return is_latent() || is_one_of({"ernie4_5-moe", "deepseek", "dots1", "bailingmoe2", "glm4moe", "minimax-m2",
                                     "lfm2moe", "nemotron_h_moe"});
  }
  bool has_choice_bias() const { return is_latent() ? model_.choice_bias : has_routing() && !is("deepseek"); }
  uint32_t n_rot() const { return model_.n_rot != 0 ? model_.n_rot : is_latent() ? 8 : model_.head_dim; }
  uint32_t expert_ffn_dim() const { return model_.expert_ffn_dim != 0 ? model_.expert_ffn_dim : model_.ffn_dim; }
  uint32_t state_value_dim() const { return model_.state_value_dim != 0 ? model_.state_value_dim : model_.state_dim; }
  std::string key(const std::string& suffix) const { return model_.architecture + "." + suffix; }

  void put_u32(const std::string& name, uint32_t value) {
    const auto replaced = model_.overrides.find(name);
    writer_.add_u32(name, replaced == model_.overrides.end() ? value : replaced->second);
  }

  void add_metadata() {
    writer_.add_text("general.architecture", model_.architecture);
    writer_.add_text("general.name", model_.name.empty() ? "random " + model_.architecture : model_.name);
    put_u32(key("block_count"), model_.n_layers + model_.draft_layers);
    put_u32(key("context_length"), model_.context);
    put_u32(key("embedding_length"), model_.dim);
    put_u32(key("attention.head_count"), model_.n_heads);
    is_latent() ? add_latent_lengths() : add_lengths();
    writer_.add_f32(key(has_layer_norms() ? "attention.layer_norm_epsilon" : "attention.layer_norm_rms_epsilon"),
                    1e-6f);
    if (is_nemotron_h()) writer_.add_f32(key("attention.layer_norm_epsilon"), 1e-6f);  // files have both
    if (is_encoder() || is("modern-bert")) writer_.add_bool(key("attention.causal"), false);
    if (pools()) put_u32(key("pooling_type"), model_.pooling);
    if (model_.dense != 0) {
      put_u32(key("dense_2_feat_in"), model_.dim);
      put_u32(key("dense_2_feat_out"), model_.dense);
      put_u32(key("dense_3_feat_in"), model_.dense);
      put_u32(key("dense_3_feat_out"), model_.dim);
    }
    if (model_.n_labels == 2) {
      writer_.add_texts(key("classifier.output_labels"), {"yes", "no"});
      writer_.add_text("tokenizer.chat_template.rerank", model_.rank_template);
    }
    if (model_.window != 0) put_u32(key("attention.sliding_window"), model_.window);
    if (is("gemma2")) writer_.add_f32(key("attn_logit_softcapping"), 5.0f);
    if (is("gemma2") || is("gemma4")) writer_.add_f32(key("final_logit_softcapping"), 3.0f);
    if (is_one_of({"granite", "granitemoe", "granitehybrid", "minicpm"})) {
      writer_.add_f32(key("embedding_scale"), 12.0f);
      writer_.add_f32(key("residual_scale"), 0.22f);
      writer_.add_f32(key("logit_scale"), 4.0f);
      if (!is("minicpm")) writer_.add_f32(key("attention.scale"), 0.1f);
    }
    if (is_cohere()) writer_.add_f32(key("logit_scale"), 0.25f);
    if (model_.n_experts != 0) {
      put_u32(key("expert_count"), model_.n_experts);
      put_u32(key("expert_used_count"), model_.n_experts_used);
      if (is_one_of(
              {"qwen2moe", "qwen3moe", "qwen3vlmoe", "gpt-oss", "gemma4", "qwen3next", "qwen35moe", "hunyuan-moe"}))
        put_u32(key("expert_feed_forward_length"), expert_ffn_dim());
      if (model_.shared_ffn_dim != 0) put_u32(key("expert_shared_feed_forward_length"), model_.shared_ffn_dim);
      if (is("nomic-bert-moe")) put_u32(key("moe_every_n_layers"), 2);
      if (has_routing()) add_routing();
    }
    if (has_states()) add_state_sizes();
    for (const auto& [name, number] : model_.extra_numbers) writer_.add_u32(name, number);
    for (const auto& [name, text] : model_.extra_texts) writer_.add_text(name, text);
    for (const auto& [name, list] : model_.extra_lists) writer_.add_i32s(name, list);
    for (const auto& [name, list] : model_.extra_text_lists) writer_.add_texts(name, list);
    if (!model_.vocabulary) return writer_.add_text("tokenizer.ggml.model", "none");
    if (model_.unigram) return add_unigram_vocabulary();
    is_encoder() || is("modern-bert") ? add_wordpiece_vocabulary() : add_sentencepiece_vocabulary();
  }

  bool has_window(uint32_t layer) const { return is("gemma4") && layer % model_.window_step != model_.window_step - 1; }
  bool reads_others_kv(uint32_t layer) const { return layer + model_.shared_kv >= model_.n_layers && is("gemma4"); }
  uint32_t head_dim_of(uint32_t layer) const {
    return has_window(layer) && model_.window_head_dim != 0 ? model_.window_head_dim : model_.head_dim;
  }
  uint32_t kv_heads_of(uint32_t layer) const {
    return !has_window(layer) && model_.full_kv_heads != 0 ? model_.full_kv_heads : model_.n_kv_heads;
  }
  uint32_t ffn_dim_of(uint32_t layer) const {
    return reads_others_kv(layer) && model_.shared_ffn != 0 ? model_.shared_ffn : model_.ffn_dim;
  }

  void add_layer_shapes() {
    std::vector<int32_t> kv_heads;
    std::vector<int32_t> widths;
    std::vector<bool> windows;
    for (uint32_t layer = 0; layer < model_.n_layers; ++layer) {
      kv_heads.push_back(static_cast<int32_t>(kv_heads_of(layer)));
      widths.push_back(static_cast<int32_t>(ffn_dim_of(layer)));
      windows.push_back(has_window(layer));
    }
    writer_.add_i32s(key("attention.head_count_kv"), kv_heads);
    if (model_.shared_ffn != 0) {
      writer_.add_i32s(key("feed_forward_length"), widths);
    } else {
      put_u32(key("feed_forward_length"), model_.ffn_dim);
    }
    writer_.add_bools(key("attention.sliding_window_pattern"), windows);
    put_u32(key("attention.key_length_swa"), head_dim_of(0));
    put_u32(key("attention.value_length_swa"), head_dim_of(0));
    put_u32(key("attention.shared_kv_layers"), model_.shared_kv);
    put_u32(key("embedding_length_per_layer_input"), model_.layer_input_dim);
  }

  void add_lengths() {
    if (is("gemma4")) {
      add_layer_shapes();
    } else {
      is_nemotron_h() ? add_widths() : put_u32(key("feed_forward_length"), model_.ffn_dim);
      has_states_without_kv() ? add_kv_heads() : put_u32(key("attention.head_count_kv"), model_.n_kv_heads);
    }
    put_u32(key("attention.key_length"), model_.head_dim);
    put_u32(key("attention.value_length"), model_.head_dim);
  }

  void add_widths() {
    std::vector<int32_t> widths;
    for (uint32_t layer = 0; layer < model_.n_layers; ++layer)
      widths.push_back(feeds_forward(layer) ? static_cast<int32_t>(model_.ffn_dim) : 0);
    writer_.add_i32s(key("feed_forward_length"), widths);
  }

  void add_kv_heads() {
    std::vector<int32_t> kv_heads;
    for (uint32_t layer = 0; layer < model_.n_layers; ++layer)
      kv_heads.push_back(attends(layer) ? static_cast<int32_t>(model_.n_kv_heads) : 0);
    writer_.add_i32s(key("attention.head_count_kv"), kv_heads);
  }

  // Of the one KV head, and, as older converters wrote them alone, of the heads.
  void add_latent_lengths() {
    put_u32(key("feed_forward_length"), model_.ffn_dim);
    put_u32(key("attention.kv_lora_rank"), model_.kv_rank);
    if (model_.q_rank != 0) put_u32(key("attention.q_lora_rank"), model_.q_rank);
    put_u32(key("attention.head_count_kv"), model_.whole_kv_b ? model_.n_heads : 1);
    const uint32_t key_dim = model_.plain_dim + n_rot();
    put_u32(key("attention.key_length"), model_.whole_kv_b ? key_dim : model_.kv_rank + n_rot());
    put_u32(key("attention.value_length"), model_.whole_kv_b ? model_.value_dim : model_.kv_rank);
    if (model_.whole_kv_b) return;
    put_u32(key("attention.key_length_mla"), key_dim);
    put_u32(key("attention.value_length_mla"), model_.value_dim);
  }

  void add_state_sizes() {
    if (is_convolution()) return put_u32(key("shortconv.l_cache"), model_.conv_width);
    if (is_delta_net()) put_u32(key("full_attention_interval"), model_.attention_interval);
    put_u32(key("ssm.conv_kernel"), model_.conv_width);
    put_u32(key("ssm.state_size"), model_.state_dim);
    put_u32(key("ssm.group_count"), model_.state_key_heads);
    put_u32(key("ssm.time_step_rank"), model_.state_value_heads);
    put_u32(key("ssm.inner_size"), model_.state_value_heads * state_value_dim());
    if (model_.draft_layers != 0) put_u32(key("nextn_predict_layers"), model_.draft_layers);
  }

  void add_routing() {
    put_u32(key("expert_feed_forward_length"), expert_ffn_dim());
    put_u32(key("leading_dense_block_count"), model_.leading_dense);
    if (is("ernie4_5-moe")) put_u32(key("interleave_moe_layer_step"), 1);
    if (!is_one_of({"ernie4_5-moe", "lfm2moe", "nemotron_h_moe"})) put_u32(key("expert_shared_count"), model_.n_shared);
    if (is("bailingmoe2")) put_u32(key("expert_shared_feed_forward_length"), expert_ffn_dim());
    if (model_.n_groups != 0) put_u32(key("expert_group_count"), model_.n_groups);
    if (model_.n_groups != 0) put_u32(key("expert_group_used_count"), model_.n_groups_used);
    if (model_.gating != 0) put_u32(key("expert_gating_func"), model_.gating);
    if (model_.normalise) writer_.add_bool(key("expert_weights_norm"), true);
    if (model_.expert_scale != 0.0f) writer_.add_f32(key("expert_weights_scale"), model_.expert_scale);
    if (model_.draft_layers != 0) put_u32(key("nextn_predict_layers"), model_.draft_layers);
  }

  // XLM-R's markers, letters, then made-up words.
  void add_unigram_vocabulary() {
    std::vector<std::string> tokens = {"<s>", "<pad>", "</s>", "<unk>", "\u2581"};
    std::vector<int32_t> types = {3, 3, 3, 2, 1};
    std::vector<float> scores = {0.0f, 0.0f, 0.0f, 0.0f, -3.0f};
    while (tokens.size() < model_.vocab_size) {
      const size_t id = tokens.size();
      const auto letter = static_cast<char>('a' + (id - 5) % 26);
      tokens.push_back(id < 31 ? std::string(1, letter) : "\u2581w" + std::to_string(id));
      types.push_back(1);
      scores.push_back(-4.0f - 0.01f * static_cast<float>(id));
    }
    writer_.add_text("tokenizer.ggml.model", "t5");
    writer_.add_texts("tokenizer.ggml.tokens", tokens);
    writer_.add_f32s("tokenizer.ggml.scores", scores);
    writer_.add_i32s("tokenizer.ggml.token_type", types);
    writer_.add_bool("tokenizer.ggml.add_bos_token", true);
    writer_.add_bool("tokenizer.ggml.add_eos_token", true);
    writer_.add_bool("tokenizer.ggml.add_sep_token", true);
    writer_.add_bool("tokenizer.ggml.add_space_prefix", true);
    writer_.add_bool("tokenizer.ggml.remove_extra_whitespaces", true);
    put_u32("tokenizer.ggml.bos_token_id", 0);
    put_u32("tokenizer.ggml.padding_token_id", 1);
    put_u32("tokenizer.ggml.eos_token_id", 2);
    put_u32("tokenizer.ggml.seperator_token_id", 2);
    put_u32("tokenizer.ggml.unknown_token_id", 3);
    put_u32("tokenizer.ggml.token_type_count", 1);
  }

  // Markers, the 256 bytes, then made-up words.
  void add_sentencepiece_vocabulary() {
    std::vector<std::string> tokens = {"<unk>", "<s>", "</s>"};
    std::vector<int32_t> types = {2, 3, 3};
    for (int byte = 0; byte < 256; ++byte) {
      char name[8];
      std::snprintf(name, sizeof name, "<0x%02X>", static_cast<unsigned>(byte));
      tokens.emplace_back(name);
      types.push_back(6);
    }
    if (is("phi3")) {  // other programs look this one up by name
      tokens.emplace_back("<|endoftext|>");
      types.push_back(3);
    }
    while (tokens.size() < model_.vocab_size) {
      tokens.push_back("\u2581w" + std::to_string(tokens.size()));
      types.push_back(1);
    }
    std::vector<float> scores(tokens.size());
    for (size_t i = 0; i < scores.size(); ++i) scores[i] = -static_cast<float>(i);
    writer_.add_text("tokenizer.ggml.model", "llama");
    writer_.add_texts("tokenizer.ggml.tokens", tokens);
    writer_.add_f32s("tokenizer.ggml.scores", scores);
    writer_.add_i32s("tokenizer.ggml.token_type", types);
    put_u32("tokenizer.ggml.bos_token_id", 1);
    put_u32("tokenizer.ggml.eos_token_id", 2);
    put_u32("tokenizer.ggml.unknown_token_id", 0);
  }

  void add_wordpiece_vocabulary() {
    std::vector<std::string> tokens = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
    std::vector<int32_t> types(5, 3);
    while (tokens.size() < model_.vocab_size) {
      tokens.push_back("\u2581w" + std::to_string(tokens.size()));
      types.push_back(1);
    }
    writer_.add_text("tokenizer.ggml.model", "bert");
    writer_.add_texts("tokenizer.ggml.tokens", tokens);
    writer_.add_i32s("tokenizer.ggml.token_type", types);
    put_u32("tokenizer.ggml.padding_token_id", 0);
    put_u32("tokenizer.ggml.unknown_token_id", 1);
    put_u32("tokenizer.ggml.cls_token_id", 2);
    put_u32("tokenizer.ggml.seperator_token_id", 3);
    put_u32("tokenizer.ggml.mask_token_id", 4);
    put_u32("tokenizer.ggml.token_type_count", 2);
  }

  void add_rope() {
    if (is("bert") || is("jina-bert-v2") || is_nemotron_h()) return;
    if (is("granitehybrid")) writer_.add_bool(key("rope.scaling.finetuned"), model_.rotates);
    const uint32_t n_rot = this->n_rot();
    put_u32(key("rope.dimension_count"), n_rot);
    writer_.add_f32(key("rope.freq_base"), model_.rope_base);
    if (is("modern-bert")) writer_.add_f32(key("rope.freq_base_swa"), 5000.0f);
    if (is("gemma4")) {
      put_u32(key("rope.dimension_count_swa"), head_dim_of(0));
      writer_.add_f32(key("rope.freq_base_swa"), 10000.0f);
      add_proportional_rope(n_rot);
    }
    if (model_.rope_scaling == "linear" || model_.rope_scaling == "yarn") {
      writer_.add_text(key("rope.scaling.type"), model_.rope_scaling);
      writer_.add_f32(key("rope.scaling.factor"), model_.rope_factor);
    }
    if (model_.yarn_log_multiplier != 0.0f)
      writer_.add_f32(key("rope.scaling.yarn_log_multiplier"), model_.yarn_log_multiplier);
    if (model_.temperature_scale != 0.0f) writer_.add_f32(key("attention.temperature_scale"), model_.temperature_scale);
    if (model_.temperature_scale != 0.0f && is_latent())
      put_u32(key("attention.temperature_length"), model_.original_context);
    if (is_one_of(
            {"qwen2vl", "qwen3vl", "qwen3vlmoe", "qwen35", "qwen35moe"})) {  // of positions in time, height, width
      const auto third = static_cast<int32_t>(n_rot / 6);
      writer_.add_i32s(key("rope.dimension_sections"), {static_cast<int32_t>(n_rot / 2) - 2 * third, third, third, 0});
    }
    if (model_.original_context != 0) put_u32(key("rope.scaling.original_context_length"), model_.original_context);
    if (model_.rope_scaling == "llama3") add_vector("rope_freqs.weight", n_rot / 2, 4.0f, 3.0f);
    if (model_.rope_scaling != "longrope") return;
    writer_.add_f32(key("rope.scaling.attn_factor"), 1.19f);
    add_vector("rope_factors_long.weight", n_rot / 2, 4.0f, 3.0f);
    add_vector("rope_factors_short.weight", n_rot / 2, 1.5f, 0.5f);
  }

  // A quarter of the pairs turn, the others by (almost) nothing.
  void add_proportional_rope(uint32_t n_rot) {
    std::vector<float> divisors(n_rot / 2, 1e30f);
    std::fill_n(divisors.begin(), n_rot / 8, 1.0f);
    keep("rope_freqs.weight", {divisors.size()}, TensorType::kF32,
         gguf::quantize(TensorType::kF32, divisors.data(), 1, static_cast<int64_t>(divisors.size())));
  }

  // centre +- reach, uniform, always F32.
  void add_vector(const std::string& name, uint32_t n, float centre, float reach) {
    std::vector<float> values(n);
    for (float& value : values) value = centre + reach * static_cast<float>(2.0 * random_.uniform() - 1.0);
    keep(name, {n}, TensorType::kF32, gguf::quantize(TensorType::kF32, values.data(), 1, n));
  }

  // One for each expert, around 0.
  void add_vectors(const std::string& name, uint32_t n, float reach) {
    std::vector<float> values(size_t{n} * model_.n_experts);
    for (float& value : values) value = reach * static_cast<float>(2.0 * random_.uniform() - 1.0);
    keep(name, {n, model_.n_experts}, TensorType::kF32,
         gguf::quantize(TensorType::kF32, values.data(), model_.n_experts, n));
  }

  void add_matrix(const std::string& name, std::vector<uint64_t> dims, float gain = 1.0f) {
    uint64_t n_rows = 1;
    for (size_t i = 1; i < dims.size(); ++i) n_rows *= dims[i];
    std::vector<float> values(n_rows * dims[0]);
    const float deviation = gain / std::sqrt(static_cast<float>(dims[0]));
    for (float& value : values) value = deviation * random_.gaussian();
    auto bytes =
        gguf::quantize(model_.type, values.data(), static_cast<int64_t>(n_rows), static_cast<int64_t>(dims[0]));
    keep(name, std::move(dims), model_.type, std::move(bytes));
  }

  void keep(const std::string& name, std::vector<uint64_t> dims, TensorType type, std::vector<std::byte> bytes) {
    if (name == model_.without_tensor) return;
    const std::vector<std::byte>& kept = storage_.emplace_back(std::move(bytes));
    writer_.add_tensor(name, std::move(dims), type, kept);
  }

  void add_norm(const std::string& prefix, uint32_t n) {
    add_vector(prefix + ".weight", n, 1.0f, 0.3f);
    if (has_norm_bias()) add_vector(prefix + ".bias", n, 0.0f, 0.3f);
  }

  void add_global_tensors() {
    add_matrix("token_embd.weight", {model_.dim, model_.vocab_size}, is_encoder() ? 8.0f : 1.0f);
    if (is("modern-bert")) {
      add_norm("token_embd_norm", model_.dim);
      add_norm("output_norm", model_.dim);
      if (model_.pooling == kRankPooling) add_rank_head();
      return;
    }
    if (is("bert")) add_matrix("position_embd.weight", {model_.dim, model_.context}, 4.0f);
    if (is_encoder()) {
      add_matrix("token_types.weight", {model_.dim, model_.unigram ? 1u : 2u}, 4.0f);
      add_norm("token_embd_norm", model_.dim);
      if (model_.pooling == kRankPooling) add_rank_head();
      return;
    }
    add_norm(is_convolution() ? "token_embd_norm" : "output_norm", model_.dim);
    if (model_.layer_input_dim != 0) {
      const uint64_t width = uint64_t{model_.n_layers} * model_.layer_input_dim;
      add_matrix("per_layer_token_embd.weight", {width, model_.vocab_size});
      add_matrix("per_layer_model_proj.weight", {model_.dim, width}, 8.0f);
      add_norm("per_layer_proj_norm", model_.layer_input_dim);
    }
    if (pools() && model_.pooling == kRankPooling) add_matrix("cls.output.weight", {model_.dim, model_.n_labels});
    if (model_.dense != 0) {
      add_matrix("dense_2.weight", {model_.dim, model_.dense});
      add_matrix("dense_3.weight", {model_.dense, model_.dim});
    }
    const bool always_tied = is("gemma") || is("gemma2") || is("gemma3") || is("gemma4") || is_cohere() || pools();
    if (!model_.tied && !always_tied) add_matrix("output.weight", {model_.dim, model_.vocab_size});
  }

  // As converters write BERT's pooler and classifier.
  void add_rank_head() {
    add_matrix("cls.weight", {model_.dim, model_.dim});
    if (is("modern-bert")) {
      add_norm("cls.norm", model_.dim);
    } else {
      add_vector("cls.bias", model_.dim, 0.0f, 0.3f);
    }
    add_matrix("cls.output.weight", {model_.dim, 1});
    add_vector("cls.output.bias", 1, 0.0f, 0.3f);
  }

  void add_layer(uint32_t layer, const std::string& prefix) {
    add_layer_norms(layer, prefix);
    if (keeps_state(layer)) add_state(prefix);
    if (attends(layer)) is_latent() ? add_latent_attention(prefix) : add_attention(layer, prefix);
    if (!feeds_forward(layer)) return;
    if (is("gemma4") && model_.layer_scales) add_vector(prefix + "layer_output_scale.weight", 1, 0.7f, 0.3f);
    if (model_.layer_input_dim != 0) add_layer_input(prefix);
    if (layer >= model_.n_layers) add_draft_head(prefix);
    const bool has_experts = model_.n_experts != 0 && layer >= model_.leading_dense;
    if (has_experts && (layer % 2 == 1 || !is("nomic-bert-moe"))) add_experts(prefix);
    if (has_experts && (layer % 2 == 1 || !is("nomic-bert-moe")) && !is("gemma4")) return;
    const uint64_t dim = model_.dim;
    const uint64_t ffn = ffn_dim_of(layer);
    if (fuses_gates()) {
      add_matrix(prefix + "ffn_up.weight", {dim, 2 * ffn});
    } else {
      if (has_gates()) add_matrix(prefix + "ffn_gate.weight", {dim, ffn});
      add_matrix(prefix + "ffn_up.weight", {dim, ffn});
    }
    add_matrix(prefix + "ffn_down.weight", {ffn, dim});
    if (has_linear_bias()) add_vector(prefix + "ffn_up.bias", model_.ffn_dim, 0.0f, 0.3f);
    if (has_linear_bias() || is("jina-bert-v2")) add_vector(prefix + "ffn_down.bias", model_.dim, 0.0f, 0.3f);
  }

  void add_layer_input(const std::string& prefix) {
    add_matrix(prefix + "inp_gate.weight", {model_.dim, model_.layer_input_dim});
    add_matrix(prefix + "proj.weight", {model_.layer_input_dim, model_.dim});
    add_norm(prefix + "post_norm", model_.dim);
  }

  // What joins a token to the state that it is to follow, in layers that draft.
  void add_draft_head(const std::string& prefix) {
    add_matrix(prefix + "nextn.eh_proj.weight", {2 * uint64_t{model_.dim}, model_.dim});
    add_norm(prefix + "nextn.enorm", model_.dim);
    add_norm(prefix + "nextn.hnorm", model_.dim);
  }

  void add_layer_norms(uint32_t layer, const std::string& prefix) {
    if (is_encoder()) {
      add_norm(prefix + "attn_output_norm", model_.dim);
      add_norm(prefix + "layer_output_norm", model_.dim);
      return;
    }
    const bool outputs_only = is("olmo2") || is("exaone4");
    if (!outputs_only && (layer > 0 || !is("modern-bert"))) add_norm(prefix + "attn_norm", model_.dim);
    if (is_nemotron_h()) return;
    if (is("falcon-h1")) return add_vector(prefix + "ffn_norm", model_.dim, 1.0f, 0.3f);  // the name has no ending
    if (!outputs_only && !is_cohere())
      add_norm(prefix + (is_delta_net() || is_one_of({"gpt-oss", "seed_oss", "glm4moe"}) ? "post_attention_norm"
                                                                                         : "ffn_norm"),
               model_.dim);
    if (!outputs_only && !is("gemma2") && !is("gemma3") && !is("gemma4") && !is("gemma-embedding") && !is("glm4"))
      return;
    add_norm(prefix + "post_attention_norm", model_.dim);
    add_norm(prefix + "post_ffw_norm", model_.dim);
  }

  void add_attention(uint32_t layer, const std::string& prefix) {
    const uint64_t dim = model_.dim;
    const uint32_t q_dim = model_.n_heads * head_dim_of(layer);
    const uint32_t kv_dim = kv_heads_of(layer) * head_dim_of(layer);
    const bool may_fuse =
        is_one_of({"phi3", "chatglm", "modern-bert", "bailingmoe2"}) || (is_encoder() && !is("jina-bert-v2"));
    const bool bias =
        is_one_of({"qwen2", "qwen2moe", "qwen2vl", "gpt-oss", "glm4", "glm4moe", "chatglm", "jina-bert-v2"}) ||
        has_linear_bias() || model_.qkv_bias;
    if (may_fuse && model_.fused_qkv) {
      add_matrix(prefix + "attn_qkv.weight", {dim, q_dim + 2 * uint64_t{kv_dim}});
      if (bias) add_vector(prefix + "attn_qkv.bias", q_dim + 2 * kv_dim, 0.0f, 0.5f);
    } else {
      add_matrix(prefix + "attn_q.weight", {dim, uint64_t{q_dim} * (is_delta_net() ? 2 : 1)});  // with gates
      add_matrix(prefix + "attn_k.weight", {dim, kv_dim});
      if (!model_.keys_as_values || has_window(layer)) add_matrix(prefix + "attn_v.weight", {dim, kv_dim});
      if (bias) add_vector(prefix + "attn_q.bias", q_dim, 0.0f, 0.5f);
      if (bias) add_vector(prefix + "attn_k.bias", kv_dim, 0.0f, 0.5f);
      if (bias) add_vector(prefix + "attn_v.bias", kv_dim, 0.0f, 0.5f);
    }
    if (has_qk_norm()) {
      // Gemma 4 does not scale its scores, so its norms see to it that they are of size one.
      const float size = is("gemma4") ? std::pow(static_cast<float>(head_dim_of(layer)), -0.25f) : 1.0f;
      const bool whole = has_whole_norms();
      add_vector(prefix + "attn_q_norm.weight", whole ? q_dim : head_dim_of(layer), size, 0.3f * size);
      add_vector(prefix + "attn_k_norm.weight", whole ? kv_dim : head_dim_of(layer), size, 0.3f * size);
    }
    add_matrix(prefix + "attn_output.weight", {q_dim, dim});
    if (has_linear_bias() || is("jina-bert-v2") || is("gpt-oss"))
      add_vector(prefix + "attn_output.bias", model_.dim, 0.0f, 0.3f);
    if (is("gpt-oss")) add_vector(prefix + "attn_sinks.weight", model_.n_heads, 3.0f, 3.0f);
  }

  void add_latent_attention(const std::string& prefix) {
    const uint64_t dim = model_.dim;
    const uint64_t heads = model_.n_heads;
    const uint64_t q_dim = heads * (model_.plain_dim + n_rot());
    if (model_.q_rank != 0) {
      add_matrix(prefix + "attn_q_a.weight", {dim, model_.q_rank});
      add_vector(prefix + "attn_q_a_norm.weight", model_.q_rank, 1.0f, 0.3f);
      add_matrix(prefix + "attn_q_b.weight", {model_.q_rank, q_dim});
    } else {
      add_matrix(prefix + "attn_q.weight", {dim, q_dim});
    }
    add_matrix(prefix + "attn_kv_a_mqa.weight", {dim, model_.kv_rank + n_rot()});
    add_vector(prefix + "attn_kv_a_norm.weight", model_.kv_rank, 1.0f, 0.3f);
    if (model_.whole_kv_b) {
      add_matrix(prefix + "attn_kv_b.weight", {model_.kv_rank, heads * (model_.plain_dim + model_.value_dim)});
    } else {
      add_matrix(prefix + "attn_k_b.weight", {model_.plain_dim, model_.kv_rank, heads});
      add_matrix(prefix + "attn_v_b.weight", {model_.kv_rank, model_.value_dim, heads});
    }
    add_matrix(prefix + "attn_output.weight", {heads * model_.value_dim, dim});
  }

  void add_state(const std::string& prefix) {
    if (is_convolution()) return add_short_convolution(prefix);
    is_mamba() ? add_mamba(prefix) : add_delta_net(prefix);
  }

  // Columns as converters write them: one number a head.
  void add_column(const std::string& name, uint32_t n, float centre, float reach) {
    std::vector<float> values(n);
    for (float& value : values) value = centre + reach * static_cast<float>(2.0 * random_.uniform() - 1.0);
    keep(name, {1, n}, TensorType::kF32, gguf::quantize(TensorType::kF32, values.data(), n, 1));
  }

  void add_mamba(const std::string& prefix) {
    const uint64_t dim = model_.dim;
    const uint32_t n_heads = model_.state_value_heads;
    const uint32_t n_groups = model_.state_key_heads;
    const uint32_t inner = n_heads * state_value_dim();
    const uint32_t channels = 2 * n_groups * model_.state_dim + inner;
    add_matrix(prefix + "ssm_in.weight", {dim, uint64_t{inner} + channels + n_heads});
    add_kernel(prefix + "ssm_conv1d.weight", channels);
    if (model_.conv_bias) add_vector(prefix + "ssm_conv1d.bias", channels, 0.0f, 0.3f);
    add_vector(prefix + "ssm_dt.bias", n_heads, -1.0f, 1.0f);
    add_column(prefix + "ssm_a", n_heads, -0.6f, 0.58f);
    add_column(prefix + "ssm_d", n_heads, 1.0f, 0.5f);
    if (model_.state_norm) {
      std::vector<float> norm(inner);
      for (float& value : norm) value = 1.0f + 0.3f * static_cast<float>(2.0 * random_.uniform() - 1.0);
      keep(prefix + "ssm_norm.weight", {inner / n_groups, n_groups}, TensorType::kF32,
           gguf::quantize(TensorType::kF32, norm.data(), n_groups, inner / n_groups));
    }
    add_matrix(prefix + "ssm_out.weight", {inner, dim});
  }

  void add_delta_net(const std::string& prefix) {
    const uint64_t dim = model_.dim;
    const uint32_t n_heads = model_.state_value_heads;
    const uint32_t value_dim = n_heads * model_.state_dim;
    const uint32_t channels = 2 * model_.state_key_heads * model_.state_dim + value_dim;
    add_matrix(prefix + "attn_qkv.weight", {dim, channels});
    add_matrix(prefix + "attn_gate.weight", {dim, value_dim});
    if (is("qwen3next")) {
      add_matrix(prefix + "ssm_ba.weight", {dim, 2 * uint64_t{n_heads}});
    } else {
      add_matrix(prefix + "ssm_beta.weight", {dim, n_heads});
      add_matrix(prefix + "ssm_alpha.weight", {dim, n_heads});
    }
    add_kernel(prefix + "ssm_conv1d.weight", channels);
    add_vector(prefix + "ssm_a", n_heads, -0.6f, 0.58f);
    add_vector(prefix + "ssm_dt.bias", n_heads, -1.0f, 1.0f);
    add_vector(prefix + "ssm_norm.weight", model_.state_dim, 1.0f, 0.3f);
    add_matrix(prefix + "ssm_out.weight", {value_dim, dim});
  }

  void add_short_convolution(const std::string& prefix) {
    const uint64_t dim = model_.dim;
    add_matrix(prefix + "shortconv.in_proj.weight", {dim, 3 * dim});
    add_kernel(prefix + "shortconv.conv.weight", model_.dim);
    add_matrix(prefix + "shortconv.out_proj.weight", {dim, dim});
  }

  // Of a convolution of each channel.
  void add_kernel(const std::string& name, uint32_t n_channels) {
    std::vector<float> kernel(size_t{n_channels} * model_.conv_width);
    for (float& value : kernel) value = static_cast<float>(2.0 * random_.uniform() - 1.0);
    keep(name, {model_.conv_width, n_channels}, TensorType::kF32,
         gguf::quantize(TensorType::kF32, kernel.data(), n_channels, model_.conv_width));
  }

  void add_experts(const std::string& prefix) {
    const uint64_t dim = model_.dim;
    const uint64_t ffn = expert_ffn_dim();
    if (is("gpt-oss")) {  // whose files keep it as it is
      add_vectors(prefix + "ffn_gate_inp.weight", model_.dim, 0.2f);
    } else {
      add_matrix(prefix + "ffn_gate_inp.weight", {dim, model_.n_experts});
    }
    if (is("gemma4")) add_norms_beside(prefix);
    if (model_.fused_experts) {
      add_matrix(prefix + "ffn_gate_up_exps.weight", {dim, 2 * ffn, model_.n_experts});
    } else {
      if (has_gates()) add_matrix(prefix + "ffn_gate_exps.weight", {dim, ffn, model_.n_experts});
      add_matrix(prefix + "ffn_up_exps.weight", {dim, ffn, model_.n_experts});
    }
    add_matrix(prefix + "ffn_down_exps.weight", {ffn, dim, model_.n_experts});
    if (has_choice_bias()) add_vector(prefix + "exp_probs_b.bias", model_.n_experts, 0.0f, 0.3f);
    if (model_.shared_ffn_dim != 0 || model_.n_shared != 0) add_shared_expert(prefix);
    if (!is("gpt-oss")) return;
    add_vector(prefix + "ffn_gate_inp.bias", model_.n_experts, 0.0f, 1.0f);
    add_vectors(prefix + "ffn_gate_exps.bias", model_.ffn_dim, 3.0f);
    add_vectors(prefix + "ffn_up_exps.bias", model_.ffn_dim, 3.0f);
    add_vectors(prefix + "ffn_down_exps.bias", model_.dim, 0.3f);
  }

  // Of experts beside a dense part.
  void add_norms_beside(const std::string& prefix) {
    for (const char* norm : {"pre_ffw_norm_2", "post_ffw_norm_1", "post_ffw_norm_2"})
      add_norm(prefix + norm, model_.dim);
    add_vector(prefix + "ffn_gate_inp.scale", model_.dim, 8.0f, 4.0f);
    add_vector(prefix + "ffn_down_exps.scale", model_.n_experts, 1.0f, 0.5f);
  }

  void add_shared_expert(const std::string& prefix) {
    const uint64_t dim = model_.dim;
    const uint64_t width = model_.n_shared != 0 ? uint64_t{model_.n_shared} * expert_ffn_dim() : model_.shared_ffn_dim;
    if (is("qwen2moe") || is_delta_net()) add_vector(prefix + "ffn_gate_inp_shexp.weight", model_.dim, 0.0f, 0.3f);
    if (has_gates()) add_matrix(prefix + "ffn_gate_shexp.weight", {dim, width});
    add_matrix(prefix + "ffn_up_shexp.weight", {dim, width});
    add_matrix(prefix + "ffn_down_shexp.weight", {width, dim});
  }

  const RandomModel& model_;
  Random random_;
  gguf::GgufWriter writer_;
  std::deque<std::vector<std::byte>> storage_;  // tensor bytes, stable until written
};

}  // namespace

std::vector<std::byte> random_gguf(const RandomModel& model) {
  return Builder(model).build();
}

}  // namespace mneme::testing
