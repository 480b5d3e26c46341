// The experts of a model, from its metadata: how many, how wide, how a token chooses its own, which layers have them.
// Threads: pure.
#pragma once

#include "base/status.h"
#include "engine/model/architecture.h"
#include "engine/model/model_config.h"
#include "engine/model/model_metadata.h"

namespace mneme::engine {

// Sets the widths of config's feed-forward parts, its experts and their routing. Errors: kCorruption, kUnsupported (a
// routing that is not known, experts in a family that has none).
Status read_experts(const ModelMetadata& metadata, const Architecture& architecture, ModelConfig& config);

// Marks which of config.layers, already there, have experts. Errors: kCorruption.
Status mark_experts(const ModelMetadata& metadata, const Architecture& architecture, ModelConfig& config);

}  // namespace mneme::engine
