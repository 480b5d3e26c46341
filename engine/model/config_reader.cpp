#include "engine/model/config_reader.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "engine/model/rope_scaling.h"
#include "engine/model/tensor_values.h"

namespace mneme::engine {

namespace {

// Far above any model there is, low enough that no product of two overflows 64 bits.
constexpr int kMaxLayers = 1024;
constexpr int kMaxDim = 1 << 18;
constexpr int kMaxHeads = 4096;
constexpr int kMaxHeadDim = 1024;
constexpr int kMaxFfnDim = 1 << 22;
constexpr int kMaxVocab = 1 << 24;
constexpr int kMaxExperts = 1024;
constexpr int kMaxContext = 1 << 28;

class ConfigReader {
 public:
  ConfigReader(const gguf::GgufFile& file, const Architecture& architecture, int context_tokens)
      : file_(file), architecture_(architecture), context_tokens_(context_tokens) {}

  Result<ModelConfig> read() {
    config_.architecture = architecture_.name;
    config_.name = std::string(file_.text("general.name").value_or(""));
    MNEME_RETURN_IF_ERROR(read_dimensions());
    MNEME_RETURN_IF_ERROR(read_vocabulary());
    MNEME_RETURN_IF_ERROR(read_numerics());
    MNEME_RETURN_IF_ERROR(read_experts());
    MNEME_RETURN_IF_ERROR(read_layers());
    MNEME_RETURN_IF_ERROR(read_pooling());
    return std::move(config_);
  }

 private:
  std::string key(std::string_view suffix) const { return std::string(architecture_.name) + "." + std::string(suffix); }

  Status damaged(const std::string& why) const {
    return corruption("cannot use the model " + file_.name() + ": " + why + "; convert the model again");
  }
  Status refused(const std::string& why) const {
    return unsupported("cannot use the model " + file_.name() + ": " + why);
  }

  // An integer in [minimum, maximum]. `otherwise` < minimum means that the key is required.
  Status read_int(std::string_view suffix, int minimum, int maximum, int otherwise, int& out) const {
    const std::string name = key(suffix);
    if (file_.find(name) == nullptr) {
      if (otherwise < minimum) return damaged("its metadata has no " + name);
      out = otherwise;
      return {};
    }
    const auto value = file_.integer(name);
    if (!value) return refused("its " + name + " is not one number; models whose layers differ so are not supported");
    if (*value < minimum || *value > maximum)
      return damaged("its " + name + " is " + std::to_string(*value) + ", possible are " + std::to_string(minimum) +
                     " to " + std::to_string(maximum));
    out = static_cast<int>(*value);
    return {};
  }

  // A finite number in [minimum, maximum]; `otherwise` when absent.
  Status read_number(std::string_view suffix, double minimum, double maximum, double otherwise, double& out) const {
    out = otherwise;
    if (file_.find(key(suffix)) == nullptr) return {};
    const auto value = file_.number(key(suffix));
    if (!value || !(*value >= minimum && *value <= maximum))
      return damaged("its " + key(suffix) + " is not a number between " + std::to_string(minimum) + " and " +
                     std::to_string(maximum));
    out = *value;
    return {};
  }
  Status read_number(std::string_view suffix, double minimum, double maximum, double otherwise, float& out) const {
    double value = 0;
    MNEME_RETURN_IF_ERROR(read_number(suffix, minimum, maximum, otherwise, value));
    out = static_cast<float>(value);
    return {};
  }

  Status read_dimensions() {
    ModelConfig& c = config_;
    MNEME_RETURN_IF_ERROR(read_int("block_count", 1, kMaxLayers, 0, c.n_layers));
    MNEME_RETURN_IF_ERROR(read_int("embedding_length", 1, kMaxDim, 0, c.dim));
    MNEME_RETURN_IF_ERROR(read_int("context_length", 1, kMaxContext, 0, c.context_length));
    MNEME_RETURN_IF_ERROR(read_int("attention.head_count", 1, kMaxHeads, 0, c.n_heads));
    MNEME_RETURN_IF_ERROR(read_int("attention.head_count_kv", 1, kMaxHeads, c.n_heads, c.n_kv_heads));
    if (c.n_heads % c.n_kv_heads != 0)
      return damaged(std::to_string(c.n_heads) + " heads cannot share " + std::to_string(c.n_kv_heads) + " KV heads");
    const int natural = c.dim / c.n_heads;
    MNEME_RETURN_IF_ERROR(read_int("attention.key_length", 1, kMaxHeadDim, natural, c.head_dim));
    int value_dim = 0;
    MNEME_RETURN_IF_ERROR(read_int("attention.value_length", 1, kMaxHeadDim, natural, value_dim));
    if (c.head_dim < 1 || c.head_dim > kMaxHeadDim || c.head_dim % 2 != 0)
      return damaged("a head dimension of " + std::to_string(c.head_dim) + " is impossible");
    if (value_dim != c.head_dim) return refused("its keys and values differ in length, which is not supported");
    return {};
  }

