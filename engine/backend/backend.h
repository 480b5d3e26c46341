// The contract between the one forward pass (engine/transformer) and a device.
//
// A backend owns weights, activations and KV caches on its device and offers a narrow set of fused operations.
// Operations are enqueued and return at once; they run in the order given. None of them may need the host in the
// middle, so that a CUDA backend runs a whole layer without synchronising; a CPU backend may simply finish each
// operation before returning. A failure (device lost, out of memory) is remembered, later operations do nothing, and
// synchronize() reports it.
//
// Rows. Every operation works on a set of token rows: n_rows tokens at given positions of given sequences. Rows need
// not be contiguous: fusion runs single layers on chosen subsets. A row at position p attends to the keys at positions
// <= p of its own sequence (and > p - sliding_window), which must all be in place: rows of the same step included,
// since the layer's K and V of all rows are written before any row attends.
//
// Numbers: activations are f32 (n_rows, width) row-major; KV is f16; accumulation is f32 or better. Output of a row
// must not depend on which other rows are in the step beyond rounding (1e-3 of the logits' standard deviation). Only
// products with quantised weights may round activations in another way for few rows than for many (int8 and bf16).
//
// Ownership: the objects a backend makes hold it by reference and must not outlive it.
// Threads: one thread at a time per backend, except where said.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/f16.h"
#include "base/status.h"
#include "engine/backend/attention_sums.h"
#include "engine/backend/encoded_kv.h"
#include "engine/backend/likeliest_tokens.h"
#include "engine/gguf/tensor_type.h"
#include "engine/model/model_config.h"
#include "engine/pq/retrieval_options.h"
#include "engine/types.h"

namespace mneme {
class ThreadPool;
}

namespace mneme::engine {

class ClusteringModel;

// A weight matrix on a device: n_out rows of n_in, y = W x. Quantised and perhaps repacked.
class Matrix {
 public:
  virtual ~Matrix() = default;
  int64_t n_out = 0;
  int64_t n_in = 0;
};

// f32 (max_rows, width) on a device; also one-row vectors such as norm weights and biases.
class Activations {
 public:
  virtual ~Activations() = default;
  int max_rows = 0;
  int width = 0;
};

// What a matrix is for. A lookup table (token embeddings that are not also the output) is never multiplied with, so it
// is used in place, without repacking.
enum class MatrixUse { kProduct, kLookup };

// The weights as the file has them: borrowed, valid as long as the file is open.
struct TensorView {
  std::string_view name;
  gguf::TensorType type = gguf::TensorType::kF32;
  int64_t n_out = 1;  // rows; 1 for vectors
  int64_t n_in = 0;   // elements of a row
  std::span<const std::byte> bytes;
  MatrixUse use = MatrixUse::kProduct;
  // `bytes` lie in a read-only mapping of a file: after copying them into a layout of its own, the backend may tell the
  // system to forget the pages. Never set for memory that is not backed by a file: its contents would be lost.
  bool file_mapped = false;
};

// How a cache holds keys and values. Q8_0 (an int8 code per element, an f16 scale per 32) takes 53 % of the memory and
// bandwidth and costs a little precision; it needs heads of a multiple of 32. Keys before RoPE are f16 always.
enum class KvType { kF16, kQ8_0 };

struct KvCacheOptions {
  int n_layers = 0;
  int n_kv_heads = 0;
  int head_dim = 0;
  int max_tokens = 0;                // most tokens this sequence may ever hold
  bool keep_unrotated_keys = false;  // also keep keys before RoPE, for storing chunks
  KvType type = KvType::kF16;
  bool stays_on_device = false;  // no part of it in other memory than that of the device which computes
  // Heads of each layer, n_layers of them, where layers differ (ModelConfig::heads); n_kv_heads and head_dim are then
  // the most of any. Empty: all have those.
  std::vector<LayerHeads> layer_heads = {};
  // Of models with layers that keep a state (ModelConfig::has_state), by layer, n_layers of them: which keep one, which
  // have keys and values. Empty: none, all. And the state's sizes.
  std::vector<bool> state_layers = {};
  std::vector<bool> attending_layers = {};
  StateConfig state = {};

