// Small models with random weights for any architecture of the table, as GGUF bytes: what the tests compare with the
// fp64 reference. Deterministic by seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/gguf/gguf_writer.h"
#include "engine/gguf/tensor_type.h"

namespace mneme::testing {

struct RandomModel {
  std::string architecture = "llama";
  std::string name = {};  // general.name; empty: "random" and the architecture
  uint32_t n_layers = 2;
  uint32_t dim = 64;
  uint32_t n_heads = 4;
  uint32_t n_kv_heads = 2;
  uint32_t head_dim = 16;
  uint32_t n_rot = 0;  // 0: head_dim
  uint32_t ffn_dim = 96;
  uint32_t vocab_size = 97;
  uint32_t context = 1024;
  gguf::TensorType type = gguf::TensorType::kF32;  // of matrices
  bool tied = false;
  uint64_t seed = 1;

  bool qkv_bias = false;    // llama's optional biases; the families that require them have them anyway
  bool fused_qkv = true;    // phi3, chatglm, bert and its kin
  bool fused_gate = false;  // jina-bert-v2, which may
  uint32_t n_experts = 0;
  uint32_t n_experts_used = 0;
  uint32_t shared_ffn_dim = 0;  // of the shared expert of qwen2moe, granitemoe, ernie4_5-moe
  // Of families whose metadata has these: ernie4_5-moe, deepseek, dots1, bailingmoe2, glm4moe.
  uint32_t expert_ffn_dim = 0;  // 0: ffn_dim
  uint32_t n_shared = 0;        // shared experts, not of ernie4_5-moe
  uint32_t leading_dense = 0;
  uint32_t n_groups = 0;
  uint32_t n_groups_used = 0;
  uint32_t gating = 0;        // expert_gating_func; 0: unsaid
  bool normalise = false;     // expert_weights_norm
  float expert_scale = 0.0f;  // expert_weights_scale; 0: unsaid
  uint32_t draft_layers = 0;  // behind the others, not run
  bool qk_norm = false;       // glm4moe, which may
  uint32_t window = 0;        // attention.sliding_window
  // deepseek2, mistral4: of the latents of keys and values, and of queries (0: none); of a head's parts.
  uint32_t kv_rank = 32;
  uint32_t q_rank = 0;
  uint32_t plain_dim = 24;
  uint32_t value_dim = 20;
  bool whole_kv_b = false;     // as older converters wrote them
  bool choice_bias = false;    // which they may have
  bool fused_experts = false;  // gates and ups of experts in one tensor
  // Layers with a state (qwen3next, qwen35, qwen35moe; lfm2, lfm2moe, which have conv_width alone): all but every
  // attention_interval-th.
  uint32_t attention_interval = 2;
  uint32_t state_dim = 16;
  // Of Mamba-2 (granitehybrid, nemotron_h, nemotron_h_moe, falcon-h1): values' length, 0: state_dim; optional tensors;
  // whether granitehybrid rotates. Nemotron's layers keep a state, feed forward and attend in turn.
  uint32_t state_value_dim = 0;
  bool conv_bias = true;
  bool state_norm = true;
  bool rotates = false;
  uint32_t state_key_heads = 2;
  uint32_t state_value_heads = 4;
  uint32_t conv_width = 4;
  std::string rope_scaling = {};  // "linear", "yarn", "longrope", "llama3"
  float rope_factor = 4.0f;       // linear, yarn
  uint32_t original_context = 0;
  float yarn_log_multiplier = 0.0f;
  float temperature_scale = 0.0f;  // mistral3: attention.temperature_scale
  float rope_base = 10000.0f;
  uint32_t pooling = 1;   // 4: a cross-encoder, with a head; language models: 0 unless they embed
  uint32_t n_labels = 1;  // of that head; 2: "yes" and "no"
  std::string rank_template = "w300 {query} w301 {document} w302";  // where there are 2 labels
  uint32_t dense = 0;    // inner width of gemma-embedding's two dense layers; 0: none
  bool unigram = false;  // of a vocabulary of encoders: XLM-R's kind instead of WordPiece
  // gemma4, whose layers differ.
  uint32_t window_step = 6;      // of so many layers the last sees all
  uint32_t window_head_dim = 0;  // of layers with a window; 0: head_dim
  uint32_t full_kv_heads = 0;    // of layers without; 0: n_kv_heads
  uint32_t shared_kv = 0;        // last layers that read the keys and values of others
  uint32_t shared_ffn = 0;       // their feed-forward width; 0: ffn_dim
  uint32_t layer_input_dim = 0;
  bool keys_as_values = false;  // in layers without a window
  bool layer_scales = true;
  bool vocabulary = false;  // a little SentencePiece (encoders: WordPiece) vocabulary; needs vocab_size >= 320

  // Damage for hostile tests: values of u32 keys to write instead (full key), keys that no model here has otherwise, a
  // tensor to leave out, one to add.
  std::map<std::string, uint32_t> overrides = {};
  std::map<std::string, uint32_t> extra_numbers = {};
  std::map<std::string, std::string> extra_texts = {};
  std::map<std::string, std::vector<int32_t>> extra_lists = {};
  std::map<std::string, std::vector<std::string>> extra_text_lists = {};
  std::string without_tensor = {};
  std::string extra_tensor = {};
};

// A whole file.
std::vector<std::byte> random_gguf(const RandomModel& model);

}  // namespace mneme::testing
