#include "engine/transformer/model_weights.h"

#include <cmath>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "engine/gguf/dequantize.h"
#include "engine/model/dense_layers.h"
#include "engine/model/rank_head.h"
#include "engine/model/tensor_values.h"
#include "engine/transformer/transposed.h"

namespace mneme::engine {

namespace {

constexpr Presence kAbsent = Presence::kAbsent;
constexpr Presence kOptional = Presence::kOptional;
constexpr Presence kRequired = Presence::kRequired;

// Tensors that read_model_config() uses, or that older converters wrote and nobody needs.
bool is_known_elsewhere(std::string_view name) {
  return name == "rope_freqs.weight" || name == "rope_factors_long.weight" || name == "rope_factors_short.weight" ||
         name.ends_with(".attn_rot_embd") || name.ends_with(".attention.rotary_emb.inv_freq");
}

// What encoders make of the last hidden states is not the forward pass's; none of them predicts tokens.
bool is_used_by_encoders(const ModelConfig& config, std::string_view name) {
  if (config.pooling == Pooling::kRank && is_rank_tensor(config, name)) return true;
  return is_dense_tensor(name) || name == "output.weight";
}

// Layers behind the last, which are not run.
bool is_of_draft_layers(const ModelConfig& config, std::string_view name) {
  for (int layer = config.n_layers; layer < config.n_layers + config.n_draft_layers; ++layer) {
    if (name.starts_with("blk." + std::to_string(layer) + ".")) return true;
  }
  return false;
}

class WeightLoader {
 public:
  // backend: null to look for all tensors without loading any.
  WeightLoader(const gguf::GgufFile& file, const Architecture& architecture, const ModelConfig& config,
               Backend* backend)
      : file_(file), architecture_(architecture), config_(config), backend_(backend) {}

  Result<std::unique_ptr<ModelWeights>> load() {
    MNEME_RETURN_IF_ERROR(load_embeddings());
    for (int layer = 0; layer < config_.n_layers; ++layer) MNEME_RETURN_IF_ERROR(load_layer(layer));
    MNEME_RETURN_IF_ERROR(load_output());
    MNEME_RETURN_IF_ERROR(refuse_unused());
    return std::move(weights_);
  }

 private:
  Status damaged(const std::string& why) const {
    return corruption("cannot use the model " + file_.name() + ": " + why +
                      "; the file is incomplete or not what its metadata says");
  }

  // The tensor's view when it is there with this shape; `view.bytes` stays empty when it may be absent and is.
  Status find(const std::string& name, int64_t n_out, int64_t n_in, Presence presence, TensorView& view) {
    const gguf::TensorInfo* info = presence == kAbsent ? nullptr : file_.find_tensor(name);
    if (info == nullptr) {
      if (presence == kRequired) return damaged("tensor '" + name + "' is missing");
      return {};
    }
    if (info->dims[0] != static_cast<uint64_t>(n_in) || info->n_rows() != static_cast<uint64_t>(n_out))
      return damaged("tensor '" + name + "' is " + std::to_string(info->n_rows()) + " rows of " +
                     std::to_string(info->dims[0]) + " where " + std::to_string(n_out) + " of " + std::to_string(n_in) +
                     " are expected");
    // What is loaded twice (attn_k as values too, gates and ups of experts) is counted once.
    if (used_.insert(info->name).second) weights_->bytes += static_cast<int64_t>(info->bytes.size());
    view = {.name = info->name,
            .type = info->type,
            .n_out = n_out,
            .n_in = n_in,
            .bytes = info->bytes,
            .file_mapped = file_.is_mapped()};
    return {};
  }

  const Matrix* keep(std::unique_ptr<Matrix> matrix) {
    return weights_->matrices.emplace_back(std::move(matrix)).get();
  }

  Status load_matrix(const TensorView& view, const Matrix*& out) {
    if (backend_ == nullptr) {
      out = keep(std::make_unique<Matrix>());
      return {};
    }
    auto loaded = backend_->load_matrix(view);
    if (!loaded.ok()) return loaded.status().with_context("cannot use the model " + file_.name() + ": ");
    out = keep(std::move(*loaded));
    return {};
  }

  Status matrix(const std::string& name, int64_t n_out, int64_t n_in, Presence presence, const Matrix*& out,
                MatrixUse use = MatrixUse::kProduct) {
    TensorView view;
    MNEME_RETURN_IF_ERROR(find(name, n_out, n_in, presence, view));
    view.use = use;
    return view.bytes.empty() ? Status() : load_matrix(view, out);
  }