  bool keeps_state() const { return !state_layers.empty(); }
  bool has_kv(int layer) const { return attending_layers.empty() || attending_layers[static_cast<size_t>(layer)]; }
  // Of a layer without keys and values: no KV heads.
  LayerHeads heads(int layer) const {
    if (!has_kv(layer)) return {0, 0, head_dim};
    return layer_heads.empty() ? LayerHeads{0, n_kv_heads, head_dim} : layer_heads[static_cast<size_t>(layer)];
  }
};

// The keys (after RoPE) and values of one sequence, addressed by (layer, position). Memory grows by pages as needed.
class KvCache {
 public:
  virtual ~KvCache() = default;

  // Makes room for positions [0, n_tokens) on all layers. kResource when it does not fit: nothing has changed then.
  virtual Status reserve(int n_tokens) = 0;

  // Writes a layer's stored KV at positions [first, first + n_tokens): keys are rotated to their positions on the way.
  //   keys, values: (n_tokens, n_kv_heads, head_dim) f16, keys before RoPE; borrowed for the call.
  virtual void place(int layer, TokenPos first, int n_tokens, std::span<const f16> keys, std::span<const f16> values,
                     const RopeConfig* rope) = 0;

  // The same for KV that the device decodes by itself (encoded_kv.h): one prompt's way to do so. Null: it decodes none,
  // and codecs do it on the host. first_layer: the model's layer that this cache's first one is.
  virtual std::unique_ptr<EncodedKvPlacer> place_encoded(int /*first_layer*/) { return nullptr; }

  // Copies a layer's KV at [first, first + n_tokens) out, in the layout of place(); values may be empty. Synchronises.
  // unrotated: keys before RoPE; needs keep_unrotated_keys (else kUsage). Otherwise keys as attention sees them.
  virtual Status read(int layer, TokenPos first, int n_tokens, bool unrotated, std::span<f16> keys,
                      std::span<f16> values) const = 0;

  // Encodes all layers' KV at [first, first + n_tokens), n_tokens > 0, where it lies, keys before RoPE: to the bytes of
  // the codec, which is of this cache's shape. Needs keep_unrotated_keys. Without layers where the device does not
  // encode for this codec. Synchronises.
  virtual Result<EncodedLayers> encode(TokenPos /*first*/, int /*n_tokens*/, const KvCodec& /*codec*/) {
    return EncodedLayers();
  }

  // Bytes held for keys and values.
  virtual int64_t memory_bytes() const = 0;
  // Memory for more tokens, where the device has so much free.
  virtual int64_t free_bytes(int64_t of_device) const { return of_device; }
  // Whether they lie in the host's memory, since that of the GPU which computes does not hold so many tokens.
  virtual bool in_host_memory() const { return false; }

  // --- Retrieval (engine/pq): steps of one row attend to few of the older tokens -------------------------------------
  // How; kFull ends it. kUsage for options that do not fit the model, kUnsupported where the backend has no retrieval.
  // config must outlive the cache.
  virtual Status set_retrieval(const RetrievalOptions& options, const ModelConfig& /*config*/) {
    if (options.kind == AttentionKind::kFull) return {};
    return unsupported("retrieval of keys is not in this backend; use --attention full");
  }
  // Brings codebooks and codes of all layers up to date with tokens [0, n_tokens), which are in place. Called before
  // each decoding step; costs time when the first is due and little after. times: what to learn from and to ask for the
  // number of iterations; may be null. kCancelled keeps what is done, and steps go on with full attention.
  virtual Status prepare_retrieval(int /*n_tokens*/, ClusteringModel* /*times*/, const CancelToken& /*cancel*/) {
    return {};
  }
  // Tokens from n_tokens on will be written anew. Copies of the state behind more tokens are dropped.
  virtual void forget(int /*n_tokens*/) {}
  virtual RetrievalReport retrieval_report() const { return {}; }