  Status read_vocabulary() {
    const gguf::TensorInfo* table = file_.find_tensor("token_embd.weight");
    if (table == nullptr) return damaged("tensor 'token_embd.weight' is missing");
    const uint64_t rows = table->n_rows();
    if (rows < 1 || rows > kMaxVocab) return damaged("its vocabulary has an impossible size");
    config_.vocab_size = static_cast<int>(rows);
    return {};
  }

  Status read_numerics() {
    ModelConfig& c = config_;
    c.norm = architecture_.norm;
    c.activation = architecture_.activation;
    c.gated_ffn = architecture_.gated_ffn;
    c.causal = architecture_.causal && file_.boolean(key("attention.causal")).value_or(true);
    const char* epsilon =
        c.norm == NormKind::kRms ? "attention.layer_norm_rms_epsilon" : "attention.layer_norm_epsilon";
    MNEME_RETURN_IF_ERROR(read_number(epsilon, 0.0, 1.0, 1e-5, c.norm_epsilon));
    const bool by_width = architecture_.odd_scale_layers != 0 && architecture_.odd_scale_layers == c.n_layers;
    const double scaled_dim = by_width ? static_cast<double>(c.dim) / c.n_heads : c.head_dim;
    MNEME_RETURN_IF_ERROR(read_number("attention.scale", 1e-6, 1e6, 1.0 / std::sqrt(scaled_dim), c.attention_scale));
    MNEME_RETURN_IF_ERROR(
        read_number("attn_logit_softcapping", 0.0, 1e6, architecture_.default_attention_softcap, c.attention_softcap));
    MNEME_RETURN_IF_ERROR(
        read_number("final_logit_softcapping", 0.0, 1e6, architecture_.default_logit_softcap, c.logit_softcap));
    c.whole_qk_norm = architecture_.whole_qk_norm;
    MNEME_RETURN_IF_ERROR(read_query_growth());
    if (architecture_.scale_embedding) c.embedding_scale = static_cast<float>(std::sqrt(static_cast<double>(c.dim)));
    return architecture_.own_scales ? read_own_scales() : Status();
  }

  Status read_query_growth() {
    if (!architecture_.query_growth) return {};
    QueryGrowth& growth = config_.query_growth;
    MNEME_RETURN_IF_ERROR(read_number("attention.temperature_scale", 0.0, 100.0, 0.0, growth.rate));
    return read_int("rope.scaling.original_context_length", 1, kMaxContext, config_.context_length, growth.every);
  }

  Status read_sinks(int layer, std::vector<float>& sinks) const {
    const std::string name = "blk." + std::to_string(layer) + ".attn_sinks.weight";
    MNEME_ASSIGN_OR_RETURN(sinks, read_tensor_values(file_, name, 1, config_.n_heads));
    if (sinks.empty()) return damaged("tensor '" + name + "' is missing");
    for (const float sink : sinks) {
      if (!std::isfinite(sink)) return damaged("tensor '" + name + "' holds what is no number");
    }
    return {};
  }

  // What blocks add to the hidden state is scaled by r. Every block begins with a norm, which undoes any scale of all
  // of its input but for epsilon, so the pass keeps 1 / r of the hidden state and adds what blocks give as it is.
  Status read_own_scales() {
    ModelConfig& c = config_;
    double embedding = 1.0;
    double residual = 1.0;
    double logit = 1.0;
    MNEME_RETURN_IF_ERROR(read_number("embedding_scale", 1e-6, 1e6, 1.0, embedding));
    MNEME_RETURN_IF_ERROR(read_number("residual_scale", 1e-6, 1e6, 1.0, residual));
    MNEME_RETURN_IF_ERROR(read_number("logit_scale", 1e-6, 1e6, 1.0, logit));
    c.embedding_scale = static_cast<float>(embedding / residual);
    c.norm_epsilon = static_cast<float>(c.norm_epsilon / (residual * residual));
    c.logit_scale = static_cast<float>(1.0 / logit);
    return {};
  }

