#include "engine/model/config_reader.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "engine/model/expert_reader.h"
#include "engine/model/latent_reader.h"
#include "engine/model/layer_reader.h"
#include "engine/model/model_metadata.h"
#include "engine/model/rope_reader.h"
#include "engine/model/state_reader.h"
#include "engine/model/tensor_values.h"

namespace mneme::engine {

namespace {

// Far above any model there is, low enough that no product of two overflows 64 bits.
constexpr int kMaxLayers = 1024;
constexpr int kMaxDim = 1 << 18;
constexpr int kMaxHeads = 4096;
constexpr int kMaxHeadDim = 1024;
constexpr int kMaxVocab = 1 << 24;

class ConfigReader {
 public:
  ConfigReader(const gguf::GgufFile& file, const Architecture& architecture, int context_tokens)
      : metadata_(file, architecture.name), architecture_(architecture), context_tokens_(context_tokens) {}

  Result<ModelConfig> read() {
    config_.architecture = architecture_.name;
    config_.name = std::string(metadata_.file().text("general.name").value_or(""));
    MNEME_RETURN_IF_ERROR(read_dimensions());
    MNEME_RETURN_IF_ERROR(read_vocabulary());
    MNEME_RETURN_IF_ERROR(read_numerics());
    MNEME_RETURN_IF_ERROR(read_experts(metadata_, architecture_, config_));
    MNEME_RETURN_IF_ERROR(read_layers());
    MNEME_RETURN_IF_ERROR(read_pooling());
    MNEME_RETURN_IF_ERROR(read_state_layers(metadata_, architecture_, config_));
    return std::move(config_);
  }

 private:
  Status read_dimensions() {
    ModelConfig& c = config_;
    MNEME_RETURN_IF_ERROR(metadata_.read_int("block_count", 1, kMaxLayers, 0, c.n_layers));
    if (architecture_.draft_layers)
      MNEME_RETURN_IF_ERROR(metadata_.read_int("nextn_predict_layers", 0, c.n_layers - 1, 0, c.n_draft_layers));
    c.n_layers -= c.n_draft_layers;
    MNEME_RETURN_IF_ERROR(metadata_.read_int("embedding_length", 1, kMaxDim, 0, c.dim));
    MNEME_RETURN_IF_ERROR(metadata_.read_int("context_length", 1, kMaxContext, 0, c.context_length));
    MNEME_RETURN_IF_ERROR(metadata_.read_int("attention.head_count", 1, kMaxHeads, 0, c.n_heads));
    return architecture_.latent ? read_latent_attention(metadata_, kMaxHeadDim, c) : read_head_dimensions();
  }

  Status read_head_dimensions() {
    ModelConfig& c = config_;
    MNEME_RETURN_IF_ERROR(read_kv_heads());
    if (c.n_heads % c.n_kv_heads != 0)
      return metadata_.damaged(std::to_string(c.n_heads) + " heads cannot share " + std::to_string(c.n_kv_heads) +
                               " KV heads");
    const int natural = c.dim / c.n_heads;
    MNEME_RETURN_IF_ERROR(metadata_.read_int("attention.key_length", 1, kMaxHeadDim, natural, c.head_dim));
    int value_dim = 0;
    MNEME_RETURN_IF_ERROR(metadata_.read_int("attention.value_length", 1, kMaxHeadDim, natural, value_dim));
    if (c.head_dim < 1 || c.head_dim > kMaxHeadDim || c.head_dim % 2 != 0)
      return metadata_.damaged("a head dimension of " + std::to_string(c.head_dim) + " is impossible");
    if (value_dim != c.head_dim)
      return metadata_.refused("its keys and values differ in length, which is not supported");
    return {};
  }

