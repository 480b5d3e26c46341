#include "engine/codec/layer_kinds.h"

#include <algorithm>

namespace mneme::engine {

LayerKinds layer_kinds(const KvShape& shape) {
  LayerKinds kinds;
  for (int layer = 0; layer < shape.n_layers; ++layer) {
    const KvHeads heads = shape.heads(layer);
    auto kind = std::find_if(kinds.shapes.begin(), kinds.shapes.end(),
                             [&](const KvShape& own) { return own.heads(0) == heads; });
    if (kind == kinds.shapes.end())
      kind = kinds.shapes.insert(kind, KvShape{.n_kv_heads = heads.n_kv_heads, .head_dim = heads.head_dim});
    kinds.places.push_back({static_cast<int>(kind - kinds.shapes.begin()), kind->n_layers++});
  }
  return kinds;
}

}  // namespace mneme::engine
