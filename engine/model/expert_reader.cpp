#include "engine/model/expert_reader.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace mneme::engine {

namespace {

constexpr int kMaxExperts = 1024;
constexpr int kMaxShared = 64;
constexpr int kMaxLayerStep = 1024;

// What expert_gating_func may be of what converters write: softmax, sigmoid; a softmax over the chosen alone is
// refused.
constexpr int kSoftmaxGate = 1;
constexpr int kSigmoidGate = 2;

// Experts in groups of equal size, of which a token uses some: enough of them to find its experts there.
Status read_groups(const ModelMetadata& metadata, const ModelConfig& config, ExpertRouting& routing) {
  MNEME_RETURN_IF_ERROR(metadata.read_int("expert_group_count", 0, kMaxExperts, 1, routing.n_groups));
  if (routing.n_groups <= 1) {
    routing.n_groups = 1;
    return {};
  }
  MNEME_RETURN_IF_ERROR(metadata.read_int("expert_group_used_count", 1, routing.n_groups, 0, routing.n_groups_used));
  const int per_group = config.n_experts / routing.n_groups;
  if (config.n_experts % routing.n_groups != 0 || per_group < 2)
    return metadata.damaged(std::to_string(config.n_experts) + " experts cannot be " +
                            std::to_string(routing.n_groups) + " groups of two or more");
  if (config.n_experts_used > routing.n_groups_used * per_group)
    return metadata.damaged("a token cannot use " + std::to_string(config.n_experts_used) + " experts of " +
                            std::to_string(routing.n_groups_used) + " groups of " + std::to_string(per_group));
  return {};
}

Status read_routing(const ModelMetadata& metadata, const Architecture& architecture, ModelConfig& config) {
  ExpertRouting& routing = config.routing;
  routing.normalise = architecture.normalised_experts;
  routing.choice_bias = architecture.choice_bias != Presence::kAbsent;
  if (!architecture.routing_keys) return {};
  int gate = 0;
  const std::string bias = "blk." + std::to_string(config.n_layers - 1) + ".exp_probs_b.bias";
  const bool biased = architecture.biased_sigmoid_gates && metadata.file().find_tensor(bias) != nullptr;
  const int usual = architecture.sigmoid_gates || biased ? kSigmoidGate : kSoftmaxGate;
  MNEME_RETURN_IF_ERROR(metadata.read_int("expert_gating_func", 0, 1 << 16, usual, gate));
  if (gate == 0) gate = usual;  // as good as unsaid
  if (gate != kSoftmaxGate && gate != kSigmoidGate)
    return metadata.refused("its " + metadata.key("expert_gating_func") + " is " + std::to_string(gate) +
                            ", supported are 1 (softmax) and 2 (sigmoid)");
  routing.sigmoid = gate == kSigmoidGate;
  const std::string norm_key = metadata.key("expert_weights_norm");
  const auto normalise = metadata.file().boolean(norm_key);
  if (!normalise && metadata.file().find(norm_key) != nullptr)
    return metadata.damaged("its " + norm_key + " is neither true nor false");
  routing.normalise = normalise.value_or(routing.normalise);
  MNEME_RETURN_IF_ERROR(metadata.read_number("expert_weights_scale", 1e-6, 1e6, 1.0, routing.scale));
  return read_groups(metadata, config, routing);
}

// The experts that every token uses are side by side in one matrix, so they are one as wide as all of them.
Status read_shared_width(const ModelMetadata& metadata, const Architecture& architecture, ModelConfig& config) {
  int width = 0;
  if (architecture.shared_expert)
    return metadata.read_int("expert_shared_feed_forward_length", 0, kMaxFfnDim, 0, config.shared_ffn_dim);
  if (!architecture.counted_shared_experts) return {};
  int count = 0;
  MNEME_RETURN_IF_ERROR(metadata.read_int("expert_shared_count", 0, kMaxShared, 0, count));
  MNEME_RETURN_IF_ERROR(metadata.read_int("expert_shared_feed_forward_length", 0, kMaxFfnDim, config.ffn_dim, width));
  config.shared_ffn_dim = count * (width == 0 ? config.ffn_dim : width);
  return {};
}

// The most of any layer.
Status read_dense_width(const ModelMetadata& metadata, const Architecture& architecture, int least,
                        const ModelConfig& config, int& width) {
  constexpr std::string_view kKey = "feed_forward_length";
  const bool may_lack = architecture.layers_of_one_block;
  if (!architecture.layer_shapes && !may_lack) return metadata.read_int(kKey, least, kMaxFfnDim, 0, width);
  std::vector<int> widths;
  MNEME_RETURN_IF_ERROR(metadata.read_layer_ints(kKey, may_lack ? 0 : 1, kMaxFfnDim, 0,
                                                 static_cast<size_t>(config.n_layers + config.n_draft_layers), widths));
  width = *std::max_element(widths.begin(), widths.end());
  if (may_lack && std::any_of(widths.begin(), widths.end(), [&](int n) { return n != 0 && n != width; }))
    return metadata.refused("its layers that feed forward differ in width, which is not supported");
  if (may_lack && width == 0) width = 1;  // none feeds forward
  return {};
}

}  // namespace