  // Required matrices of n_in that multiply the same rows.
  struct Wanted {
    std::string name;
    int64_t n_out;
    const Matrix** out;
  };
  Status matrices(const std::vector<Wanted>& wanted, int64_t n_in) {
    std::vector<TensorView> views(wanted.size());
    for (size_t i = 0; i < wanted.size(); ++i) {
      MNEME_RETURN_IF_ERROR(find(wanted[i].name, wanted[i].n_out, n_in, kRequired, views[i]));
      if (backend_ == nullptr) *wanted[i].out = keep(std::make_unique<Matrix>());
    }
    if (backend_ == nullptr) return {};
    auto loaded = backend_->load_matrices(views);
    if (!loaded.ok()) return loaded.status().with_context("cannot use the model " + file_.name() + ": ");
    for (size_t i = 0; i < wanted.size(); ++i) *wanted[i].out = keep(std::move((*loaded)[i]));
    return {};
  }

  Status vector(const std::string& name, int64_t n, Presence presence, const Activations*& out) {
    return vector_of_rows(name, 1, n, presence, out);
  }

  // One that the file has in rows.
  Status vector_of_rows(const std::string& name, int64_t n_rows, int64_t n, Presence presence,
                        const Activations*& out) {
    TensorView view;
    MNEME_RETURN_IF_ERROR(find(name, n_rows, n, presence, view));
    view.n_out = 1;
    view.n_in = n_rows * n;
    if (view.bytes.empty() || backend_ == nullptr) return {};
    auto loaded = backend_->load_vector(view);
    if (!loaded.ok()) return loaded.status().with_context("cannot use the model " + file_.name() + ": ");
    out = weights_->vectors.emplace_back(std::move(*loaded)).get();
    return {};
  }

  // `prefix`.weight, and .bias where the family's norms have one.
  Status norm(const std::string& prefix, NormWeights& out, Presence presence = kRequired) {
    const bool has_bias = config_.norm == NormKind::kLayer && architecture_.norm_bias;
    // Some converters leave the ending out.
    const bool is_bare = architecture_.bare_norm_names && file_.find_tensor(prefix) != nullptr;
    MNEME_RETURN_IF_ERROR(vector(is_bare ? prefix : prefix + ".weight", config_.dim, presence, out.weight));
    return vector(prefix + ".bias", config_.dim, has_bias ? presence : kAbsent, out.bias);
  }

  // Rows [first, first + n_out) of a tensor.
  static TensorView rows_of(const TensorView& all, int64_t first, int64_t n_out) {
    const size_t row_bytes = all.bytes.size() / static_cast<size_t>(all.n_out);
    TensorView view = all;
    view.n_out = n_out;
    view.bytes = all.bytes.subspan(static_cast<size_t>(first) * row_bytes, static_cast<size_t>(n_out) * row_bytes);
    return view;
  }

  // One matrix each of `count` equal parts of a tensor: its rows [first, first + n_out) out of `step`.
  struct Parts {
    int count;
    int64_t step, first, n_out;
  };
  Status part_matrices(const TensorView& all, const Parts& parts, std::vector<const Matrix*>& out) {
    for (int part = 0; part < parts.count; ++part)
      MNEME_RETURN_IF_ERROR(
          load_matrix(rows_of(all, part * parts.step + parts.first, parts.n_out), out.emplace_back()));
    return {};
  }

  // One matrix per expert out of a tensor (n_experts * n_out, n_in).
  Status expert_matrices(const std::string& name, int64_t n_out, int64_t n_in, std::vector<const Matrix*>& out) {
    TensorView all;
    MNEME_RETURN_IF_ERROR(find(name, config_.n_experts * n_out, n_in, kRequired, all));
    return part_matrices(all, {config_.n_experts, n_out, 0, n_out}, out);
  }

  // One vector per expert out of a tensor (n_experts, n).
  Status expert_vectors(const std::string& name, int64_t n, std::vector<const Activations*>& out) {
    TensorView all;
    MNEME_RETURN_IF_ERROR(find(name, config_.n_experts, n, kRequired, all));
    if (backend_ == nullptr) return {};
    const size_t row_bytes = all.bytes.size() / static_cast<size_t>(config_.n_experts);
    for (int expert = 0; expert < config_.n_experts; ++expert) {
      TensorView view = all;
      view.n_out = 1;
      view.bytes = all.bytes.subspan(static_cast<size_t>(expert) * row_bytes, row_bytes);
      auto loaded = backend_->load_vector(view);
      if (!loaded.ok()) return loaded.status().with_context("cannot use the model " + file_.name() + ": ");
      out.push_back(weights_->vectors.emplace_back(std::move(*loaded)).get());
    }
    return {};
  }

