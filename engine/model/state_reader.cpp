#include "engine/model/state_reader.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mneme::engine {

namespace {

// Far above any model there is; a layer's states then have at most 2^28 numbers.
constexpr int kMaxStateHeads = 1024;
constexpr int kMaxStateDim = 512;
constexpr int kMaxConvWidth = 16;
constexpr int kMaxInnerSize = kMaxStateHeads * kMaxStateDim;
constexpr int kMaxInterval = 1024;
constexpr int kUsualInterval = 4;

Status read_matrix_sizes(const ModelMetadata& metadata, StateConfig& state) {
  int inner_size = 0;
  MNEME_RETURN_IF_ERROR(metadata.read_int("ssm.conv_kernel", 2, kMaxConvWidth, 0, state.conv_width));
  MNEME_RETURN_IF_ERROR(metadata.read_int("ssm.state_size", 1, kMaxStateDim, 0, state.key_length));
  MNEME_RETURN_IF_ERROR(metadata.read_int("ssm.group_count", 1, kMaxStateHeads, 0, state.n_key_heads));
  MNEME_RETURN_IF_ERROR(metadata.read_int("ssm.time_step_rank", 1, kMaxStateHeads, 0, state.n_value_heads));
  MNEME_RETURN_IF_ERROR(metadata.read_int("ssm.inner_size", 1, kMaxInnerSize, 0, inner_size));
  if (state.n_value_heads % state.n_key_heads != 0)
    return metadata.damaged(std::to_string(state.n_value_heads) + " value heads cannot share " +
                            std::to_string(state.n_key_heads) + " key heads");
  state.value_length = inner_size / state.n_value_heads;
  if (inner_size % state.n_value_heads != 0)
    return metadata.damaged(std::to_string(inner_size) + " elements cannot be values of " +
                            std::to_string(state.n_value_heads) + " heads");
  if (state.kind == StateKind::kDeltaNet && state.value_length != state.key_length)
    return metadata.refused("the keys and values of its layers with a state differ in length, which is not supported");
  if (state.value_length > kMaxStateDim)
    return metadata.damaged("values of " + std::to_string(state.value_length) + " elements are impossible");
  return {};
}

// All of a row's elements are channels.
Status read_convolution_sizes(const ModelMetadata& metadata, int dim, StateConfig& state) {
  state.n_value_heads = 1;
  state.value_length = dim;
  return metadata.read_int("shortconv.l_cache", 2, kMaxConvWidth, 0, state.conv_width);
}

Status read_sizes(const ModelMetadata& metadata, const Architecture& architecture, int dim, StateConfig& state) {
  state.kind = architecture.states;
  state.neighbours_share = architecture.neighbours_share;
  MNEME_RETURN_IF_ERROR(metadata.read_number("attention.layer_norm_rms_epsilon", 0.0, 1.0, 1e-5, state.epsilon));
  return state.kind == StateKind::kConvolution ? read_convolution_sizes(metadata, dim, state)
                                               : read_matrix_sizes(metadata, state);
}

// Of every so many layers the last attends; or the file lists all that do not, layers that draft tokens at the end.
Result<std::vector<bool>> read_places(const ModelMetadata& metadata, const ModelConfig& config) {
  constexpr std::string_view kList = "attention.recurrent_layers";
  const auto n_layers = static_cast<size_t>(config.n_layers);
  if (std::optional<std::vector<bool>> list = metadata.file().flags(metadata.key(kList))) {
    if (list->size() != n_layers && list->size() != n_layers + static_cast<size_t>(config.n_draft_layers))
      return metadata.damaged("its " + metadata.key(kList) + " lists " + std::to_string(list->size()) + " layers of " +
                              std::to_string(n_layers));
    list->resize(n_layers);
    return *std::move(list);
  }
  if (metadata.file().find(metadata.key(kList)) != nullptr)
    return metadata.damaged("its " + metadata.key(kList) + " is no list of yes and no");
  int interval = 0;
  MNEME_RETURN_IF_ERROR(metadata.read_int("full_attention_interval", 1, kMaxInterval, kUsualInterval, interval));
  std::vector<bool> places(n_layers);
  for (size_t layer = 0; layer < n_layers; ++layer) places[layer] = (layer + 1) % static_cast<size_t>(interval) != 0;
  return places;
}

}  // namespace

// Layers without KV heads keep a state, but, where layers are of one block, for those that feed forward.
Status mark_layers_without_kv(const ModelMetadata& metadata, const Architecture& architecture, ModelConfig& config) {
  const auto n_layers = static_cast<size_t>(config.n_layers) + static_cast<size_t>(config.n_draft_layers);
  std::vector<int> kv_heads;
  std::vector<int> widths(n_layers, 1);
  MNEME_RETURN_IF_ERROR(
      metadata.read_layer_ints("attention.head_count_kv", 0, config.n_kv_heads, config.n_kv_heads, n_layers, kv_heads));
  if (architecture.layers_of_one_block)
    MNEME_RETURN_IF_ERROR(metadata.read_layer_ints("feed_forward_length", 0, kMaxFfnDim, 0, n_layers, widths));
  for (size_t i = 0; i < config.layers.size(); ++i) {
    LayerConfig& layer = config.layers[i];
    layer.attends = kv_heads[i] > 0;
    layer.feeds_forward = widths[i] > 0;
    layer.keeps_state = !layer.attends && !(architecture.layers_of_one_block && layer.feeds_forward);
    layer.has_experts = layer.has_experts && layer.feeds_forward;
    if (architecture.layers_of_one_block && layer.attends && layer.feeds_forward)
      return metadata.refused("its layer " + std::to_string(i) +
                              " both attends and feeds forward, which is not supported");
  }
  return {};
}

Status read_state_layers(const ModelMetadata& metadata, const Architecture& architecture, ModelConfig& config) {
  config.gated_attention = architecture.gated_attention;
  if (architecture.states == StateKind::kNone) return {};
  if (config.is_encoder())
    return metadata.refused("vectors of texts by models of architecture " + config.architecture +
                            " are not supported; name a language model");
  MNEME_RETURN_IF_ERROR(read_sizes(metadata, architecture, config.dim, config.state));
  if (architecture.states_without_kv) return mark_layers_without_kv(metadata, architecture, config);
  std::vector<bool> places(static_cast<size_t>(config.n_layers), true);
  if (!architecture.states_beside) {
    MNEME_ASSIGN_OR_RETURN(places, read_places(metadata, config));
  }
  for (size_t layer = 0; layer < places.size(); ++layer) {
    config.layers[layer].keeps_state = places[layer];
    config.layers[layer].attends = !places[layer] || architecture.states_beside;
  }
  return {};
}

}  // namespace mneme::engine
