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

  // Of models whose layers differ in these; 0: what the model's own fields say.
  int n_kv_heads = 0;
  int head_dim = 0;
  int ffn_dim = 0;  // of the dense feed-forward part
  // The earlier layer whose keys and values this one reads: it has none of its own, and neither has any behind it. -1:
  // it has.
  int kv_source = -1;
  float output_scale = 1.0f;  // multiplies what the layer leaves
  // How the layer takes what came before a token into account: by attention to the keys and values of all of it, by a
  // state of fixed size that every token changes (StateConfig), by neither. Of layers that do not attend all of
  // ModelConfig's rotations and windows counts for nothing.
  bool attends = true;
  bool keeps_state = false;
  bool feeds_forward = true;  // whether it ends with a feed-forward part
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

// What a state is made of, and how a row changes it. A row's channels go through a causal convolution, each over
// conv_width rows of its own; kinds differ in what comes after.
enum class StateKind {
  kNone,
  // Gated delta net [Gated Delta Networks 2412.06464]: channels are queries, keys and values, which also go through
  // SiLU; queries and keys then have length 1. The state of a value head is a matrix S (key_length, value_length), zero
  // at first, which the row with the key k, the value v, the decay g and the strength b turns to
  // gS + k (b (v - (gS)^T k))^T; its query q finds S^T q / sqrt(n).
  kDeltaNet,
  // Mamba-2 [2405.21060]: channels are values, keys and queries (there X, B and C), which also go through SiLU. Its row
  // has a step d = softplus(of a product and a bias) in every value head and turns S to exp(a d) S + k (d v)^T; its
  // query finds S^T q, and some of v beside. Of that times SiLU of a gate, the value heads of a key head are normed
  // together.
  kMamba,
  // Short convolution between gates [LFM2 2511.23404]: a row's channels are the product of two projections, and what
  // they are after the convolution is multiplied with a third. There is no matrix.
  kConvolution,
};

struct StateConfig {
  StateKind kind = StateKind::kNone;
  int conv_width = 0;     // rows that a convolution sees, its own the last
  int n_key_heads = 0;    // of queries and of keys; 0: there are no matrices
  int n_value_heads = 0;  // a multiple of them; each has a matrix
  int key_length = 0;     // of a head's query and key
  int value_length = 0;
  // Value heads that follow each other share a key head (h / how many share one); else h modulo the key heads.
  bool neighbours_share = false;
  float epsilon = 0;  // of its own norms
  bool operator==(const StateConfig&) const = default;

  int key_dim() const { return n_key_heads * key_length; }
  int value_dim() const { return n_value_heads * value_length; }  // width of what such a layer makes of a row
  int channels() const { return 2 * key_dim() + value_dim(); }    // what is convolved
  // Where parts of the channels begin.
  int values_at() const { return kind == StateKind::kMamba ? 0 : 2 * key_dim(); }
  int keys_at() const { return kind == StateKind::kMamba ? value_dim() : key_dim(); }
  int queries_at() const { return kind == StateKind::kMamba ? value_dim() + key_dim() : 0; }
  int values_per_key() const { return n_value_heads / n_key_heads; }
  // The i-th value head of a key head.
  int value_head(int key_head, int i) const {
    return neighbours_share ? key_head * values_per_key() + i : key_head + i * n_key_heads;
  }
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
  StateConfig state;                // of layers that keep one
  // A query head comes with as many gates, whose sigmoids multiply what its attention gives [Gated Attention
  // 2505.06708].
  bool gated_attention = false;

  LatentAttention latent;
  bool is_latent() const { return latent.rank > 0; }
  // Width of a head's query as the weights make it, and of its part of what attn_output multiplies.
  int made_query_dim() const { return is_latent() ? head_dim - latent.rank + latent.plain_dim : head_dim; }
  int head_output_dim() const { return is_latent() ? latent.value_dim : head_dim; }

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
  // What project_qkv() makes of a row beside keys and values: its queries and, where there are any, their gates.
  int query_width(int layer) const { return heads(layer).q_dim() * (gated_attention ? 2 : 1); }
  bool feeds_forward(int layer) const { return layers[static_cast<size_t>(layer)].feeds_forward; }
  bool attends(int layer) const { return layers[static_cast<size_t>(layer)].attends; }
  bool keeps_state(int layer) const { return layers[static_cast<size_t>(layer)].keeps_state; }
  int n_attending_layers() const {
    return static_cast<int>(
        std::count_if(layers.begin(), layers.end(), [](const LayerConfig& layer) { return layer.attends; }));
  }
  int n_state_layers() const {
    return static_cast<int>(
        std::count_if(layers.begin(), layers.end(), [](const LayerConfig& layer) { return layer.keeps_state; }));
  }
  // Whether some layers keep a state, so that what a sequence has read can be neither cut back nor put together of
  // parts that were read apart.
  bool has_state() const { return n_state_layers() > 0; }
  // fp16 keys and values of one token over all layers.
  int64_t kv_bytes_per_token() const {
    int64_t bytes = 0;
    for (int layer = 0; layer < n_kv_layers(); ++layer)
      if (attends(layer)) bytes += int64_t{4} * heads(layer).kv_dim();
    return bytes;
  }
  // f32 numbers of the state that such a layer keeps of a sequence: rows that its convolution will see, and matrices.
  int64_t state_floats() const {
    return int64_t{state.conv_width - 1} * state.channels() + int64_t{state.value_dim()} * state.key_length;
  }
  int64_t state_bytes() const { return int64_t{4} * state_floats() * n_state_layers(); }  // of a sequence
};

}  // namespace mneme::engine
