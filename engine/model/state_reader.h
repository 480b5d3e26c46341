// Layers that keep a state, from a model's metadata: their sizes, and which layers they are. Threads: pure.
#pragma once

#include "base/status.h"
#include "engine/model/architecture.h"
#include "engine/model/model_config.h"
#include "engine/model/model_metadata.h"

namespace mneme::engine {

// Sets config.state and marks config.layers, which are there. Errors: kCorruption (sizes that do not fit each other or
// none at all), kUnsupported (keys and values of different length, a model that makes vectors).
Status read_state_layers(const ModelMetadata& metadata, const Architecture& architecture, ModelConfig& config);

}  // namespace mneme::engine