  Status load_expert_biases(const std::string& prefix, ExpertWeights& weights) {
    MNEME_RETURN_IF_ERROR(vector(prefix + "ffn_gate_inp.bias", config_.n_experts, kRequired, weights.router_bias));
    MNEME_RETURN_IF_ERROR(expert_vectors(prefix + "ffn_gate_exps.bias", config_.ffn_dim, weights.gate_bias));
    MNEME_RETURN_IF_ERROR(expert_vectors(prefix + "ffn_up_exps.bias", config_.ffn_dim, weights.up_bias));
    return expert_vectors(prefix + "ffn_down_exps.bias", config_.dim, weights.down_bias);
  }

  Status load_embeddings() {
    constexpr MatrixUse kLookup = MatrixUse::kLookup;
    const int64_t dim = config_.dim;
    const bool tied = !config_.is_encoder() && file_.find_tensor("output.weight") == nullptr;
    MNEME_RETURN_IF_ERROR(matrix("token_embd.weight", config_.vocab_size, dim, kRequired, weights_->token_embedding,
                                 tied ? MatrixUse::kProduct : kLookup));
    const Presence positions = architecture_.learned_positions ? kRequired : kAbsent;
    MNEME_RETURN_IF_ERROR(
        matrix("position_embd.weight", config_.context_length, dim, positions, weights_->position_embedding, kLookup));
    const gguf::TensorInfo* types = file_.find_tensor("token_types.weight");
    const int64_t n_types = types == nullptr ? 1 : static_cast<int64_t>(types->n_rows());
    MNEME_RETURN_IF_ERROR(
        matrix("token_types.weight", n_types, dim, architecture_.token_types, weights_->token_types, kLookup));
    if (config_.layer_input_dim > 0) MNEME_RETURN_IF_ERROR(load_layer_inputs());
    return architecture_.embedding_norm ? norm("token_embd_norm", weights_->embedding_norm) : Status();
  }

  Status load_layer_inputs() {
    const int64_t width = int64_t{config_.n_layers} * config_.layer_input_dim;
    LayerInputSource& source = weights_->layer_inputs;
    MNEME_RETURN_IF_ERROR(
        matrix("per_layer_token_embd.weight", config_.vocab_size, width, kRequired, source.table, MatrixUse::kLookup));
    MNEME_RETURN_IF_ERROR(matrix("per_layer_model_proj.weight", width, config_.dim, kRequired, source.projection));
    return vector("per_layer_proj_norm.weight", config_.layer_input_dim, kRequired, source.norm.weight);
  }

  Status load_layer(int layer) {
    const std::string prefix = "blk." + std::to_string(layer) + ".";
    LayerWeights& weights = weights_->layers.emplace_back();
    weights.norm_after_residual = architecture_.encoder_norms;
    MNEME_RETURN_IF_ERROR(load_norms(prefix, layer == 0 && architecture_.bare_first_attention, weights));
    if (config_.attends(layer)) MNEME_RETURN_IF_ERROR(load_attention(layer, prefix, weights.attention));
    if (config_.keeps_state(layer)) MNEME_RETURN_IF_ERROR(load_state(prefix, weights.state));
    if (config_.layer_input_dim > 0) MNEME_RETURN_IF_ERROR(load_layer_input(prefix, weights.layer_input));
    if (!config_.feeds_forward(layer)) return {};
    FeedForwardWeights& feed_forward = weights.feed_forward;
    const bool has_experts = config_.layers[static_cast<size_t>(layer)].has_experts;
    if (!has_experts || architecture_.experts_beside)
      MNEME_RETURN_IF_ERROR(load_feed_forward(prefix, config_.dense_width(layer), feed_forward));
    if (!has_experts) return {};
    MNEME_RETURN_IF_ERROR(load_experts(prefix, feed_forward.experts));
    return config_.shared_ffn_dim > 0 ? load_shared_expert(prefix, feed_forward) : Status();
  }

  Status load_layer_input(const std::string& prefix, LayerInputWeights& weights) {
    const int64_t width = config_.layer_input_dim;
    MNEME_RETURN_IF_ERROR(matrix(prefix + "inp_gate.weight", width, config_.dim, kRequired, weights.gate));
    MNEME_RETURN_IF_ERROR(matrix(prefix + "proj.weight", config_.dim, width, kRequired, weights.projection));
    return norm(prefix + "post_norm", weights.output_norm);
  }

