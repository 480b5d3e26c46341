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
    {.name = "qwen3", .qk_norm = kRequired, .yes_no_ranker = true},
    {.name = "qwen3moe", .qk_norm = kRequired, .experts = kRequired},
    {.name = "smollm3", .rope_layout = RopeLayout::kInterleaved, .unrotated_step = 4},
    {.name = "internlm2", .rope_layout = RopeLayout::kInterleaved, .qkv_bias = kOptional, .linear_bias = kOptional},
    {.name = "ernie4_5", .rope_layout = RopeLayout::kInterleaved, .qkv_bias = kOptional, .linear_bias = kOptional},
    {.name = "granite",
     .rope_layout = RopeLayout::kInterleaved,
     .own_scales = true,
     .qkv_bias = kOptional,
     .linear_bias = kOptional},
    {.name = "granitemoe", .rope_layout = RopeLayout::kInterleaved, .own_scales = true, .experts = kRequired},
    {.name = "glm4",
     .rope_layout = RopeLayout::kInterleaved,
     .qkv_bias = kOptional,
     .fused_qkv = kOptional,
     .fused_gate_up = true,
     .post_norms = true},
    {.name = "phi3", .fused_qkv = kOptional, .fused_gate_up = true, .window_pattern = 1},
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
