#include "engine/model/delta_reader.h"

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

Status read_sizes(const ModelMetadata& metadata, DeltaConfig& delta) {
  int inner_size = 0;
  MNEME_RETURN_IF_ERROR(metadata.read_int("ssm.conv_kernel", 2, kMaxConvWidth, 0, delta.conv_width));
  MNEME_RETURN_IF_ERROR(metadata.read_int("ssm.state_size", 1, kMaxStateDim, 0, delta.head_dim));
  MNEME_RETURN_IF_ERROR(metadata.read_int("ssm.group_count", 1, kMaxStateHeads, 0, delta.n_key_heads));
  MNEME_RETURN_IF_ERROR(metadata.read_int("ssm.time_step_rank", 1, kMaxStateHeads, 0, delta.n_value_heads));
  MNEME_RETURN_IF_ERROR(metadata.read_int("ssm.inner_size", 1, kMaxInnerSize, 0, inner_size));
  if (delta.n_value_heads % delta.n_key_heads != 0)
    return metadata.damaged(std::to_string(delta.n_value_heads) + " value heads cannot share " +
                            std::to_string(delta.n_key_heads) + " key heads");
  if (inner_size != delta.value_dim())
    return metadata.refused("the keys and values of its layers with a state differ in length, which is not supported");
  return {};
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

Status read_delta_layers(const ModelMetadata& metadata, const Architecture& architecture, ModelConfig& config) {
  config.gated_attention = architecture.gated_attention;
  if (!architecture.delta_net) return {};
  if (config.is_encoder())
    return metadata.refused("vectors of texts by models of architecture " + config.architecture +
                            " are not supported; name a language model");
  config.delta.neighbours_share = architecture.delta_neighbours_share;
  MNEME_RETURN_IF_ERROR(read_sizes(metadata, config.delta));
  MNEME_ASSIGN_OR_RETURN(const std::vector<bool> places, read_places(metadata, config));
  for (size_t layer = 0; layer < places.size(); ++layer) {
    if (places[layer]) config.layers[layer].kind = LayerKind::kDeltaNet;
  }
  return {};
}

}  // namespace mneme::engine