  Status read_experts() {
    ModelConfig& c = config_;
    MNEME_RETURN_IF_ERROR(read_int("expert_count", 0, kMaxExperts, 0, c.n_experts));
    if (c.n_experts > 0 && architecture_.experts == Presence::kAbsent)
      return refused("a mixture of experts is not supported for architecture " + config_.architecture);
    if (c.n_experts == 0 && architecture_.experts == Presence::kRequired)
      return damaged("its metadata has no " + key("expert_count"));
    if (c.n_experts == 0) return read_int("feed_forward_length", 1, kMaxFfnDim, 0, c.ffn_dim);
    MNEME_RETURN_IF_ERROR(read_int("expert_used_count", 1, c.n_experts, 0, c.n_experts_used));
    int shared_dim = 0;
    MNEME_RETURN_IF_ERROR(read_int("feed_forward_length", 0, kMaxFfnDim, 0, shared_dim));
    return read_int("expert_feed_forward_length", 1, kMaxFfnDim, shared_dim, c.ffn_dim);
  }

  Status read_scaling(RopeScaling& scaling) const {
    const std::string_view type = file_.text(key("rope.scaling.type")).value_or("none");
    if (type == "linear") {
      scaling.kind = RopeScalingKind::kLinear;
    } else if (type == "yarn") {
      scaling.kind = RopeScalingKind::kYarn;
    } else if (type == "longrope" || file_.find_tensor("rope_factors_long.weight") != nullptr) {
      scaling.kind = RopeScalingKind::kLongRope;
    } else if (type != "none" && type != "llama3") {
      return refused("its rope scaling is not supported (supported: none, linear, yarn, longrope, llama3)");
    }
    MNEME_RETURN_IF_ERROR(read_number("rope.scaling.factor", 1e-3, 1e6, 1.0, scaling.factor));
    if (scaling.kind == RopeScalingKind::kNone && file_.find(key("rope.scaling.type")) == nullptr) {
      // The key that older files use instead of a type and a factor.
      MNEME_RETURN_IF_ERROR(read_number("rope.scale_linear", 1e-3, 1e6, 1.0, scaling.factor));
      if (scaling.factor != 1.0) scaling.kind = RopeScalingKind::kLinear;
    }
    MNEME_RETURN_IF_ERROR(read_number("rope.scaling.original_context_length", 1.0, kMaxContext, config_.context_length,
                                      scaling.original_context));
    MNEME_RETURN_IF_ERROR(read_number("rope.scaling.yarn_beta_fast", 1e-3, 1e6, 32.0, scaling.beta_fast));
    MNEME_RETURN_IF_ERROR(read_number("rope.scaling.yarn_beta_slow", 1e-3, 1e6, 1.0, scaling.beta_slow));
    MNEME_RETURN_IF_ERROR(read_number("rope.scaling.yarn_log_multiplier", 0.0, 100.0, 0.0, scaling.log_multiplier));
    double natural = 1.0;
    const double stretch = config_.context_length / scaling.original_context;
    if (scaling.kind == RopeScalingKind::kLongRope && stretch > 1.0 && scaling.original_context > 1.0)
      natural = std::sqrt(1.0 + std::log(stretch) / std::log(scaling.original_context));
    return read_number("rope.scaling.attn_factor", 1e-3, 1e3, natural, scaling.attention_factor);
  }

  // Frequency divisors from a tensor of n_rot / 2 f32; none when the file has no such tensor.
  Status read_divisors(std::string_view name, int n_rot, std::vector<float>& divisors) const {
    const gguf::TensorInfo* tensor = file_.find_tensor(name);
    if (tensor == nullptr) return {};
    const auto count = static_cast<size_t>(n_rot) / 2;
    if (tensor->type != gguf::TensorType::kF32 || tensor->bytes.size() != count * sizeof(float))
      return damaged("tensor '" + std::string(name) + "' is not " + std::to_string(count) + " numbers of type F32");
    divisors.resize(count);
    std::memcpy(divisors.data(), tensor->bytes.data(), tensor->bytes.size());
    for (const float divisor : divisors) {
      if (!(divisor > 0.0f && divisor <= std::numeric_limits<float>::max()))
        return damaged("tensor '" + std::string(name) + "' holds a factor that is not positive");
    }
    return {};
  }