  // The most of any layer.
  Status read_kv_heads() {
    ModelConfig& c = config_;
    constexpr std::string_view kKey = "attention.head_count_kv";
    const bool may_lack = architecture_.states_without_kv;
    if (!architecture_.layer_shapes && !may_lack)
      return metadata_.read_int(kKey, 1, kMaxHeads, c.n_heads, c.n_kv_heads);
    std::vector<int> counts;
    MNEME_RETURN_IF_ERROR(metadata_.read_layer_ints(kKey, may_lack ? 0 : 1, kMaxHeads, c.n_heads,
                                                    static_cast<size_t>(c.n_layers + c.n_draft_layers), counts));
    c.n_kv_heads = std::max(1, *std::max_element(counts.begin(), counts.end()));
    if (may_lack && std::any_of(counts.begin(), counts.end(), [&](int n) { return n != 0 && n != c.n_kv_heads; }))
      return metadata_.refused("the layers that attend differ in their KV heads, which is not supported");
    return {};
  }

  Status read_vocabulary() {
    const gguf::TensorInfo* table = metadata_.file().find_tensor("token_embd.weight");
    if (table == nullptr) return metadata_.damaged("tensor 'token_embd.weight' is missing");
    const uint64_t rows = table->n_rows();
    if (rows < 1 || rows > kMaxVocab) return metadata_.damaged("its vocabulary has an impossible size");
    config_.vocab_size = static_cast<int>(rows);
    return {};
  }

  Status read_numerics() {
    ModelConfig& c = config_;
    c.norm = architecture_.norm;
    c.activation = architecture_.activation;
    c.gated_ffn = architecture_.gated_ffn;
    c.distance_bias = architecture_.distance_bias;
    c.parallel_blocks = architecture_.parallel_blocks;
    c.causal = architecture_.causal && metadata_.file().boolean(metadata_.key("attention.causal")).value_or(true);
    const char* epsilon =
        c.norm == NormKind::kRms ? "attention.layer_norm_rms_epsilon" : "attention.layer_norm_epsilon";
    MNEME_RETURN_IF_ERROR(metadata_.read_number(epsilon, 0.0, 1.0, 1e-5, c.norm_epsilon));
    const bool by_width = architecture_.odd_scale_layers != 0 && architecture_.odd_scale_layers == c.n_layers;
    const double scaled_dim = by_width ? static_cast<double>(c.dim) / c.n_heads : c.made_query_dim();
    const double usual_scale = architecture_.unscaled_scores ? 1.0 : 1.0 / std::sqrt(scaled_dim);
    MNEME_RETURN_IF_ERROR(metadata_.read_number("attention.scale", 1e-6, 1e6, usual_scale, c.attention_scale));
    MNEME_RETURN_IF_ERROR(metadata_.read_number("attn_logit_softcapping", 0.0, 1e6,
                                                architecture_.default_attention_softcap, c.attention_softcap));
    MNEME_RETURN_IF_ERROR(metadata_.read_number("final_logit_softcapping", 0.0, 1e6,
                                                architecture_.default_logit_softcap, c.logit_softcap));
    c.whole_qk_norm = architecture_.whole_qk_norm;
    c.value_norm = architecture_.value_norm;
    MNEME_RETURN_IF_ERROR(read_query_growth());
    MNEME_RETURN_IF_ERROR(read_unwritten_tokens());
    if (architecture_.scale_embedding) c.embedding_scale = static_cast<float>(std::sqrt(static_cast<double>(c.dim)));
    if (architecture_.logit_factor)
      MNEME_RETURN_IF_ERROR(metadata_.read_number("logit_scale", 1e-6, 1e6, 1.0, c.logit_scale));
    return architecture_.own_scales ? read_own_scales() : Status();
  }

  Status read_unwritten_tokens() {
    constexpr std::string_view kKey = "tokenizer.ggml.suppress_tokens";
    if (!architecture_.unwritten_tokens || metadata_.file().find(kKey) == nullptr) return {};
    const std::optional<std::vector<int64_t>> ids = metadata_.file().integers(kKey);
    if (!ids) return metadata_.damaged("its " + std::string(kKey) + " is no list of tokens");
    for (const int64_t id : *ids) {
      if (id >= 0 && id < config_.vocab_size) config_.unwritten_tokens.push_back(static_cast<int>(id));
    }
    std::vector<int>& tokens = config_.unwritten_tokens;
    std::sort(tokens.begin(), tokens.end());
    tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
    return {};
  }