  Status load_norms(const std::string& prefix, bool bare_attention, LayerWeights& weights) {
    if (architecture_.encoder_norms) {
      MNEME_RETURN_IF_ERROR(norm(prefix + "attn_output_norm", weights.attention.output_norm));
      return norm(prefix + "layer_output_norm", weights.feed_forward.output_norm);
    }
    if (architecture_.input_norms) {
      MNEME_RETURN_IF_ERROR(
          norm(prefix + "attn_norm", weights.attention.input_norm, bare_attention ? kOptional : kRequired));
      weights.feed_forward.input_norm = weights.attention.input_norm;
      if (!config_.parallel_blocks && !architecture_.layers_of_one_block)
        MNEME_RETURN_IF_ERROR(norm(prefix + std::string(architecture_.ffn_norm), weights.feed_forward.input_norm));
    }
    if (!architecture_.post_norms) return {};
    MNEME_RETURN_IF_ERROR(norm(prefix + "post_attention_norm", weights.attention.output_norm));
    return norm(prefix + "post_ffw_norm", weights.feed_forward.output_norm);
  }

  Status load_attention(int layer, const std::string& prefix, AttentionWeights& weights) {
    const bool is_latent = config_.is_latent();
    MNEME_RETURN_IF_ERROR(is_latent ? load_latent(prefix, weights.latent) : load_qkv(layer, prefix, weights));
    const int head_dim = is_latent ? config_.head_output_dim() : config_.heads(layer).head_dim;
    const int64_t width = int64_t{config_.n_heads} * head_dim;
    MNEME_RETURN_IF_ERROR(matrix(prefix + "attn_output.weight", config_.dim, width, kRequired, weights.output));
    return vector(prefix + "attn_output.bias", config_.dim, architecture_.linear_bias, weights.output_bias);
  }

  Status load_state(const std::string& prefix, StateWeights& weights) {
    switch (config_.state.kind) {
      case StateKind::kNone: break;
      case StateKind::kDeltaNet: return load_delta(prefix, weights);
      case StateKind::kMamba: return load_mamba(prefix, weights);
      case StateKind::kConvolution: return load_short_convolution(prefix, weights);
    }
    return {};
  }

  Status load_delta(const std::string& prefix, StateWeights& weights) {
    const StateConfig& state = config_.state;
    const int64_t n_heads = state.n_value_heads;
    std::vector<Wanted> wanted = {{prefix + "attn_qkv.weight", state.channels(), &weights.qkv},
                                  {prefix + "attn_gate.weight", state.value_dim(), &weights.gate}};
    if (state.neighbours_share) {
      wanted.push_back({prefix + "ssm_ba.weight", 2 * n_heads, &weights.beta_alpha});
    } else {
      wanted.push_back({prefix + "ssm_beta.weight", n_heads, &weights.beta});
      wanted.push_back({prefix + "ssm_alpha.weight", n_heads, &weights.alpha});
    }
    MNEME_RETURN_IF_ERROR(matrices(wanted, config_.dim));
    MNEME_RETURN_IF_ERROR(load_convolution(prefix + "ssm_conv1d.weight", weights.conv));
    MNEME_RETURN_IF_ERROR(vector(prefix + "ssm_a", n_heads, kRequired, weights.decay));
    MNEME_RETURN_IF_ERROR(vector(prefix + "ssm_dt.bias", n_heads, kRequired, weights.alpha_bias));
    MNEME_RETURN_IF_ERROR(vector(prefix + "ssm_norm.weight", state.value_length, kRequired, weights.norm));
    return matrix(prefix + "ssm_out.weight", config_.dim, state.value_dim(), kRequired, weights.output);
  }

  Status load_mamba(const std::string& prefix, StateWeights& weights) {
    const StateConfig& state = config_.state;
    const int64_t n_heads = state.n_value_heads;
    const int64_t n_key_heads = state.n_key_heads;
    const int64_t width = int64_t{state.value_dim()} + state.channels() + n_heads;
    MNEME_RETURN_IF_ERROR(matrix(prefix + "ssm_in.weight", width, config_.dim, kRequired, weights.in));
    MNEME_RETURN_IF_ERROR(load_convolution(prefix + "ssm_conv1d.weight", weights.conv));
    MNEME_RETURN_IF_ERROR(vector(prefix + "ssm_conv1d.bias", state.channels(), kOptional, weights.conv_bias));
    MNEME_RETURN_IF_ERROR(vector(prefix + "ssm_dt.bias", n_heads, kRequired, weights.alpha_bias));
    MNEME_RETURN_IF_ERROR(vector_of_rows(prefix + "ssm_a", n_heads, 1, kRequired, weights.decay));
    MNEME_RETURN_IF_ERROR(vector_of_rows(prefix + "ssm_d", n_heads, 1, kRequired, weights.skip));
    MNEME_RETURN_IF_ERROR(vector_of_rows(prefix + "ssm_norm.weight", n_key_heads, state.value_dim() / n_key_heads,
                                         architecture_.state_norm, weights.norm));
    return matrix(prefix + "ssm_out.weight", config_.dim, state.value_dim(), kRequired, weights.output);
  }