  Status read_ropes() {
    ModelConfig& c = config_;
    int n_rot = 0;
    MNEME_RETURN_IF_ERROR(read_int("rope.dimension_count", 2, c.head_dim, c.head_dim, n_rot));
    if (n_rot % 2 != 0) return damaged("its " + key("rope.dimension_count") + " is odd");
    double base = 0;
    MNEME_RETURN_IF_ERROR(read_number("rope.freq_base", 1.0001, 1e12, 10000.0, base));
    RopeScaling scaling;
    MNEME_RETURN_IF_ERROR(read_scaling(scaling));
    const int context = context_tokens_ > 0 ? context_tokens_ : c.context_length;
    const bool stretched = context > scaling.original_context;
    std::vector<float> divisors;
    MNEME_RETURN_IF_ERROR(read_divisors("rope_freqs.weight", n_rot, divisors));
    if (scaling.kind == RopeScalingKind::kLongRope) {
      divisors.clear();
      const char* name = stretched ? "rope_factors_long.weight" : "rope_factors_short.weight";
      MNEME_RETURN_IF_ERROR(read_divisors(name, n_rot, divisors));
      if (divisors.empty()) return damaged(std::string("tensor '") + name + "' is missing");
    }
    c.ropes.push_back(make_rope(architecture_.rope_layout, n_rot, base, scaling, divisors));
    if (architecture_.unscaled_window_rope && has_windows()) {
      c.ropes.push_back(make_rope(architecture_.rope_layout, n_rot, base, RopeScaling{}, {}));
    } else if (architecture_.default_window_rope_base > 0) {
      double window_base = 0;
      MNEME_RETURN_IF_ERROR(
          read_number("rope.freq_base_swa", 1.0001, 1e12, architecture_.default_window_rope_base, window_base));
      c.ropes.push_back(make_rope(architecture_.rope_layout, n_rot, window_base, RopeScaling{}, {}));
    }
    return {};
  }

  bool has_windows() const {
    return architecture_.window_pattern > 0 && file_.integer(key("attention.sliding_window")).value_or(0) > 0;
  }

  bool is_unrotated(int layer, bool windowed) const {
    if (architecture_.unrotated_full_layers && has_windows() && !windowed) return true;
    return architecture_.unrotated_step > 0 && layer % architecture_.unrotated_step == architecture_.unrotated_step - 1;
  }

  // Which layers see a window only: as the family's pattern says, or the file's, or its list of all layers.
  Result<std::vector<bool>> read_windowed_layers() const {
    std::vector<bool> windowed(static_cast<size_t>(config_.n_layers));
    int pattern = architecture_.window_pattern;
    if (pattern == 0) return windowed;
    constexpr std::string_view kPattern = "attention.sliding_window_pattern";
    if (std::optional<std::vector<bool>> list = file_.flags(key(kPattern))) {
      if (list->size() == windowed.size()) return *std::move(list);
      return damaged("its " + key(kPattern) + " lists " + std::to_string(list->size()) + " layers of " +
                     std::to_string(windowed.size()));
    }
    MNEME_RETURN_IF_ERROR(read_int(kPattern, 1, kMaxLayers, pattern, pattern));
    for (int layer = 0; layer < config_.n_layers; ++layer)
      windowed[static_cast<size_t>(layer)] = pattern == 1 || layer % pattern < pattern - 1;
    return windowed;
  }

  Status read_layers() {
    ModelConfig& c = config_;
    if (architecture_.uses_rope) MNEME_RETURN_IF_ERROR(read_ropes());
    int window = 0;
    if (architecture_.window_pattern > 0)
      MNEME_RETURN_IF_ERROR(read_int("attention.sliding_window", 0, kMaxContext, 0, window));
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
    return {};
  }

  // Qwen3-Reranker is often converted as the language model that it was made of; its name alone tells then.
  bool is_reranker_by_name() const {
    return architecture_.yes_no_ranker && config_.name.find("eranker") != std::string::npos;
  }

  // Language models that were trained on to embed or to rank say so by their pooling.
  Status read_pooling() {
    int kind = 0;
    const int usual = is_reranker_by_name() ? 4 : config_.causal ? 0 : 1;
    MNEME_RETURN_IF_ERROR(read_int("pooling_type", 0, 4, usual, kind));
    static constexpr Pooling kKinds[] = {Pooling::kNone, Pooling::kMean, Pooling::kFirst, Pooling::kLast,
                                         Pooling::kRank};
    config_.pooling = kKinds[kind];
    return {};
  }

  const gguf::GgufFile& file_;
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
