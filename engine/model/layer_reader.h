// What differs from layer to layer: KV heads, the length of heads, feed-forward widths, whose keys and values a layer
// reads, what its output is multiplied by. Threads: pure functions.
#pragma once

#include "base/status.h"
#include "engine/model/architecture.h"
#include "engine/model/model_config.h"
#include "engine/model/model_metadata.h"

namespace mneme::engine {

// For families where layers may differ (Architecture::layer_shapes and below it), with the windows of all layers known;
// nothing to do for others. kCorruption, kUnsupported.
Status read_layer_differences(const ModelMetadata& metadata, const Architecture& architecture, ModelConfig& config);

}  // namespace mneme::engine