Status read_experts(const ModelMetadata& metadata, const Architecture& architecture, ModelConfig& config) {
  ModelConfig& c = config;
  MNEME_RETURN_IF_ERROR(metadata.read_int("expert_count", 0, kMaxExperts, 0, c.n_experts));
  if (c.n_experts > 0 && architecture.experts == Presence::kAbsent)
    return metadata.refused("a mixture of experts is not supported for architecture " + config.architecture);
  if (c.n_experts == 0 && architecture.experts == Presence::kRequired)
    return metadata.damaged("its metadata has no " + metadata.key("expert_count"));
  if (c.n_experts == 0) return read_dense_width(metadata, architecture, 1, config, c.ffn_dim);
  MNEME_RETURN_IF_ERROR(metadata.read_int("expert_used_count", 1, c.n_experts, 0, c.n_experts_used));
  c.gated_experts = architecture.gated_ffn;
  MNEME_RETURN_IF_ERROR(read_dense_width(metadata, architecture, 0, config, c.dense_ffn_dim));
  MNEME_RETURN_IF_ERROR(metadata.read_int("expert_feed_forward_length", 1, kMaxFfnDim, c.dense_ffn_dim, c.ffn_dim));
  MNEME_RETURN_IF_ERROR(read_shared_width(metadata, architecture, config));
  return read_routing(metadata, architecture, config);
}

// All layers have them; or those one behind every multiple of a step; or, behind some dense ones, the last of every so
// many.
Status mark_experts(const ModelMetadata& metadata, const Architecture& architecture, ModelConfig& config) {
  if (config.n_experts == 0) return {};
  int step = 1;
  int n_dense = 0;
  if (architecture.some_experts)
    MNEME_RETURN_IF_ERROR(metadata.read_int("moe_every_n_layers", 2, kMaxLayerStep, 0, step));
  if (architecture.routing_keys) {
    MNEME_RETURN_IF_ERROR(metadata.read_int("leading_dense_block_count", 0, config.n_layers, 0, n_dense));
    MNEME_RETURN_IF_ERROR(metadata.read_int("interleave_moe_layer_step", 1, kMaxLayerStep, 1, step));
  }
  const int place = architecture.some_experts ? 1 : step - 1;
  for (int layer = 0; layer < config.n_layers; ++layer) {
    const bool has_experts = layer >= n_dense && layer % step == place;
    config.layers[static_cast<size_t>(layer)].has_experts = has_experts;
    if (!has_experts && config.dense_ffn_dim == 0)
      return metadata.damaged("layer " + std::to_string(layer) + " has no experts, and its metadata has no " +
                              metadata.key("feed_forward_length"));
  }
  return {};
}

}  // namespace mneme::engine