  // --- States (KvCacheOptions::state_layers) -------------------------------------------------------------------------
  // A state is that behind some first tokens, and cannot be cut back. A step that begins at position 0 begins anew;
  // any other must begin behind the tokens whose state is there.

  // Behind how many tokens the state is; -1: behind none, since a step ended between its layers.
  virtual int state_tokens() const { return 0; }
  // Keeps a copy of the state as it is, to come back to: a few of them, the first ones longest. Copies take memory
  // (ModelConfig::state_bytes); where there is none, or no state, nothing is kept.
  virtual void keep_state() {}
  // Behind how many tokens, n_tokens at most, the last kept state is; 0: none is kept.
  virtual int kept_state(int /*n_tokens*/) const { return 0; }
  // Goes back to that one, or to the beginning.
  virtual int restore_state(int /*n_tokens*/) { return 0; }

  const KvCacheOptions& options() const { return options_; }

 protected:
  explicit KvCache(const KvCacheOptions& options) : options_(options) {}
  KvCacheOptions options_;
};

// Rows [first_row, first_row + n_rows) of a step belong to one sequence.
struct RowGroup {
  KvCache* cache = nullptr;
  int first_row = 0;
  int n_rows = 0;
};

// The rows of one step, in ascending position within each group. Borrowed for the calls that take it.
struct RowSet {
  std::span<const TokenPos> positions;  // n_rows
  std::span<const RowGroup> groups;     // cover all rows, in order
  int n_rows() const { return static_cast<int>(positions.size()); }
};

// Null pointers mean "this model has none".
struct NormWeights {
  const Activations* weight = nullptr;  // (dim)
  const Activations* bias = nullptr;
};

// Of latent attention (ModelConfig::latent), whose queries, keys and values are made in steps.
struct LatentWeights {
  // What makes the latent of queries, its RMS norm, and what makes queries of it; without such a latent q_up makes them
  // of the hidden state: of each head (plain | to be rotated).
  const Matrix* q_down = nullptr;        // (query_rank, dim)
  const Activations* q_norm = nullptr;   // (query_rank)
  const Matrix* q_up = nullptr;          // (n_heads * made_query_dim(), query_rank or dim)
  const Matrix* kv_down = nullptr;       // (latent, then what is rotated, dim)
  const Activations* kv_norm = nullptr;  // (rank), of the latent alone
  // By head: plain queries to latent space (rank, plain_dim); what was attended to back from there (value_dim, rank).
  std::vector<const Matrix*> to_latent, from_latent;
};

struct AttentionWeights {
  NormWeights input_norm;     // before QKV; absent in post-norm encoders
  const Matrix* q = nullptr;  // of gated attention: head by head its query's rows, then its gates
  const Matrix* k = nullptr;
  const Matrix* v = nullptr;
  const Matrix* qkv = nullptr;  // fused: rows q, then k, then v; then q, k, v are null
  const Activations* q_bias = nullptr;
  const Activations* k_bias = nullptr;
  const Activations* v_bias = nullptr;
  const Activations* qkv_bias = nullptr;
  const Activations* q_norm = nullptr;  // RMS over each head, (head_dim), or over all of a row; before RoPE
  const Activations* k_norm = nullptr;
  const Matrix* output = nullptr;
  const Activations* output_bias = nullptr;
  NormWeights output_norm;              // gemma: on the block's output, before the residual; encoders: after it
  LatentWeights latent;                 // instead of q, k and v
  const Activations* q_gain = nullptr;  // (head_dim), of each query after RoPE
};

// Of a layer that keeps a state: it reads the layer's input through the norm of its attention's input. Which there are
// is the kind's (StateKind); the convolution's and the output are all kinds'.
struct StateWeights {
  // Of delta nets.
  const Matrix* qkv = nullptr;              // (StateConfig::channels(), dim)
  const Matrix* gate = nullptr;             // (value_dim, dim)
  const Matrix* beta = nullptr;             // (n_value_heads, dim), logits of strengths
  const Matrix* alpha = nullptr;            // (n_value_heads, dim), of decays
  const Matrix* beta_alpha = nullptr;       // both, a key head's value heads together; then they are null
  const Activations* decay = nullptr;       // (n_value_heads): g = exp(decay softplus(alpha + alpha_bias)), decay < 0
  const Activations* alpha_bias = nullptr;  // (n_value_heads)
  const Activations* norm = nullptr;        // (value_length), of what a head finds