  Status load_short_convolution(const std::string& prefix, StateWeights& weights) {
    const int64_t n_channels = config_.state.channels();
    MNEME_RETURN_IF_ERROR(
        matrix(prefix + "shortconv.in_proj.weight", 3 * n_channels, config_.dim, kRequired, weights.in));
    MNEME_RETURN_IF_ERROR(load_convolution(prefix + "shortconv.conv.weight", weights.conv));
    return matrix(prefix + "shortconv.out_proj.weight", config_.dim, n_channels, kRequired, weights.output);
  }

  // A row of the file is a channel; kernels take neighbouring channels at once.
  Status load_convolution(const std::string& name, const Activations*& out) {
    const int64_t n_channels = config_.state.channels();
    const int64_t width = config_.state.conv_width;
    TensorView view;
    MNEME_RETURN_IF_ERROR(find(name, n_channels, width, kRequired, view));
    if (backend_ == nullptr) return {};
    MNEME_ASSIGN_OR_RETURN(const std::vector<float> by_channel, read_tensor_values(file_, name, n_channels, width));
    std::vector<float> by_row(by_channel.size());
    for (int64_t channel = 0; channel < n_channels; ++channel)
      for (int64_t row = 0; row < width; ++row)
        by_row[static_cast<size_t>(row * n_channels + channel)] =
            by_channel[static_cast<size_t>(channel * width + row)];
    view = {.name = view.name,
            .type = gguf::TensorType::kF32,
            .n_out = 1,
            .n_in = width * n_channels,
            .bytes = std::as_bytes(std::span(by_row))};
    auto loaded = backend_->load_vector(view);
    if (!loaded.ok()) return loaded.status().with_context("cannot use the model " + file_.name() + ": ");
    out = weights_->vectors.emplace_back(std::move(*loaded)).get();
    return {};
  }

  Status load_qkv(int layer, const std::string& prefix, AttentionWeights& weights) {
    const LayerHeads heads = config_.heads(layer);
    const int64_t dim = config_.dim;
    const int64_t q_dim = config_.query_width(layer);  // gates among the queries
    const int64_t kv_dim = heads.kv_dim();
    const Presence bias = architecture_.qkv_bias;
    MNEME_RETURN_IF_ERROR(architecture_.rotated_qk_norm ? load_rotated_norms(prefix, weights)
                                                        : load_head_norms(layer, prefix, weights));
    if (!config_.has_kv(layer)) return matrix(prefix + "attn_q.weight", q_dim, dim, kRequired, weights.q);
    const int64_t all = q_dim + 2 * kv_dim;
    MNEME_RETURN_IF_ERROR(matrix(prefix + "attn_qkv.weight", all, dim, architecture_.fused_qkv, weights.qkv));
    if (weights.qkv != nullptr) return vector(prefix + "attn_qkv.bias", all, bias, weights.qkv_bias);
    const bool own_values = !architecture_.keys_as_values || file_.find_tensor(prefix + "attn_v.weight") != nullptr;
    MNEME_RETURN_IF_ERROR(matrices({{prefix + "attn_q.weight", q_dim, &weights.q},
                                    {prefix + "attn_k.weight", kv_dim, &weights.k},
                                    {prefix + (own_values ? "attn_v.weight" : "attn_k.weight"), kv_dim, &weights.v}},
                                   dim));
    MNEME_RETURN_IF_ERROR(vector(prefix + "attn_q.bias", q_dim, bias, weights.q_bias));
    MNEME_RETURN_IF_ERROR(vector(prefix + "attn_k.bias", kv_dim, bias, weights.k_bias));
    return vector(prefix + "attn_v.bias", kv_dim, bias, weights.v_bias);
  }

  // Of layers without keys of their own, queries alone are normed.
  Status load_head_norms(int layer, const std::string& prefix, AttentionWeights& weights) {
    const LayerHeads heads = config_.heads(layer);
    const bool whole = architecture_.whole_qk_norm;
    const Presence presence = architecture_.qk_norm;
    MNEME_RETURN_IF_ERROR(
        vector(prefix + "attn_q_norm.weight", whole ? heads.q_dim() : heads.head_dim, presence, weights.q_norm));
    if (!config_.has_kv(layer)) return {};
    return vector(prefix + "attn_k_norm.weight", whole ? heads.kv_dim() : heads.head_dim, presence, weights.k_norm);
  }

