// What a model is, read from GGUF metadata once and never changed. Everything that differs between architectures is
// data here, so that there is one forward pass. Units: tokens, elements. Threads: immutable after construction.
#pragma once

#include <algorithm>
#include <cmath>
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

// kSiluClamped: min(gate, 7) sigmoid(1.702 gate) (clamp(up, -7, 7) + 1), of experts only (gpt-oss).
// kReluSquared: max(x, 0)^2 [Primer 2109.08668].
enum class Activation { kSilu, kGelu, kGeluTanh, kSiluClamped, kReluSquared };
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
  bool has_experts = false;
  // A logit a query head that takes part in its softmax and has no value [StreamingLLM 2309.17453]; empty: none.
  std::vector<float> sinks = {};
};

// Queries at far positions are scaled up, as a softmax over more keys is flatter (Llama 4, Ministral 3).
struct QueryGrowth {
  float rate = 0.0f;  // 0: none
  int every = 0;      // positions over which all are scaled alike
  bool operator==(const QueryGrowth&) const = default;
  float scale_at(int position) const {
    if (rate == 0.0f) return 1.0f;
    const int steps = position / every;
    return 1.0f + rate * std::log1p(static_cast<float>(steps));
  }
};

// How a token chooses the experts it uses, and weighs what they make of it.
struct ExpertRouting {
  bool sigmoid = false;      // weights are sigmoids of the router's logits instead of their softmax over all experts
  bool normalise = true;     // those of the used experts are divided by their sum
  float scale = 1.0f;        // then multiplied by this
  bool choice_bias = false;  // layers may have a bias that is added to the weights to choose by
  int n_groups = 1;       // experts come in groups of equal size (DeepSeek-V3 2412.19437): a group is worth the sum of
  int n_groups_used = 1;  // its best two, and experts are chosen of the best groups only

  bool operator==(const ExpertRouting&) const = default;
};

// Multi-head latent attention [DeepSeek-V2 2405.04434]: keys and values of all heads are made of one latent vector a
// token. Here they never are: what makes keys of it is applied to the queries instead, what makes values to what they
// attend to ("absorbed"). So there is one KV head, whose key is (rotated part | latent) and whose value is (zeros |
// latent), head_dim wide both, and a query is (rotated part | query in latent space).
struct LatentAttention {
  int rank = 0;        // elements of the latent; 0: attention is of the usual kind
  int query_rank = 0;  // of the latent that queries are made of; 0: they are made of the hidden state
  int plain_dim = 0;   // of a head's query, without its rotated part, before it goes to latent space
  int value_dim = 0;   // of what comes back of there

  bool operator==(const LatentAttention&) const = default;
};

struct ModelConfig {
  std::string architecture;  // general.architecture
  std::string name;
  int n_layers = 0;
  int n_draft_layers = 0;  // behind those, trained to draft tokens; in the file, never run
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
  QueryGrowth query_growth;
  bool whole_qk_norm = false;  // QK-norm over all heads of a row together instead of each by itself
  float logit_scale = 1.0f;
  float embedding_scale = 1.0f;  // gemma: sqrt(dim); granite: its own
  bool causal = true;            // encoders: false
  Pooling pooling = Pooling::kNone;
  bool ranks_by_mean = false;  // of kRank: the head takes the mean of all rows, and has another form (rank_head.h)
  // Where it is not 0, a head's scores fall by its slope with every token between query and key, by as many after the
  // query as before it, and nothing rotates [ALiBi 2108.12409]. The exponent of the steepest slopes: see slope_of().
  float distance_bias = 0.0f;
  // A layer adds to its input what attention and feed-forward make of it, both of the same norm of it.
  bool parallel_blocks = false;
  int n_experts = 0;  // mixture of experts; 0: none
  int n_experts_used = 0;
  bool gated_experts = true;
  ExpertRouting routing;
  int dense_ffn_dim = 0;   // width of the layers without experts where others have them; ffn_dim is the experts'
  int shared_ffn_dim = 0;  // width of an expert that every token uses beside its own; 0: none

  std::vector<RopeConfig> ropes;
  std::vector<LayerConfig> layers;  // n_layers

  LatentAttention latent;
  bool is_latent() const { return latent.rank > 0; }
  // Width of a head's query as the weights make it, and of its part of what attn_output multiplies.
  int made_query_dim() const { return is_latent() ? head_dim - latent.rank + latent.plain_dim : head_dim; }
  int head_output_dim() const { return is_latent() ? latent.value_dim : head_dim; }

  // Whether it makes vectors or scores of whole texts, and no tokens.
  bool is_encoder() const { return !causal || pooling != Pooling::kNone; }
  // Width of a layer's own feed-forward part where it has no experts.
  int dense_width() const { return n_experts > 0 ? dense_ffn_dim : ffn_dim; }
  // The widest feed-forward part there is.
  int widest_ffn_dim() const { return std::max({ffn_dim, dense_ffn_dim, shared_ffn_dim}); }
  // Slopes are powers of one number; of heads beyond a power of two they lie between those of the others.
  float slope_of(int head) const {
    int n_even = 1;
    while (2 * n_even <= n_heads) n_even *= 2;
    const bool between = head >= n_even;
    const auto steps = static_cast<float>(between ? 2 * (head - n_even) + 1 : 2 * (head + 1));
    return std::exp2(-distance_bias * steps / (2.0f * static_cast<float>(n_even)));
  }
  int kv_dim() const { return n_kv_heads * head_dim; }
  // fp16 keys and values of one token over all layers.
  int64_t kv_bytes_per_token() const { return int64_t{4} * kv_dim() * n_layers; }
};

}  // namespace mneme::engine
