#include "engine/kv/kv_shape.h"

namespace mneme::engine {

KvShape kv_shape_of(const ModelConfig& config) {
  KvShape shape{.n_layers = config.n_kv_layers(), .n_kv_heads = config.n_kv_heads, .head_dim = config.head_dim};
  if (config.has_equal_heads()) return shape;
  for (int layer = 0; layer < shape.n_layers; ++layer) {
    const LayerHeads heads = config.heads(layer);
    shape.layers.push_back({heads.n_kv_heads, heads.head_dim});
  }
  return shape;
}

}  // namespace mneme::engine