  // A rotation changes nothing of a norm but which elements its weights meet. So norms without weights come before it,
  // and the weights of both, multiplied, after it, in the queries alone: keys are kept before rotation as ever.
  Status load_rotated_norms(const std::string& prefix, AttentionWeights& weights) {
    TensorView of_queries;
    TensorView of_keys;
    MNEME_RETURN_IF_ERROR(find(prefix + "attn_q_norm.weight", 1, config_.head_dim, kRequired, of_queries));
    MNEME_RETURN_IF_ERROR(find(prefix + "attn_k_norm.weight", 1, config_.head_dim, kRequired, of_keys));
    if (backend_ == nullptr) return {};
    const auto n = static_cast<size_t>(config_.head_dim);
    std::vector<float> gain(n);
    std::vector<float> key_weights(n);
    gguf::dequantize_row(of_queries.type, of_queries.bytes.data(), config_.head_dim, gain.data());
    gguf::dequantize_row(of_keys.type, of_keys.bytes.data(), config_.head_dim, key_weights.data());
    for (size_t i = 0; i < n; ++i) gain[i] *= key_weights[i];
    MNEME_RETURN_IF_ERROR(made_vector(gain, weights.q_gain));
    MNEME_RETURN_IF_ERROR(made_vector(std::vector<float>(n, 1.0f), weights.q_norm));
    weights.k_norm = weights.q_norm;
    return {};
  }

  // A vector that the file has not.
  Status made_vector(const std::vector<float>& values, const Activations*& out) {
    const TensorView view{.name = "made of others",
                          .type = gguf::TensorType::kF32,
                          .n_in = static_cast<int64_t>(values.size()),
                          .bytes = std::as_bytes(std::span(values))};
    auto loaded = backend_->load_vector(view);
    if (!loaded.ok()) return loaded.status().with_context("cannot use the model " + file_.name() + ": ");
    out = weights_->vectors.emplace_back(std::move(*loaded)).get();
    return {};
  }

  Status load_latent(const std::string& prefix, LatentWeights& weights) {
    const LatentAttention& latent = config_.latent;
    const int64_t q_dim = int64_t{config_.n_heads} * config_.made_query_dim();
    int64_t q_in = config_.dim;
    if (latent.query_rank > 0) {
      q_in = latent.query_rank;
      MNEME_RETURN_IF_ERROR(matrix(prefix + "attn_q_a.weight", q_in, config_.dim, kRequired, weights.q_down));
      MNEME_RETURN_IF_ERROR(vector(prefix + "attn_q_a_norm.weight", q_in, kRequired, weights.q_norm));
    }
    const char* const q_name = latent.query_rank > 0 ? "attn_q_b.weight" : "attn_q.weight";
    MNEME_RETURN_IF_ERROR(matrix(prefix + q_name, q_dim, q_in, kRequired, weights.q_up));
    MNEME_RETURN_IF_ERROR(
        matrix(prefix + "attn_kv_a_mqa.weight", config_.head_dim, config_.dim, kRequired, weights.kv_down));
    MNEME_RETURN_IF_ERROR(vector(prefix + "attn_kv_a_norm.weight", latent.rank, kRequired, weights.kv_norm));
    const bool is_whole = file_.find_tensor(prefix + "attn_kv_b.weight") != nullptr;
    return is_whole ? load_whole_latent(prefix, weights) : load_split_latent(prefix, weights);
  }

  Status load_split_latent(const std::string& prefix, LatentWeights& weights) {
    const auto& [rank, query_rank, plain_dim, value_dim] = config_.latent;
    const int n_heads = config_.n_heads;
    TensorView keys;
    TensorView values;
    MNEME_RETURN_IF_ERROR(find(prefix + "attn_k_b.weight", int64_t{n_heads} * rank, plain_dim, kRequired, keys));
    MNEME_RETURN_IF_ERROR(find(prefix + "attn_v_b.weight", int64_t{n_heads} * value_dim, rank, kRequired, values));
    MNEME_RETURN_IF_ERROR(part_matrices(keys, {n_heads, rank, 0, rank}, weights.to_latent));
    return part_matrices(values, {n_heads, value_dim, 0, value_dim}, weights.from_latent);
  }

  // Older files have what makes keys and values in one, by head. Its transpose takes queries to latent space, which no
  // quantised type can be without being rounded again: it is kept as F16 then.
  Status load_whole_latent(const std::string& prefix, LatentWeights& weights) {
    const auto& [rank, query_rank, plain_dim, value_dim] = config_.latent;
    const int64_t step = int64_t{plain_dim} + value_dim;
    TensorView both;
    MNEME_RETURN_IF_ERROR(find(prefix + "attn_kv_b.weight", config_.n_heads * step, rank, kRequired, both));
    MNEME_RETURN_IF_ERROR(part_matrices(both, {config_.n_heads, step, plain_dim, value_dim}, weights.from_latent));
    for (int head = 0; head < config_.n_heads; ++head) {
      TensorView turned = rows_of(both, head * step, plain_dim);
      if (backend_ != nullptr) {
        turned = transposed(turned, weights_->remade.emplace_back());
      }
      MNEME_RETURN_IF_ERROR(load_matrix(turned, weights.to_latent.emplace_back()));
    }
    return {};
  }