  Status read_query_growth() {
    if (!architecture_.query_growth) return {};
    QueryGrowth& growth = config_.query_growth;
    MNEME_RETURN_IF_ERROR(metadata_.read_number("attention.temperature_scale", 0.0, 100.0, 0.0, growth.rate));
    MNEME_RETURN_IF_ERROR(metadata_.read_int("rope.scaling.original_context_length", 1, kMaxContext,
                                             config_.context_length, growth.every));
    return metadata_.read_int("attention.temperature_length", 1, kMaxContext, growth.every, growth.every);
  }

  Status read_sinks(int layer, std::vector<float>& sinks) const {
    const std::string name = "blk." + std::to_string(layer) + ".attn_sinks.weight";
    MNEME_ASSIGN_OR_RETURN(sinks, read_tensor_values(metadata_.file(), name, 1, config_.n_heads));
    if (sinks.empty()) return metadata_.damaged("tensor '" + name + "' is missing");
    for (const float sink : sinks) {
      if (!std::isfinite(sink)) return metadata_.damaged("tensor '" + name + "' holds what is no number");
    }
    return {};
  }

  // What blocks add to the hidden state is scaled by r. Every block begins with a norm, which undoes any scale of all
  // of its input but for epsilon, so the pass keeps 1 / r of the hidden state and adds what blocks give as it is.
  Status read_own_scales() {
    ModelConfig& c = config_;
    for (const char* scale : {"embedding_scale", "residual_scale", "logit_scale"}) {
      if (architecture_.needs_scales && metadata_.file().find(metadata_.key(scale)) == nullptr)
        return metadata_.damaged("its metadata has no " + metadata_.key(scale));
    }
    double embedding = 1.0;
    double residual = 1.0;
    double logit = 1.0;
    MNEME_RETURN_IF_ERROR(metadata_.read_number("embedding_scale", 1e-6, 1e6, 1.0, embedding));
    MNEME_RETURN_IF_ERROR(metadata_.read_number("residual_scale", 1e-6, 1e6, 1.0, residual));
    MNEME_RETURN_IF_ERROR(metadata_.read_number("logit_scale", 1e-6, 1e6, 1.0, logit));
    c.embedding_scale = static_cast<float>(embedding / residual);
    c.norm_epsilon = static_cast<float>(c.norm_epsilon / (residual * residual));
    c.logit_scale = static_cast<float>(1.0 / logit);
    return {};
  }

  bool has_windows() const {
    return architecture_.window_pattern > 0 &&
           metadata_.file().integer(metadata_.key("attention.sliding_window")).value_or(0) > 0;
  }

  bool is_unrotated(int layer, bool windowed) const {
    if (architecture_.rope_switch && !metadata_.file().boolean(metadata_.key("rope.scaling.finetuned")).value_or(true))
      return true;
    if (architecture_.unrotated_full_layers && has_windows() && !windowed) return true;
    return architecture_.unrotated_step > 0 && layer % architecture_.unrotated_step == architecture_.unrotated_step - 1;
  }

  // Which layers see a window only: as the family's pattern says, or the file's, or its list of all layers.
  Result<std::vector<bool>> read_windowed_layers() const {
    std::vector<bool> windowed(static_cast<size_t>(config_.n_layers));
    int pattern = architecture_.window_pattern;
    if (pattern == 0) return windowed;
    constexpr std::string_view kPattern = "attention.sliding_window_pattern";
    if (std::optional<std::vector<bool>> list = metadata_.file().flags(metadata_.key(kPattern))) {
      if (list->size() == windowed.size()) return *std::move(list);
      return metadata_.damaged("its " + metadata_.key(kPattern) + " lists " + std::to_string(list->size()) +
                               " layers of " + std::to_string(windowed.size()));
    }
    MNEME_RETURN_IF_ERROR(metadata_.read_int(kPattern, 1, kMaxLayers, pattern, pattern));
    const int full = architecture_.first_sees_all ? 0 : pattern - 1;
    for (int layer = 0; layer < config_.n_layers; ++layer)
      windowed[static_cast<size_t>(layer)] = pattern == 1 || layer % pattern != full;
    return windowed;
  }

