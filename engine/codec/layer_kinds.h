// Layers of a model whose layers differ, by the heads of their keys and values: those with equal heads are of one kind
// and counted among themselves. What works on layers of one width works on each kind by itself.
// Threads: pure functions.
#pragma once

#include <vector>

#include "engine/codec/codec.h"

namespace mneme::engine {

struct LayerKinds {
  struct Place {
    int kind = 0;
    int index = 0;  // among the kind's layers
  };
  std::vector<KvShape> shapes;  // of the kinds, in the order of their first layers; in each all layers are equal
  std::vector<Place> places;    // of the layers

  const Place& of(int layer) const { return places[static_cast<size_t>(layer)]; }
  size_t size() const { return shapes.size(); }
};

// One kind where all layers are equal.
LayerKinds layer_kinds(const KvShape& shape);

}  // namespace mneme::engine