  Status load_feed_forward(const std::string& prefix, int64_t ffn_dim, FeedForwardWeights& weights) {
    const int64_t dim = config_.dim;
    const Presence may_fuse = architecture_.fused_gate_up;
    const bool fused =
        may_fuse == kRequired || (may_fuse == kOptional && file_.find_tensor(prefix + "ffn_gate.weight") == nullptr);
    if (fused) {
      MNEME_RETURN_IF_ERROR(matrix(prefix + "ffn_up.weight", 2 * ffn_dim, dim, kRequired, weights.gate_up));
    } else {
      std::vector<Wanted> wanted;
      if (config_.gated_ffn) wanted.push_back({prefix + "ffn_gate.weight", ffn_dim, &weights.gate});
      wanted.push_back({prefix + "ffn_up.weight", ffn_dim, &weights.up});
      MNEME_RETURN_IF_ERROR(matrices(wanted, dim));
      MNEME_RETURN_IF_ERROR(vector(prefix + "ffn_up.bias", ffn_dim, architecture_.linear_bias, weights.up_bias));
    }
    MNEME_RETURN_IF_ERROR(matrix(prefix + "ffn_down.weight", dim, ffn_dim, kRequired, weights.down));
    return vector(prefix + "ffn_down.bias", dim, architecture_.linear_bias, weights.down_bias);
  }

  Status load_shared_expert(const std::string& prefix, FeedForwardWeights& weights) {
    const int64_t dim = config_.dim;
    const int64_t width = config_.shared_ffn_dim;
    const Presence router = architecture_.weighed_shared_expert ? kRequired : kAbsent;
    MNEME_RETURN_IF_ERROR(matrix(prefix + "ffn_gate_inp_shexp.weight", 1, dim, router, weights.experts.shared_router));
    std::vector<Wanted> wanted;
    if (config_.gated_ffn) wanted.push_back({prefix + "ffn_gate_shexp.weight", width, &weights.gate});
    wanted.push_back({prefix + "ffn_up_shexp.weight", width, &weights.up});
    MNEME_RETURN_IF_ERROR(matrices(wanted, dim));
    return matrix(prefix + "ffn_down_shexp.weight", dim, width, kRequired, weights.down);
  }

  // Some converters put each expert's gate and up, in this order, into one tensor.
  Status load_gates_and_ups(const std::string& prefix, ExpertWeights& weights) {
    const int64_t dim = config_.dim;
    const int64_t ffn_dim = config_.ffn_dim;
    const std::string fused = prefix + "ffn_gate_up_exps.weight";
    if (config_.gated_experts && file_.find_tensor(fused) != nullptr) {
      TensorView all;
      MNEME_RETURN_IF_ERROR(find(fused, config_.n_experts * 2 * ffn_dim, dim, kRequired, all));
      MNEME_RETURN_IF_ERROR(part_matrices(all, {config_.n_experts, 2 * ffn_dim, 0, ffn_dim}, weights.gate));
      return part_matrices(all, {config_.n_experts, 2 * ffn_dim, ffn_dim, ffn_dim}, weights.up);
    }
    if (config_.gated_experts)
      MNEME_RETURN_IF_ERROR(expert_matrices(prefix + "ffn_gate_exps.weight", ffn_dim, dim, weights.gate));
    return expert_matrices(prefix + "ffn_up_exps.weight", ffn_dim, dim, weights.up);
  }

  Status load_experts(const std::string& prefix, ExpertWeights& weights) {
    const int64_t dim = config_.dim;
    const int64_t ffn_dim = config_.ffn_dim;
    weights.n_experts = config_.n_experts;
    weights.n_used = config_.n_experts_used;
    MNEME_RETURN_IF_ERROR(matrix(prefix + "ffn_gate_inp.weight", config_.n_experts, dim, kRequired, weights.router));
    MNEME_RETURN_IF_ERROR(
        vector(prefix + "exp_probs_b.bias", config_.n_experts, architecture_.choice_bias, weights.choice_bias));
    MNEME_RETURN_IF_ERROR(load_gates_and_ups(prefix, weights));
    MNEME_RETURN_IF_ERROR(expert_matrices(prefix + "ffn_down_exps.weight", dim, ffn_dim, weights.down));
    if (architecture_.experts_beside) return load_beside(prefix, weights);
    return architecture_.expert_bias ? load_expert_biases(prefix, weights) : Status();
  }

