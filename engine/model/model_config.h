// What a model is, read from GGUF metadata once and never changed. Everything that differs between architectures is
// data here, so that there is one forward pass. Units: tokens, elements. Threads: immutable after construction.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mneme::engine {

// Which pairs of a head's dimensions a rotation turns: (2i, 2i+1) or (i, i + n_rot/2).
// GGUF files of the llama architecture carry Q and K rows permuted for the interleaved layout.
enum class RopeLayout { kInterleaved, kSplitHalf };

// One set of rotation angles; a model has one, or two where sliding-window layers use their own base (gemma3).
struct RopeConfig {
  RopeLayout layout = RopeLayout::kInterleaved;
  int n_rot = 0;                           // rotated dimensions of a head (<= head_dim; the rest passes through)
  std::vector<float> inverse_frequencies;  // n_rot / 2, after linear / llama3 / yarn / longrope scaling
  float attention_factor = 1.0f;           // YaRN, longrope: multiplies cos and sin, once
};

enum class Activation { kSilu, kGelu, kGeluTanh };
enum class NormKind { kRms, kLayer };

// How an encoder makes one vector of a text's token vectors.
enum class Pooling { kNone, kMean, kFirst, kLast, kRank };  // kRank: a score of a pair (rank_head.h)

// What one layer does differently; index into ModelConfig::layers.
struct LayerConfig {
  // A row at position p sees keys at positions > p - window, or, where nothing is causal, at most window / 2 away; 0:
  // all.
  int sliding_window = 0;
  int rope_index = 0;  // index into ModelConfig::ropes
  bool uses_rope = true;
};

struct ModelConfig {
  std::string architecture;  // general.architecture
  std::string name;
  int n_layers = 0;
  int dim = 0;
  int n_heads = 0;
  int n_kv_heads = 0;
  int head_dim = 0;  // of keys and values alike
  int ffn_dim = 0;
  int vocab_size = 0;
  int context_length = 0;  // trained context

  NormKind norm = NormKind::kRms;
  float norm_epsilon = 1e-5f;
  Activation activation = Activation::kSilu;
  bool gated_ffn = true;           // gate * up (SwiGLU, GeGLU); false: up only
  float attention_scale = 0.0f;    // usually 1 / sqrt(head_dim)
  float attention_softcap = 0.0f;  // 0: none
  float logit_softcap = 0.0f;      // 0: none
  float logit_scale = 1.0f;
  float embedding_scale = 1.0f;  // gemma: sqrt(dim); granite: its own
  bool causal = true;            // encoders: false
  Pooling pooling = Pooling::kNone;
  int n_experts = 0;  // mixture of experts; 0: none
  int n_experts_used = 0;

  std::vector<RopeConfig> ropes;
  std::vector<LayerConfig> layers;  // n_layers

  // Whether it makes vectors or scores of whole texts, and no tokens.
  bool is_encoder() const { return !causal || pooling != Pooling::kNone; }
  int kv_dim() const { return n_kv_heads * head_dim; }
  // fp16 keys and values of one token over all layers.
  int64_t kv_bytes_per_token() const { return int64_t{4} * kv_dim() * n_layers; }
};

}  // namespace mneme::engine
