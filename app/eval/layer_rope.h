// The rotation of a layer's keys, as KvCache::place() wants it. Threads: pure function.
#pragma once

#include "engine/model/model_config.h"

namespace mneme::app {

// Null where the layer's keys are not rotated.
inline const engine::RopeConfig* rope_of(const engine::ModelConfig& config, int layer) {
  const engine::LayerConfig& settings = config.layers[static_cast<size_t>(layer)];
  if (!settings.uses_rope || config.ropes.empty()) return nullptr;
  return &config.ropes[static_cast<size_t>(settings.rope_index)];
}

}  // namespace mneme::app
