#include "engine/model/layer_reader.h"

#include <cmath>
#include <string>
#include <vector>

#include "engine/model/tensor_values.h"

namespace mneme::engine {

namespace {

constexpr int kMaxLayerInput = 1 << 16;

// A layer's number, or 0 where it is the model's.
int differing(int number, int usual) {
  return number == usual ? 0 : number;
}

Status read_shapes(const ModelMetadata& metadata, ModelConfig& config) {
  ModelConfig& c = config;
  const size_t n = c.layers.size();
  std::vector<int> kv_heads;
  std::vector<int> widths;
  MNEME_RETURN_IF_ERROR(
      metadata.read_layer_ints("attention.head_count_kv", 1, c.n_kv_heads, c.n_kv_heads, n, kv_heads));
  MNEME_RETURN_IF_ERROR(metadata.read_layer_ints("feed_forward_length", 1, kMaxFfnDim, 0, n, widths));
  int window_keys = 0;
  int window_values = 0;
  MNEME_RETURN_IF_ERROR(metadata.read_int("attention.key_length_swa", 2, c.head_dim, c.head_dim, window_keys));
  MNEME_RETURN_IF_ERROR(metadata.read_int("attention.value_length_swa", 2, c.head_dim, window_keys, window_values));
  if (window_keys % 2 != 0) return metadata.damaged("its " + metadata.key("attention.key_length_swa") + " is odd");
  if (window_values != window_keys)
    return metadata.refused("keys and values of its window layers differ in length, which is not supported");
  for (size_t layer = 0; layer < n; ++layer) {
    LayerConfig& own = c.layers[layer];
    own.n_kv_heads = differing(kv_heads[layer], c.n_kv_heads);
    own.ffn_dim = differing(widths[layer], c.dense_width());
    if (own.sliding_window > 0) own.head_dim = differing(window_keys, c.head_dim);
    if (c.n_heads % kv_heads[layer] != 0)
      return metadata.damaged(std::to_string(c.n_heads) + " heads cannot share the " + std::to_string(kv_heads[layer]) +
                              " KV heads of layer " + std::to_string(layer));
  }
  return {};
}

// The last layers read what the last one before them of their kind, with a window or without, has.
Status read_kv_sources(const ModelMetadata& metadata, ModelConfig& config) {
  ModelConfig& c = config;
  int n_shared = 0;
  MNEME_RETURN_IF_ERROR(metadata.read_int("attention.shared_kv_layers", 0, c.n_layers - 1, 0, n_shared));
  const int first = c.n_layers - n_shared;
  for (int layer = first; layer < c.n_layers; ++layer) {
    LayerConfig& own = c.layers[static_cast<size_t>(layer)];
    int source = first - 1;
    while (source >= 0 && c.layers[static_cast<size_t>(source)].sliding_window != own.sliding_window) --source;
    if (source < 0 || c.heads(source) != c.heads(layer))
      return metadata.damaged("no layer before has keys and values that layer " + std::to_string(layer) +
                              " could read");
    own.kv_source = source;
  }
  return {};
}

Status read_output_scales(const ModelMetadata& metadata, ModelConfig& config) {
  for (int layer = 0; layer < config.n_layers; ++layer) {
    const std::string name = "blk." + std::to_string(layer) + ".layer_output_scale.weight";
    MNEME_ASSIGN_OR_RETURN(const std::vector<float> scale, read_tensor_values(metadata.file(), name, 1, 1));
    if (scale.empty()) continue;
    if (!std::isfinite(scale.front())) return metadata.damaged("tensor '" + name + "' holds what is no number");
    config.layers[static_cast<size_t>(layer)].output_scale = scale.front();
  }
  return {};
}

}  // namespace

Status read_layer_differences(const ModelMetadata& metadata, const Architecture& architecture, ModelConfig& config) {
  if (architecture.layer_shapes) MNEME_RETURN_IF_ERROR(read_shapes(metadata, config));
  if (architecture.shared_kv) MNEME_RETURN_IF_ERROR(read_kv_sources(metadata, config));
  if (architecture.layer_scales) MNEME_RETURN_IF_ERROR(read_output_scales(metadata, config));
  if (!architecture.layer_inputs) return {};
  return metadata.read_int("embedding_length_per_layer_input", 0, kMaxLayerInput, 0, config.layer_input_dim);
}

}  // namespace mneme::engine