  Status read_layers() {
    ModelConfig& c = config_;
    if (architecture_.uses_rope)
      MNEME_RETURN_IF_ERROR(read_ropes(metadata_, architecture_, has_windows(), context_tokens_, config_));
    int window = 0;
    if (architecture_.window_pattern > 0)
      MNEME_RETURN_IF_ERROR(metadata_.read_int("attention.sliding_window", 0, kMaxContext, 0, window));
    MNEME_ASSIGN_OR_RETURN(const std::vector<bool> windowed, read_windowed_layers());
    for (int layer = 0; layer < c.n_layers; ++layer) {
      const bool has_window = windowed[static_cast<size_t>(layer)];
      LayerConfig layer_config{.uses_rope = architecture_.uses_rope && !is_unrotated(layer, has_window)};
      if (has_window) {
        layer_config.sliding_window = window;
        layer_config.rope_index = c.ropes.size() > 1 ? 1 : 0;
      }
      if (architecture_.sinks) MNEME_RETURN_IF_ERROR(read_sinks(layer, layer_config.sinks));
      c.layers.push_back(std::move(layer_config));
    }
    MNEME_RETURN_IF_ERROR(read_layer_differences(metadata_, architecture_, config_));
    return mark_experts(metadata_, architecture_, config_);
  }

  // Qwen3-Reranker is often converted as the language model that it was made of; its name alone tells then.
  bool is_reranker_by_name() const {
    return architecture_.yes_no_ranker && config_.name.find("eranker") != std::string::npos;
  }

  // Language models that were trained on to embed or to rank say so by their pooling.
  Status read_pooling() {
    int kind = 0;
    const int usual = is_reranker_by_name() ? 4 : config_.causal ? 0 : 1;
    MNEME_RETURN_IF_ERROR(metadata_.read_int("pooling_type", 0, 4, usual, kind));
    static constexpr Pooling kKinds[] = {Pooling::kNone, Pooling::kMean, Pooling::kFirst, Pooling::kLast,
                                         Pooling::kRank};
    config_.pooling = kKinds[kind];
    config_.ranks_by_mean = config_.pooling == Pooling::kRank && architecture_.ranks_by_mean;
    if (config_.pooling == Pooling::kRank && !architecture_.may_rank)
      return metadata_.refused("ranking with models of architecture " + config_.architecture + " is not supported");
    return {};
  }

  const ModelMetadata metadata_;
  const Architecture& architecture_;
  const int context_tokens_;
  ModelConfig config_;
};

// What is GGUF, but no model by itself: adapters, projectors of images, importance matrices; parts that were not opened
// by their files, which brings the others along.
Status check_is_model(const gguf::GgufFile& file) {
  const int64_t n_parts = file.integer("split.count").value_or(1);
  if (n_parts > 1 && static_cast<int64_t>(file.paths().size()) != n_parts)
    return unsupported("cannot use the model " + file.name() + ": it is part " +
                       std::to_string(file.integer("split.no").value_or(0) + 1) + " of " + std::to_string(n_parts) +
                       "; open it by its file, with the others beside it");
  const std::string_view kind = file.text("general.type").value_or("model");
  if (kind != "model")
    return unsupported("cannot use " + file.name() + " as a model: its general.type is '" +
                       std::string(kind.substr(0, 64)) + "'; name the file of a whole model");
  return {};
}

}  // namespace

Result<const Architecture*> read_architecture(const gguf::GgufFile& file) {
  MNEME_RETURN_IF_ERROR(check_is_model(file));
  const auto name = file.text("general.architecture");
  if (!name)
    return corruption("cannot use the model " + file.name() +
                      ": its metadata has no general.architecture; convert the model again");
  const Architecture* architecture = find_architecture(*name);
  if (architecture == nullptr)
    return unsupported("cannot use the model " + file.name() + ": its architecture '" +
                       std::string(name->substr(0, 64)) +
                       "' is not supported (supported: " + supported_architectures() + ")");
  return architecture;
}

Result<ModelConfig> read_model_config(const gguf::GgufFile& file, int context_tokens) {
  MNEME_ASSIGN_OR_RETURN(const Architecture* architecture, read_architecture(file));
  return ConfigReader(file, *architecture, context_tokens).read();
}

}  // namespace mneme::engine