  // All that the others make of a row, parts one below the other, (their sum, dim). Of Mamba-2 gates (value_dim),
  // channels, steps (n_value_heads); of convolutions between gates what multiplies the channels before, what after, and
  // they themselves.
  const Matrix* in = nullptr;
  // Of Mamba-2 also decay, alpha_bias (of steps), the norm, or none, of (value_dim) elements, and
  const Activations* skip = nullptr;  // (n_value_heads): how much of a value is found beside

  const Activations* conv = nullptr;       // (conv_width, channels), the oldest row's first
  const Activations* conv_bias = nullptr;  // (channels); null: none
  const Matrix* output = nullptr;          // (dim, value_dim)
};

struct ExpertWeights {  // mixture of experts; empty when n_experts == 0
  int n_experts = 0;
  int n_used = 0;
  const Matrix* router = nullptr;             // (n_experts, dim)
  std::vector<const Matrix*> gate, up, down;  // gate is empty where they are not gated
  // How much of the shared expert a row takes: by the sigmoid of what this (1, dim) makes of it; null: all of it.
  const Matrix* shared_router = nullptr;
  // Biases of the router and of each expert; null or empty: none.
  const Activations* router_bias = nullptr;  // (n_experts)
  // Added to the weights only to choose by, (n_experts); null: none.
  const Activations* choice_bias = nullptr;
  std::vector<const Activations*> gate_bias, up_bias, down_bias;

  // Experts that stand beside a dense part (FeedForwardWeights), each reading the hidden state through a norm of its
  // own, and so does the router; what both make, normed by themselves, is added.
  bool beside = false;
  NormWeights input_norm;
  NormWeights router_norm;
  NormWeights output_norm;
  NormWeights dense_output_norm;
  const Activations* scales = nullptr;  // (n_experts), of what each makes; null: 1
};

// With experts, gate, up and down are those of the shared expert, or null where there is none, or of the part that
// experts stand beside.
struct FeedForwardWeights {
  NormWeights input_norm;
  const Matrix* gate = nullptr;  // null when not gated
  const Matrix* up = nullptr;
  const Matrix* gate_up = nullptr;  // fused: rows gate, then up; then gate and up are null
  const Matrix* down = nullptr;
  const Activations* up_bias = nullptr;
  const Activations* down_bias = nullptr;
  NormWeights output_norm;
  ExpertWeights experts;
};

// How a layer takes in its own vector of the token: x += norm(projection(activation(gate x) * vector)). All null: not.
struct LayerInputWeights {
  const Matrix* gate = nullptr;        // (layer_input_dim, dim)
  const Matrix* projection = nullptr;  // (dim, layer_input_dim)
  NormWeights output_norm;
};

// What makes those vectors, of all layers at once.
struct LayerInputSource {
  const Matrix* table = nullptr;       // (vocab_size, n_layers * layer_input_dim); null: the model has none
  const Matrix* projection = nullptr;  // (n_layers * layer_input_dim, dim)
  NormWeights norm;                    // (layer_input_dim)
};

struct LayerWeights {
  AttentionWeights attention;
  FeedForwardWeights feed_forward;
  StateWeights state;  // where the layer keeps one
  // Post-norm encoders (bert): output norms apply to residual + block output instead of the block output alone.
  bool norm_after_residual = false;
  LayerInputWeights layer_input;
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string_view name() const = 0;    // "cpu", "cuda:0"
  virtual std::string description() const = 0;  // for people: instruction set and threads, or the GPU's name
  // In steps of up to so many rows each row's numbers are bit for bit those of a step of its own; 1: not promised.
  virtual int equal_step_rows() const { return 1; }