  Status load_beside(const std::string& prefix, ExpertWeights& weights) {
    weights.beside = true;
    MNEME_RETURN_IF_ERROR(norm(prefix + "pre_ffw_norm_2", weights.input_norm));
    MNEME_RETURN_IF_ERROR(norm(prefix + "post_ffw_norm_1", weights.dense_output_norm));
    MNEME_RETURN_IF_ERROR(norm(prefix + "post_ffw_norm_2", weights.output_norm));
    MNEME_RETURN_IF_ERROR(vector(prefix + "ffn_down_exps.scale", config_.n_experts, kOptional, weights.scales));
    return load_router_norm(prefix + "ffn_gate_inp.scale", weights.router_norm);
  }

  // The router reads the norm times these over the root of the width.
  Status load_router_norm(const std::string& name, NormWeights& norm) {
    TensorView view;
    MNEME_RETURN_IF_ERROR(find(name, 1, config_.dim, kRequired, view));
    if (backend_ == nullptr) return {};
    MNEME_ASSIGN_OR_RETURN(std::vector<float> scales, read_tensor_values(file_, name, 1, config_.dim));
    for (float& scale : scales) scale /= std::sqrt(static_cast<float>(config_.dim));
    view.type = gguf::TensorType::kF32;
    view.bytes = std::as_bytes(std::span(scales));
    view.file_mapped = false;
    auto loaded = backend_->load_vector(view);
    if (!loaded.ok()) return loaded.status().with_context("cannot use the model " + file_.name() + ": ");
    norm.weight = weights_->vectors.emplace_back(std::move(*loaded)).get();
    return {};
  }

  Status load_output() {
    // Some converters name it as usual where others do not.
    const std::string own_name(file_.find_tensor("output_norm.weight") == nullptr ? architecture_.output_norm
                                                                                  : "output_norm");
    if (!architecture_.encoder_norms) MNEME_RETURN_IF_ERROR(norm(own_name, weights_->output_norm));
    if (config_.is_encoder()) return {};
    MNEME_RETURN_IF_ERROR(matrix("output.weight", config_.vocab_size, config_.dim, kOptional, weights_->output));
    if (weights_->output == nullptr) weights_->output = weights_->token_embedding;
    return {};
  }

  Status refuse_unused() const {
    for (const gguf::TensorInfo& tensor : file_.tensors()) {
      if (used_.count(tensor.name) != 0 || is_known_elsewhere(tensor.name)) continue;
      if (is_of_draft_layers(config_, tensor.name)) continue;
      if (is_read_with_metadata(tensor.name) || is_of_others_kv(tensor.name)) continue;
      if (config_.is_encoder() && is_used_by_encoders(config_, tensor.name)) continue;
      return unsupported("cannot use the model " + file_.name() + ": its tensor '" + tensor.name.substr(0, 80) +
                         "' is not part of architecture " + config_.architecture + " as supported here");
    }
    return {};
  }

  bool is_read_with_metadata(std::string_view name) const {
    return (architecture_.sinks && name.ends_with(".attn_sinks.weight")) ||
           (architecture_.layer_scales && name.ends_with(".layer_output_scale.weight"));
  }

  // Converters keep the keys' and values' weights of layers that read those of others.
  bool is_of_others_kv(std::string_view name) const {
    for (int layer = config_.n_kv_layers(); layer < config_.n_layers; ++layer) {
      const std::string prefix = "blk." + std::to_string(layer) + ".";
      for (const char* part : {"attn_k.weight", "attn_v.weight", "attn_k_norm.weight"}) {
        if (name == prefix + part) return true;
      }
    }
    return false;
  }

  const gguf::GgufFile& file_;
  const Architecture& architecture_;
  const ModelConfig& config_;
  Backend* const backend_;
  std::set<std::string_view> used_;  // views of the file's names
  std::unique_ptr<ModelWeights> weights_ = std::make_unique<ModelWeights>();
};

}  // namespace

Result<std::unique_ptr<ModelWeights>> load_model_weights(const gguf::GgufFile& file, const Architecture& architecture,
                                                         const ModelConfig& config, Backend& backend) {
  return WeightLoader(file, architecture, config, &backend).load();
}

Status check_model_weights(const gguf::GgufFile& file, const Architecture& architecture, const ModelConfig& config) {
  return WeightLoader(file, architecture, config, nullptr).load().status();
}

}  // namespace mneme::engine
