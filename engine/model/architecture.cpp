#include "engine/model/architecture.h"

namespace mneme::engine {

namespace {

constexpr Presence kOptional = Presence::kOptional;
constexpr Presence kRequired = Presence::kRequired;

// Facts about the families: their published model code and the GGUF naming scheme of the ggml project.
constexpr Architecture kArchitectures[] = {
    // Llama 1-3, Mistral, Mixtral, TinyLlama, SmolLM2, Yi.
    {.name = "llama",
     .rope_layout = RopeLayout::kInterleaved,
     .qkv_bias = kOptional,
     .linear_bias = kOptional,
     .experts = kOptional},
    {.name = "qwen2", .qkv_bias = kRequired},
    {.name = "qwen2moe",
     .qkv_bias = kRequired,
     .experts = kRequired,
     .normalised_experts = false,
     .shared_expert = true,
     .weighed_shared_expert = true},
    // Ministral 3, Devstral 2: llama's, with queries that grow.
    {.name = "mistral3", .rope_layout = RopeLayout::kInterleaved, .query_growth = true, .experts = kOptional},
    {.name = "qwen3", .qk_norm = kRequired, .yes_no_ranker = true},
    {.name = "qwen3moe", .qk_norm = kRequired, .experts = kRequired},
    // The language models of Qwen2.5-VL and Qwen3-VL: for text the three positions of their rotations are one.
    {.name = "qwen2vl", .qkv_bias = kRequired},
    {.name = "qwen3vl", .qk_norm = kRequired},
    {.name = "qwen3vlmoe", .qk_norm = kRequired, .experts = kRequired},
    // OLMo 2; OLMo 3, whose every fourth layer sees all.
    {.name = "olmo2",
     .qk_norm = kRequired,
     .whole_qk_norm = true,
     .input_norms = false,
     .post_norms = true,
     .window_pattern = 4,
     .unscaled_window_rope = true},
    {.name = "olmoe", .qk_norm = kRequired, .whole_qk_norm = true, .experts = kRequired, .normalised_experts = false},
    // EXAONE 3, 3.5, Deep.
    {.name = "exaone"},
    {.name = "exaone4",
     .qk_norm = kRequired,
     .input_norms = false,
     .post_norms = true,
     .window_pattern = 4,
     .unrotated_full_layers = true},
    {.name = "gpt-oss",
     .activation = Activation::kSiluClamped,
     .qkv_bias = kRequired,
     .linear_bias = kRequired,
     .ffn_norm = "post_attention_norm",
     .sinks = true,
     .expert_bias = true,
     .experts = kRequired,
     .window_pattern = 2},
    {.name = "smollm3", .rope_layout = RopeLayout::kInterleaved, .unrotated_step = 4},
    {.name = "internlm2", .rope_layout = RopeLayout::kInterleaved, .qkv_bias = kOptional, .linear_bias = kOptional},
    {.name = "ernie4_5", .rope_layout = RopeLayout::kInterleaved, .qkv_bias = kOptional, .linear_bias = kOptional},
    {.name = "seed_oss", .qkv_bias = kOptional, .ffn_norm = "post_attention_norm"},
    // MiniCPM 1, 2, 4: granite's scales, which their files must have.
    {.name = "minicpm", .rope_layout = RopeLayout::kInterleaved, .own_scales = true, .needs_scales = true},
    {.name = "granite",
     .rope_layout = RopeLayout::kInterleaved,
     .own_scales = true,
     .qkv_bias = kOptional,
     .linear_bias = kOptional},
    {.name = "granitemoe",
     .rope_layout = RopeLayout::kInterleaved,
     .own_scales = true,
     .experts = kRequired,
     .shared_expert = true},
    {.name = "starcoder2",
     .norm = NormKind::kLayer,
     .activation = Activation::kGeluTanh,
     .gated_ffn = false,
     .qkv_bias = kOptional,
     .linear_bias = kOptional},
    // StableLM 3B, StableLM 2 1.6B, Zephyr; the 12B has other norms and is refused by its tensors.
    {.name = "stablelm", .norm = NormKind::kLayer, .qkv_bias = kOptional},
    // Command R, Aya: not those with norms of queries and keys.
    {.name = "command-r",
     .rope_layout = RopeLayout::kInterleaved,
     .norm = NormKind::kLayer,
     .norm_bias = false,
     .logit_factor = true,
     .parallel_blocks = true},
    // Command R7B, Command A: of four layers the last sees all, and does not rotate.
    {.name = "cohere2",
     .rope_layout = RopeLayout::kInterleaved,
     .norm = NormKind::kLayer,
     .norm_bias = false,
     .logit_factor = true,
     .parallel_blocks = true,
     .window_pattern = 4,
     .unrotated_full_layers = true},
    // ChatGLM 3, GLM-4 of 2024.
    {.name = "chatglm",
     .rope_layout = RopeLayout::kInterleaved,
     .qkv_bias = kOptional,
     .fused_qkv = kOptional,
     .fused_gate_up = kRequired},
    {.name = "glm4",
     .rope_layout = RopeLayout::kInterleaved,
     .qkv_bias = kOptional,
     .fused_qkv = kOptional,
     .fused_gate_up = kRequired,
     .post_norms = true},
    {.name = "phi3", .fused_qkv = kOptional, .fused_gate_up = kRequired, .window_pattern = 1},
    {.name = "gemma", .activation = Activation::kGeluTanh, .scale_embedding = true},
    {.name = "gemma2",
     .activation = Activation::kGeluTanh,
     .scale_embedding = true,
     .post_norms = true,
     .window_pattern = 2,
     .default_attention_softcap = 50.0f,
     .default_logit_softcap = 30.0f,
     .odd_scale_layers = 46},
    {.name = "gemma3",
     .activation = Activation::kGeluTanh,
     .scale_embedding = true,
     .qk_norm = kRequired,
     .post_norms = true,
     .window_pattern = 6,
     .default_window_rope_base = 10000.0,
     .odd_scale_layers = 62},
    {.name = "gemma-embedding",
     .activation = Activation::kGeluTanh,
     .causal = false,
     .scale_embedding = true,
     .qk_norm = kRequired,
     .post_norms = true,
     .window_pattern = 6,
     .default_window_rope_base = 10000.0},
    {.name = "bert",
     .uses_rope = false,
     .norm = NormKind::kLayer,
     .activation = Activation::kGelu,
     .gated_ffn = false,
     .causal = false,
     .qkv_bias = kOptional,
     .fused_qkv = kOptional,
     .linear_bias = kOptional,
     .encoder_norms = true,
     .learned_positions = true,
     .token_types = kOptional,
     .embedding_norm = true},
    {.name = "nomic-bert",
     .norm = NormKind::kLayer,
     .causal = false,
     .qkv_bias = kOptional,
     .fused_qkv = kOptional,
     .linear_bias = kOptional,
     .encoder_norms = true,
     .token_types = kOptional,
     .embedding_norm = true},
    // nomic-embed-text v2.
    {.name = "nomic-bert-moe",
     .norm = NormKind::kLayer,
     .activation = Activation::kGelu,
     .gated_ffn = false,
     .causal = false,
     .qkv_bias = kOptional,
     .fused_qkv = kOptional,
     .linear_bias = kOptional,
     .encoder_norms = true,
     .may_rank = false,
     .experts = kRequired,
     .some_experts = true,
     .normalised_experts = false,
     .token_types = kOptional,
     .embedding_norm = true},
    // ModernBERT, GTE ModernBERT, Granite Embedding R2.
    {.name = "modern-bert",
     .norm = NormKind::kLayer,
     .norm_bias = false,
     .activation = Activation::kGelu,
     .causal = false,
     .fused_qkv = kRequired,
     .fused_gate_up = kRequired,
     .bare_first_attention = true,
     .ranks_by_mean = true,
     .embedding_norm = true,
     .window_pattern = 3,
     .first_sees_all = true,
     .default_window_rope_base = 10000.0},
    // jina-embeddings v2, but for those with norms of queries and keys.
    {.name = "jina-bert-v2",
     .uses_rope = false,
     .norm = NormKind::kLayer,
     .activation = Activation::kGelu,
     .causal = false,
     .distance_bias = 8.0f,
     .qkv_bias = kOptional,
     .fused_gate_up = kOptional,
     .linear_bias = kOptional,
     .encoder_norms = true,
     .may_rank = false,
     .token_types = kOptional,
     .embedding_norm = true},
};

}  // namespace

std::span<const Architecture> architectures() {
  return kArchitectures;
}

const Architecture* find_architecture(std::string_view name) {
  for (const Architecture& architecture : kArchitectures) {
    if (architecture.name == name) return &architecture;
  }
  return nullptr;
}

std::string supported_architectures() {
  std::string names;
  for (const Architecture& architecture : kArchitectures) {
    if (!names.empty()) names += ", ";
    names += architecture.name;
  }
  return names;
}

}  // namespace mneme::engine