  // Most rows of a prefill's step: enough for the matrix products to be efficient, few enough for quick turns.
  virtual int most_step_rows() const { return 512; }

  // Whether there are mix_state() and project_mixed(); models with layers that keep a state cannot run without.
  virtual bool mixes_states() const { return false; }
  // How many of a model's n_layers run on a GPU.
  virtual int gpu_layers(int /*n_layers*/) const { return 0; }

  // --- Objects -------------------------------------------------------------------------------------------------------
  // Takes a matrix over. The view is borrowed for the backend's lifetime where the backend can use it in place, so the
  // file must stay open. kUnsupported for a tensor type it cannot multiply with.
  virtual Result<std::unique_ptr<Matrix>> load_matrix(const TensorView& tensor) = 0;
  // The same of matrices that multiply the same rows, in the order of their outputs: a device may lay them side by
  // side.
  virtual Result<std::vector<std::unique_ptr<Matrix>>> load_matrices(std::span<const TensorView> tensors) {
    std::vector<std::unique_ptr<Matrix>> matrices;
    for (const TensorView& tensor : tensors) {
      MNEME_ASSIGN_OR_RETURN(std::unique_ptr<Matrix> matrix, load_matrix(tensor));
      matrices.push_back(std::move(matrix));
    }
    return matrices;
  }
  // A vector (norm weight, bias), converted to f32.
  virtual Result<std::unique_ptr<Activations>> load_vector(const TensorView& tensor) = 0;
  virtual Result<std::unique_ptr<Activations>> make_activations(int max_rows, int width) = 0;
  virtual Result<std::unique_ptr<KvCache>> make_kv_cache(const KvCacheOptions& options) = 0;

  // --- Operations, enqueued ------------------------------------------------------------------------------------------
  // x[row] = table[ids[row]] * scale (+ positional or type embeddings are added by add_rows).
  virtual void embed(const Matrix& table, std::span<const TokenId> ids, float scale, Activations& x) = 0;
  // x[row] += table[ids[row]] (learned positions, token types).
  virtual void add_rows(const Matrix& table, std::span<const TokenId> ids, Activations& x) = 0;
  // inputs = (norm(projection x / sqrt(dim)) + table[ids[row]] * sqrt(layer_input_dim)) / sqrt(2), the norm over each
  // layer's part by itself. x (n_rows, dim): the embeddings; inputs (n_rows, n_layers * layer_input_dim).
  virtual void make_layer_inputs(const ModelConfig& config, const LayerInputSource& source,
                                 std::span<const TokenId> ids, const Activations& x, Activations& inputs) = 0;
  // x = norm(x) in place on n_rows.
  virtual void normalise(const ModelConfig& config, const NormWeights& norm, int n_rows, Activations& x) = 0;

