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
enum class Activation { kSilu, kGelu, kGeluTanh, kSiluClamped };
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

  // Of models whose layers differ in these; 0: what the model's own fields say.
  int n_kv_heads = 0;
  int head_dim = 0;
  int ffn_dim = 0;  // of the dense feed-forward part
  // The earlier layer whose keys and values this one reads: it has none of its own, and neither has any behind it. -1:
  // it has.
  int kv_source = -1;
  float output_scale = 1.0f;  // multiplies what the layer leaves
};

// The heads of a layer.
struct LayerHeads {
  int n_heads = 0;
  int n_kv_heads = 0;
  int head_dim = 0;  // of keys and values alike

  bool operator==(const LayerHeads&) const = default;
  int q_dim() const { return n_heads * head_dim; }
  int kv_dim() const { return n_kv_heads * head_dim; }
  int heads_per_kv() const { return n_heads / n_kv_heads; }
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

struct ModelConfig {
  std::string architecture;  // general.architecture
  std::string name;
  int n_layers = 0;
  int n_draft_layers = 0;  // behind those, trained to draft tokens; in the file, never run
  int dim = 0;
  int n_heads = 0;
  int n_kv_heads = 0;
  int head_dim = 0;  // of keys and values alike; n_kv_heads, head_dim: the most of any layer where layers differ
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
  std::vector<int> unwritten_tokens;  // whose logits are minus infinity: that the model is not to write
  float embedding_scale = 1.0f;       // gemma: sqrt(dim); granite: its own
  bool causal = true;                 // encoders: false
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
  // Values pass a norm without weights [Gemma 4 modeling code].
  bool value_norm = false;
  // Width of what every layer is given of a token beside the hidden state (LayerInputWeights); 0: nothing.
  int layer_input_dim = 0;

  std::vector<RopeConfig> ropes;
  std::vector<LayerConfig> layers;  // n_layers

  // Whether it makes vectors or scores of whole texts, and no tokens.
  bool is_encoder() const { return !causal || pooling != Pooling::kNone; }
  // Width of a layer's own feed-forward part where it has no experts.
  int dense_width() const { return n_experts > 0 ? dense_ffn_dim : ffn_dim; }
  int dense_width(int layer) const {
    const int own = layers[static_cast<size_t>(layer)].ffn_dim;
    return own > 0 ? own : dense_width();
  }
  // The widest feed-forward part there is.
  int widest_ffn_dim() const {
    int widest = std::max({ffn_dim, dense_ffn_dim, shared_ffn_dim});
    for (const LayerConfig& layer : layers) widest = std::max(widest, layer.ffn_dim);
    return widest;
  }
  // Slopes are powers of one number; of heads beyond a power of two they lie between those of the others.
  float slope_of(int head) const {
    int n_even = 1;
    while (2 * n_even <= n_heads) n_even *= 2;
    const bool between = head >= n_even;
    const auto steps = static_cast<float>(between ? 2 * (head - n_even) + 1 : 2 * (head + 1));
    return std::exp2(-distance_bias * steps / (2.0f * static_cast<float>(n_even)));
  }
  int kv_dim() const { return n_kv_heads * head_dim; }
  LayerHeads heads(int layer) const {
    const LayerConfig& own = layers[static_cast<size_t>(layer)];
    return {n_heads, own.n_kv_heads > 0 ? own.n_kv_heads : n_kv_heads, own.head_dim > 0 ? own.head_dim : head_dim};
  }
  // Whether the layer has keys and values of its own.
  bool has_kv(int layer) const { return layers[static_cast<size_t>(layer)].kv_source < 0; }
  // The layer whose keys and values it attends to.
  int kv_layer(int layer) const { return has_kv(layer) ? layer : layers[static_cast<size_t>(layer)].kv_source; }
  // How many layers have keys and values: the first so many.
  int n_kv_layers() const {
    int n = n_layers;
    while (n > 0 && static_cast<size_t>(n) <= layers.size() && !has_kv(n - 1)) --n;
    return n;
  }
  // Whether all layers have equal heads.
  bool has_equal_heads() const {
    return std::all_of(layers.begin(), layers.end(),
                       [](const LayerConfig& layer) { return layer.n_kv_heads == 0 && layer.head_dim == 0; });
  }
  // Whether all layers have keys and values of their own, too.
  bool has_equal_kv() const { return has_equal_heads() && n_kv_layers() == n_layers; }
  // fp16 keys and values of one token over all layers.
  int64_t kv_bytes_per_token() const {
    if (has_equal_heads()) return int64_t{4} * kv_dim() * n_kv_layers();
    int64_t bytes = 0;
    for (int layer = 0; layer < n_kv_layers(); ++layer) bytes += int64_t{4} * heads(layer).kv_dim();
    return bytes;
  }
};

}  // namespace mneme::engine
