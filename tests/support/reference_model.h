// A slow, plain fp64 transformer, written from the published descriptions and apart from the engine: what the engine's
// logits are compared with. It shares only the GGUF parser and the dequantisation (which have tests of their own).
// One sequence at a time; any subset of rows may be run layer by layer, as fusion does.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/gguf/gguf_file.h"

namespace mneme::testing {

using Vector = std::vector<double>;

struct ReferenceTensor {
  size_t n_in = 0;
  Vector values;  // row-major
};

class ReferenceModel {
 public:
  // round_kv: keys (after RoPE) and values pass through f16, as the engine's cache holds them.
  explicit ReferenceModel(const gguf::GgufFile& file, bool round_kv = true);

  struct Row {
    int position = 0;
    Vector hidden;
    Vector query;         // between project() and finish()
    Vector mixed;         // likewise, of a layer with a state: what it makes of the row
    Vector gate;          // likewise, of gated attention
    Vector layer_inputs;  // gemma4: what the layers are given of the token, one after the other
  };
  // What a layer with a state has of a sequence: the rows that its convolution has seen, and per value head a matrix.
  struct State {
    std::vector<Vector> rows;
    std::vector<Vector> matrices;  // (keys' elements, values' elements)
  };
  // Keys and values of one sequence: [layer][position]; states: [layer].
  struct Cache {
    std::vector<std::map<int, Vector>> keys, values;
    std::vector<State> states;
  };
  Cache empty_cache() const;

  Row begin(int token, int position, int type = 0) const;
  void project(int layer, std::vector<Row>& rows, Cache& cache) const;
  void finish(int layer, std::vector<Row>& rows, const Cache& cache) const;
  void run_layer(int layer, std::vector<Row>& rows, Cache& cache) const {
    project(layer, rows, cache);
    finish(layer, rows, cache);
  }
  Vector logits(const Row& row) const;
  // What encoders pool: the row after the final norm, where the model has one.
  Vector output(const Row& row) const;

  // Whole prefill: rows of all ids after all layers.
  std::vector<Row> prefill(const std::vector<int>& ids, Cache& cache, int first_position = 0) const;
  // Logits of every id from an empty cache.
  std::vector<Vector> all_logits(const std::vector<int>& ids) const;

  // A tensor's rows [first_row, first_row + n_rows) times x; 0: all rows.
  Vector multiply(const std::string& name, const Vector& x, size_t first_row = 0, size_t n_rows = 0) const;
  Vector layer_norm(const std::string& name, const Vector& x) const;
  bool has(const std::string& name) const { return tensors_.count(name) != 0; }

  int n_layers() const { return n_layers_; }
  // With keys and values of their own; the others stand behind them.
  int n_kv_layers() const { return n_layers_ - static_cast<int>(number("attention.shared_kv_layers", 0)); }
  int vocab_size() const { return static_cast<int>(tensor("token_embd.weight").values.size()) / dim_; }

  bool long_context = true;  // longrope: whether the context in use exceeds the original one

 private:
  bool is(const char* name) const { return architecture_ == name; }
  bool is_encoder() const { return is("bert") || is("nomic-bert") || is("nomic-bert-moe") || is("jina-bert-v2"); }
  bool is_cohere() const { return is("command-r") || is("cohere2"); }
  bool has_layer_norms() const {
    return is_encoder() || is_cohere() || is("modern-bert") || is("starcoder2") || is("stablelm") || is("nemotron");
  }
  bool sees_all() const { return is_encoder() || is("gemma-embedding") || is("modern-bert"); }
  bool norms_inputs() const { return !is_encoder() && !is("olmo2") && !is("exaone4"); }
  bool is_gemma() const { return is("gemma") || is("gemma2") || is("gemma3") || is("gemma4") || is("gemma-embedding"); }
  bool is_seen(int layer, int query, int key, int last) const;
  double number(const std::string& suffix, double otherwise) const;
  const ReferenceTensor& tensor(const std::string& name) const { return tensors_.at(name); }

  void add_bias(const std::string& name, Vector& y, size_t first = 0) const;
  Vector rms_norm(const std::string& name, const Vector& x) const;
  Vector norm(const std::string& name, const Vector& x) const;  // as the family does; x where there is no such norm
  Vector bare_norm(const Vector& x) const;                      // RMS, without weights
  void norm_heads(const std::string& name, size_t head_dim, Vector& x) const;
  size_t head_dim_of(int layer) const;
  bool reads_others_kv(int layer) const;
  int kv_layer(int layer) const;
  Vector make_layer_inputs(int token, const Vector& hidden) const;
  void take_layer_input(int layer, Row& row) const;
  Vector experts_beside(const std::string& prefix, const Vector& x) const;
  Vector normed_key(const std::string& name, Vector key) const;
  bool is_latent() const { return is("deepseek2") || is("mistral4"); }
  void project_latent(int layer, Row& row, Cache& cache) const;
  Vector latent_key(const std::string& prefix, int head, const Vector& latent) const;
  Vector latent_value(const std::string& prefix, int head, const Vector& latent) const;
  double score_scale() const;
  void grow(const Row& row, Vector& query) const;
  void rotate(int layer, int position, Vector& heads) const;
  double frequency(int pair, int n_rot, bool window_layer) const;
  double rotation_gain(bool window_layer) const;
  bool is_window_layer(int layer) const;
  Vector attend(int layer, const Row& row, const Cache& cache, int last_position) const;
  bool has_feed_forward(const std::string& prefix) const;
  Vector feed_forward(const std::string& prefix, const Vector& x) const;
  Vector expert(const std::string& prefix, size_t expert, size_t width, const Vector& x) const;
  Vector expert_weights(const std::string& prefix, const Vector& x) const;
  std::vector<size_t> chosen_experts(const std::string& prefix, Vector worth) const;
  Vector expert_mix(const std::string& prefix, const Vector& x) const;
  Vector shared_expert(const std::string& prefix, const Vector& x) const;
  Vector gated(const Vector& gate, const Vector& up) const;
  double activation(double x) const;
  double distance_cost(int head, int distance) const;
  // Layers with a state (reference_states.cpp).
  bool is_delta_net() const { return is("qwen3next") || is("qwen35") || is("qwen35moe"); }
  bool is_nemotron_h() const { return is("nemotron_h") || is("nemotron_h_moe"); }
  bool is_mamba() const { return is_nemotron_h() || is("granitehybrid") || is("falcon-h1"); }
  bool is_convolution() const { return is("lfm2") || is("lfm2moe"); }
  bool keeps_state(int layer) const;
  Vector mix_state(const std::string& prefix, const Vector& x, State& state) const;
  Vector mix_delta(const std::string& prefix, const Vector& x, State& state) const;
  Vector mix_mamba(const std::string& prefix, const Vector& x, State& state) const;
  Vector mix_convolution(const std::string& prefix, const Vector& x, State& state) const;
  Vector output_of_state(const std::string& prefix, const Vector& mixed) const;
  Vector convolve(const std::string& name, const State& state) const;
  static void split_gates(Row& row, size_t head_dim);

  const gguf::GgufFile& file_;
  bool round_kv_;
  std::string architecture_;
  std::map<std::string, ReferenceTensor> tensors_;
  int n_layers_ = 0, dim_ = 0, n_heads_ = 0, n_kv_heads_ = 0, head_dim_ = 0, window_ = 0;
  int value_dim_ = 0;  // of latent attention alone
  double epsilon_ = 0;
};

}  // namespace mneme::testing