  // Norm, Q, K and V products, biases, QK-norm, RoPE at the rows' positions; writes K and V of the rows into their
  // caches at `layer`, if it has its own, leaves the rotated queries in q (n_rows, ModelConfig::query_width() of the
  // layer), behind those of a row the gates of what its heads attend to, where there are gates.
  virtual void project_qkv(const ModelConfig& config, int layer, const AttentionWeights& weights, const RowSet& rows,
                           const Activations& x, Activations& q) = 0;
  // Attention of the queries to their sequences' caches: streaming softmax, scale, soft cap, sinks, causal by position,
  // window; then the gates. out (n_rows, n_heads * head_dim); out may not alias q.
  virtual void attend(const ModelConfig& config, int layer, const RowSet& rows, const Activations& q,
                      Activations& out) = 0;
  // Both in turn, where nothing happens between them. q is left as it may be: a backend that needs no such rows of its
  // own does not fill it.
  virtual void project_and_attend(const ModelConfig& config, int layer, const AttentionWeights& weights,
                                  const RowSet& rows, const Activations& x, Activations& q, Activations& out) {
    project_qkv(config, layer, weights, rows, x, q);
    attend(config, layer, rows, q, out);
  }
  // What stands in place of both, or beside them, in a layer that keeps a state, from its input norm to what the output
  // product takes. Moves the states of the rows' sequences on by their rows, which must be consecutive tokens and come
  // at or behind the state (KvCache::state_tokens). out (n_rows, StateConfig::value_dim()).
  virtual void mix_state(const ModelConfig& /*config*/, int /*layer*/, const LayerWeights& /*weights*/,
                         const RowSet& /*rows*/, const Activations& /*x*/, Activations& /*out*/) {}
  // x += W * mixed, of mix_state().
  virtual void project_mixed(const ModelConfig& /*config*/, const LayerWeights& /*weights*/, int /*n_rows*/,
                             const Activations& /*mixed*/, Activations& /*x*/) {}
  // x += norm(W_o * attended + bias). attended: as wide as W_o takes it.
  virtual void project_output(const ModelConfig& config, const LayerWeights& weights, int n_rows,
                              const Activations& attended, Activations& x) = 0;
  // x += norm(down(activation(gate(norm x)) * up(norm x))), experts where the layer has them.
  virtual void feed_forward(const ModelConfig& config, const LayerWeights& weights, int n_rows, Activations& x) = 0;

  // x = (x + norm(projection(activation(gate x) * inputs))) * the layer's output scale, where the layer has an input;
  // else x * that scale. inputs: of make_layer_inputs; null where the model has none.
  virtual void finish_layer(const ModelConfig& config, int layer, const LayerWeights& weights, int n_rows,
                            const Activations* inputs, Activations& x) = 0;

  // Keeps the given rows (ascending): x[i] = x[keep[i]].
  virtual void keep_rows(std::span<const int> keep, Activations& x) = 0;

  // Final norm and output product of the given rows of x; logits (rows.size(), vocab_size), soft cap and scale applied,
  // minus infinity of tokens that the model is not to write.
  virtual void logits(const ModelConfig& config, const NormWeights& norm, const Matrix& output,
                      std::span<const int> rows, const Activations& x, Activations& logits) = 0;

  // --- Host --------------------------------------------------------------------------------------------------------
  // Sums of attention over the first n_tokens of a sequence, beginning at zero. Null: the host scores tokens.
  virtual std::unique_ptr<AttentionSums> sum_attention(int /*n_tokens*/) { return nullptr; }
  // Copies n_rows of x out. Synchronises.
  virtual Status read(const Activations& x, int n_rows, std::span<float> out) = 0;
  // Whether the device picks out the likeliest tokens of logits, which saves copying them.
  virtual bool finds_likeliest() const { return false; }
  // Some of the likeliest tokens of a row of logits and the total of all where temperature is above 0, else the
  // likeliest alone. Synchronises.
  virtual Result<LikeliestTokens> likeliest(const Activations& /*logits*/, int /*row*/, float /*temperature*/) {
    return unsupported("this backend picks no tokens out");
  }
  // Waits for everything enqueued; the first failure since the last call.
  virtual Status synchronize() = 0;

  // The host's threads that run the operations, for work between two of them: threads of its own would have to be woken
  // for it. Free whenever no operation runs; their loops may place() what does not overlap. Null: a device computes.
  virtual ThreadPool* host_threads() { return nullptr; }

  // What one device can hold and did hold: for refusing what would not fit.
  virtual int64_t free_memory_bytes() const = 0;
  // Memory beside the device's, in which long sequences may keep keys and values (KvCache::in_host_memory); 0: none.
  virtual int64_t host_kv_bytes() const { return 0; }
};

}  // namespace mneme::engine
